// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/lines.hpp"
#include "src/function/opencl/rewriter.hpp"

#include <skelrt/detail/index_checks.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace skelrt::detail::opencl
{
namespace
{

/// Words of C++ that have no counterpart, and how a message calls them.
std::string_view forbidden_word(std::string_view word)
{
    static const std::map<std::string_view, std::string_view> table{{"new", "new"},
                                                                    {"delete", "delete"},
                                                                    {"throw", "throw"},
                                                                    {"try", "try"},
                                                                    {"catch", "catch"},
                                                                    {"this", "this"},
                                                                    {"typeid", "typeid"},
                                                                    {"dynamic_cast", "dynamic_cast"},
                                                                    {"const_cast", "const_cast"},
                                                                    {"template", "template"},
                                                                    {"reinterpret_cast", "reinterpret_cast"},
                                                                    {"co_await", "co_await"},
                                                                    {"co_yield", "co_yield"},
                                                                    {"goto", "goto"},
                                                                    {"co_return", "co_return"},
                                                                    {"asm", "asm"},
                                                                    {"__assert_fail", "assert"},
                                                                    {"__asm__", "asm"},
                                                                    {"operator", "operator"},
                                                                    {"virtual", "virtual"},
                                                                    {"alignof", "alignof"},
                                                                    {"noexcept", "noexcept"},
                                                                    {"requires", "requires"},
                                                                    {"thread_local", "thread_local"},
                                                                    {"typename", "typename"},
                                                                    {"class", "class"},
                                                                    {"union", "union"},
                                                                    {"mutable", "mutable"}};
    const auto found = table.find(word);
    return found == table.end() ? std::string_view{} : found->second;
}

bool is_operator(std::string_view text)
{
    return any_of(text, {"+", "-",  "*",  "/",  "%",  "<",  ">",  "<=", ">=", "==", "!=", "<<",  ">>",  "|",  "^", "!",
                         "~", "&&", "||", "+=", "-=", "*=", "/=", "%=", "|=", "^=", "&=", "<<=", ">>=", "++", "--"});
}

} // namespace

// --- tokens -------------------------------------------------------------------------------------------------------

bool rewriter::is(std::string_view text, std::size_t ahead) const
{
    return at_ + ahead < tokens_.size() && tokens_[at_ + ahead].is(text);
}

bool rewriter::is_identifier(std::size_t ahead) const
{
    return at_ + ahead < tokens_.size() && tokens_[at_ + ahead].is_identifier();
}

std::string_view rewriter::take()
{
    if (at_end()) refuse("an unfinished text");
    return tokens_[at_++].text;
}

bool rewriter::accept(std::string_view text)
{
    if (!is(text)) return false;
    ++at_;
    return true;
}

void rewriter::expect(std::string_view text)
{
    if (!accept(text))
        refuse(at_end() ? "an unfinished text"
                        : "'" + std::string(tokens_[at_].text) + "' where '" + std::string(text) + "' was expected");
}

void rewriter::refuse(std::string reason) const { refuse_at(at_, std::move(reason)); }

void rewriter::refuse_at(std::size_t token_index, std::string reason) const
{
    const auto last = std::min(token_index, tokens_.size() - 1);
    throw refused{std::move(reason), tokens_.empty() ? 0 : tokens_[last].offset};
}

std::size_t rewriter::after_group(std::size_t open) const
{
    int depth = 0;
    for (auto i = open; i < tokens_.size(); ++i) {
        if (any_of(tokens_[i].text, {"(", "[", "{"})) ++depth;
        else if (any_of(tokens_[i].text, {")", "]", "}"}) && --depth == 0) return i + 1;
    }
    refuse_at(open, "an unfinished text");
}

/// [[maybe_unused]] and the like say nothing to OpenCL C.
void rewriter::skip_attributes()
{
    while (is("[") && is("[", 1)) at_ = after_group(at_);
    while (is("__attribute__")) at_ = after_group(at_ + 1);
}

// --- output -------------------------------------------------------------------------------------------------------

int rewriter::line_of(std::size_t token_index) const
{
    return token_index < lines_.size() ? lines_[token_index] : source_.line;
}

std::string rewriter::gap() const
{
    if (at_end() || at_ == 0) return "";
    const auto& before = tokens_[at_ - 1];
    const bool blank = tokens_[at_].offset > before.offset + before.text.size();
    const int breaks = line_of(at_) - line_of(at_ - 1);
    if (breaks > 0) return std::string(static_cast<std::size_t>(breaks), '\n');
    return blank ? " " : "";
}

void rewriter::start_line(std::size_t token_index)
{
    unit_.text += "\n#line " + std::to_string(line_of(token_index)) + " \"";
    for (const char* c = source_.file; *c != '\0'; ++c)
        unit_.text += (*c == '"' || *c == '\\') ? std::string("\\") + *c : std::string(1, *c);
    unit_.text += "\"\n";
}

void rewriter::uses_double(std::string_view what)
{
    if (!unit_.double_use.empty()) return;
    const auto index = std::min(at_, tokens_.size()) - 1;
    unit_.double_use = std::string(source_.file) + ":" + std::to_string(line_of(index)) + ": " + std::string(what);
}

// --- expressions --------------------------------------------------------------------------------------------------

/// Up to one of the two stops at the outermost level; the stop itself stays.
std::string rewriter::expression(std::string_view stop, std::string_view other_stop)
{
    if (typed()) return typed_expression(stop, other_stop);
    std::string out;
    while (!at_end() && !is(stop) && (other_stop.empty() || !is(other_stop))) {
        if (any_of(tokens_[at_].text, {")", "]", "}", ";"}))
            refuse("'" + std::string(tokens_[at_].text) + "' in an expression");
        out += gap();
        out += primary();
    }
    if (at_end()) refuse("an unfinished text");
    return out;
}

std::string rewriter::primary()
{
    const auto& t = tokens_[at_];
    switch (t.kind) {
    case token_kind::identifier:
        return identifier();
    case token_kind::number:
        return number();
    case token_kind::string:
        refuse("a string");
    case token_kind::character:
        if (t.text.front() != '\'') refuse("a wide character");
        return "((char)" + std::string(take()) + ")";
    case token_kind::punctuation:
        break;
    }
    if (is("(")) return parenthesis();
    if (is("{")) refuse("a braced list whose type is not written in front of it");
    if (is("[")) {
        const bool subscript =
            at_ > 0 && (tokens_[at_ - 1].is_identifier() || tokens_[at_ - 1].is(")") || tokens_[at_ - 1].is("]"));
        if (!subscript || is("return", static_cast<std::size_t>(-1))) refuse("a lambda");
        ++at_;
        auto out = "[" + expression("]");
        expect("]");
        return out + "]";
    }
    if (is("::")) return identifier();
    if (any_of(t.text, {"<=>", "->*", ".*", "..."})) refuse("the operator " + std::string(t.text));
    if (is(".") || is("->")) {
        std::string out(take());
        if (!is_identifier()) refuse("a member access without a name");
        if (is("(", 1)) refuse("the member function " + std::string(tokens_[at_].text));
        return out + safe_name(take());
    }
    if (is("&") && is_unary() && is_identifier(1))
        if (const auto* b = find(tokens_[at_ + 1].text); b != nullptr && b->of.is_view() && !is(".", 2))
            refuse("the address of an element of a container");
    return std::string(take());
}

/// Whether the operator here has nothing on its left.
bool rewriter::is_unary() const
{
    if (at_ == 0 || at_ == behind_cast_) return true;
    const auto& before = tokens_[at_ - 1];
    if (before.kind == token_kind::punctuation) return !before.is(")") && !before.is("]") && !before.is("}");
    return any_of(before.text, {"return", "case", "else", "do", "and", "or", "not", "xor", "bitor", "bitand"});
}

/// A C cast, or just a parenthesis.
std::string rewriter::parenthesis()
{
    expect("(");
    const auto begin = at_;
    if (const auto cast = parse_type()) {
        std::string stars;
        while (is("*") || is("const")) stars += is("*") ? "*" : " const", ++at_;
        if (is("&")) refuse("a cast to a reference");
        if (accept(")")) {
            behind_cast_ = at_;
            return "(" + cast->text + stars + ")";
        }
        at_ = begin;
    }
    auto out = "(" + expression(")");
    expect(")");
    return out + ")";
}

const rewriter::binding* rewriter::find(std::string_view name) const
{
    for (auto s = scopes_.rbegin(); s != scopes_.rend(); ++s)
        if (const auto found = s->find(name); found != s->end()) return &found->second;
    return nullptr;
}

std::string rewriter::identifier()
{
    const auto where = at_;
    const auto word = tokens_[at_].text;
    if (const auto bad = forbidden_word(word); !bad.empty()) refuse(std::string(bad));
    static const std::map<std::string_view, std::string_view> words{
        {"true", "((bool)1)"}, {"false", "((bool)0)"}, {"nullptr", "0"}, {"and", "&&"}, {"or", "||"},
        {"not", "!"},          {"bitand", "&"},        {"bitor", "|"},   {"xor", "^"},  {"compl", "~"}};
    if (const auto found = words.find(word); found != words.end()) return ++at_, std::string(found->second);
    if (word == "static_cast") return static_cast_expression();
    if (word == "sizeof") {
        ++at_;
        return "(ulong)sizeof";
    }
    if (const auto* local = is("::", 1) ? nullptr : find(word); local != nullptr && !local->names_type) {
        if (!local->refusal.empty()) refuse(local->refusal);
        ++at_;
        return bound_name(*local, where);
    }
    if (word.starts_with("__builtin_")) return builtin();
    const auto begin = at_;
    if (const auto of = parse_type()) {
        if (is("(") || is("{")) return construct(*of);
        if (is(")") || is("*")) return of->text; // sizeof(T), a cast
        at_ = begin;
    }
    const auto what = take_path();
    if (const auto users = lookup(what); !users.empty()) return users_name(users, where);
    const auto& from = what.qualifier;
    if (from == "std" || from == "numbers" || from == "std::numbers") return standard_name(what.name, where);
    return plain_name(what, where);
}

/// What macros of the standard library become.
std::string rewriter::builtin()
{
    static const std::map<std::string_view, std::string_view> values{
        {"__builtin_inff", "INFINITY"},     {"__builtin_huge_valf", "INFINITY"},
        {"__builtin_nanf", "NAN"},          {"__builtin_inf", "((double)INFINITY)"},
        {"__builtin_nan", "((double)NAN)"}, {"__builtin_huge_val", "((double)INFINITY)"}};
    const auto found = values.find(tokens_[at_].text);
    if (found == values.end() || !is("(", 1)) refuse("the compiler's function " + std::string(tokens_[at_].text));
    if (found->second.starts_with("((double")) uses_double(found->first);
    at_ = after_group(at_ + 1);
    return std::string(found->second);
}

/// A name that SKELRT_SHARED defines.
std::string rewriter::users_name(const std::string& qualified, std::size_t where)
{
    if (is("(")) return call(qualified, where);
    if (const auto found = unit_.constants.find(qualified); found != unit_.constants.end()) return found->second;
    if (const auto found = unit_.arrays.find(qualified); found != unit_.arrays.end()) return found->second;
    if (const auto why = unit_.left_out.find(qualified); why != unit_.left_out.end()) refuse_at(where, why->second);
    if (is("<")) refuse_at(where, "a template");
    refuse_at(where, "the name " + qualified + " in an expression");
}

/// Any other name: of the standard library, after a using-declaration.
std::string rewriter::plain_name(const path& what, std::size_t where)
{
    if (is("(") && what.qualifier.empty()) return math_call(what.name, where);
    if (is("("))
        refuse_at(where, "the function " + what.whole() + ", which is not in a SKELRT_SHARED" + elsewhere(what));
    if (what.qualifier.empty() && is_known_macro(what.name)) {
        if (is_double_macro(what.name)) uses_double(what.name);
        return std::string(what.name);
    }
    refuse_at(where,
              "the name " + what.whole() + ", which is neither a parameter nor in a SKELRT_SHARED" + elsewhere(what));
}

/// acc.add(i, v) and its like
std::string rewriter::accumulation(const binding& accumulator, int values)
{
    const std::string method(tokens_[at_ + 1].text);
    at_ += 2;
    expect("(");
    const std::string index = expression(values > 0 ? "," : ")");
    std::string rest;
    for (int k = 0; k < values; ++k) {
        expect(",");
        rest += ", " + expression(k + 1 < values ? "," : ")");
    }
    expect(")");
    const std::string change = accumulator.of.kind == type_kind::atomic_vec ? method
                               : checks_bounds()                            ? "put_checked"
                                                                            : "put";
    return accumulator.of.text + "_" + change + "(" + accumulator.text + ", (ulong)(" + index + ")" + rest + ")";
}

/// r.uniform() and the like: each changes the generator.
std::string rewriter::random_number(const binding& generator)
{
    const auto name = at_ + 1 < tokens_.size() ? tokens_[at_ + 1].text : std::string_view{};
    const bool known = any_of(name, {"bits", "uniform", "uniform_double", "normal"});
    if (!is(".") || !known || !is("(", 2) || !is(")", 3))
        refuse("the use of an sk::random but for bits(), uniform(), uniform_double() and normal()");
    if (name == "uniform_double") uses_double("uniform_double()");
    at_ += 4;
    return "skelrt_random_" + std::string(name) + "(&" + generator.text + ")";
}

/// d.left() and the like. By itself it is handed on.
std::string rewriter::result_before(const binding& before)
{
    if (!is(".")) return before.text;
    const auto name = at_ + 1 < tokens_.size() ? tokens_[at_ + 1].text : std::string_view{};
    if (!any_of(name, {"left", "above", "diagonal"}) || !is("(", 2) || !is(")", 3))
        refuse("the use of an sk::before2 but for left(), above() and diagonal()");
    at_ += 4;
    return before.text + "." + std::string(name);
}

std::string rewriter::bound_name(const binding& what, std::size_t where)
{
    if (what.of.is_hood()) return hood_access(what);
    if (what.of.accumulates() && is(".") && at_ + 1 < tokens_.size())
        if (const auto values = values_of_method(what.of.kind, tokens_[at_ + 1].text))
            return accumulation(what, *values);
    if (what.of.kind == type_kind::random) return random_number(what);
    if (what.of.kind == type_kind::before) return result_before(what);
    if (what.of.is_view()) return checks_bounds() ? checked_view_access(what) : what.text + view_access(what);
    if (is("(")) refuse_at(where, "the call of the object " + what.text);
    if (what.of.kind == type_kind::structure && !what.indirect && !is(".") && !is("->") && !is("["))
        forbid_operator_on(what.of, where);
    return what.text;
}

/// C has no overloaded operators; a struct next to one means that the user has overloaded it.
void rewriter::forbid_operator_on(const type& of, std::size_t begin) const
{
    const auto complain = [&](std::string_view op) {
        refuse_at(begin, "the operator " + std::string(op) + " on the struct " + written_name(of));
    };
    if (begin > 0 && is_operator(tokens_[begin - 1].text)) complain(tokens_[begin - 1].text);
    if (!at_end() && is_operator(tokens_[at_].text)) complain(tokens_[at_].text);
}

/// u(-1, 0), u(d), u[d]: a call of the function that comes with the hood's type. A hood by itself is handed on.
std::string rewriter::hood_access(const binding& hood)
{
    if (is(".")) refuse("a member of a hood");
    const auto rank = hood.of.kind == type_kind::hood1 ? 1 : hood.of.kind == type_kind::hood2 ? 2 : 3;
    const bool subscript = is("[");
    if (!subscript && !is("(")) return hood.text;
    if (subscript && rank > 1) refuse("[] on a hood of more than one dimension");
    const std::string_view close = subscript ? "]" : ")";
    const auto open = at_++;
    std::string out = hood.of.text + "_at(" + hood.text;
    for (int i = 0; i < rank; ++i) {
        if (i > 0) expect(",");
        out += ", (long)(" + expression(i + 1 < rank ? "," : close) + ")";
    }
    if (!accept(close)) refuse_at(open, "a hood of " + std::to_string(rank) + " dimensions with other arguments");
    return out + ")";
}

std::string rewriter::view_access(const binding& view)
{
    if (is(".")) return view_member(view);
    if (view.of.accumulates() && (is("[") || is("("))) refuse("reading an accumulator");
    const bool is_vec = view.of.kind == type_kind::vec;
    if (is("[") || (is("(") && is_vec)) {
        if (!is_vec) refuse("[] on a matrix");
        const std::string_view close = take() == "[" ? "]" : ")";
        auto out = ".p[" + expression(close);
        expect(close);
        return out + "]";
    }
    if (is("(")) {
        expect("(");
        const auto row = expression(",");
        expect(",");
        const auto column = expression(")");
        expect(")");
        return ".p[(ulong)(" + row + ") * " + view.text + ".ld + (ulong)(" + column + ")]";
    }
    return "";
}

/// The same with checked indices.
std::string rewriter::checked_view_access(const binding& view)
{
    const bool is_vec = view.of.kind == type_kind::vec, is_mat = view.of.kind == type_kind::mat;
    if (!(is_vec && (is("[") || is("("))) && !(is_mat && is("("))) return view.text + view_access(view);
    const std::string_view close = take() == "[" ? "]" : ")";
    std::string out = "(*" + view.of.text + "_at(" + view.text + ", (ulong)(" + expression(is_mat ? "," : close) + ")";
    if (is_mat) {
        expect(",");
        out += ", (ulong)(" + expression(close) + ")";
    }
    expect(close);
    return out + "))";
}

std::string rewriter::view_member(const binding& view)
{
    const bool is_vec = view.of.kind != type_kind::mat;
    const auto name = at_ + 1 < tokens_.size() ? tokens_[at_ + 1].text : std::string_view{};
    const std::string_view member = is_vec && name == "size"    ? ".n"
                                    : !is_vec && name == "rows" ? ".rows"
                                    : !is_vec && name == "cols" ? ".cols"
                                                                : "";
    if (member.empty() || !is("(", 2) || !is(")", 3)) refuse("the member " + std::string(name) + " of a container");
    at_ += 4;
    return std::string(member);
}

std::string rewriter::call(const std::string& qualified, std::size_t where)
{
    // Also when other overloads could be translated: they might be taken in its place.
    if (const auto why = unit_.left_out.find(qualified); why != unit_.left_out.end()) refuse_at(where, why->second);
    const auto known = unit_.functions.find(qualified);
    if (known == unit_.functions.end()) refuse_at(where, "the call of " + qualified + ", which is no function");
    auto out = flat_name(qualified) + arguments(")");
    if (known->second.kind == type_kind::structure && !is(".")) forbid_operator_on(known->second, where);
    return out;
}

std::string rewriter::math_call(std::string_view name, std::size_t where)
{
    const auto function = math_function(name);
    if (!function)
        refuse_at(where, "the function " + std::string(name) + ", which is neither in <cmath> nor in a SKELRT_SHARED" +
                             elsewhere({"", name}));
    if (unit_.helpers.insert(*function).second) unit_.helper_text += helper_text(*function);
    return *function + arguments(")");
}

/// From the opening to the closing bracket, both included.
std::string rewriter::arguments(std::string_view close)
{
    if (const auto ready = ready_.find(at_); ready != ready_.end()) {
        at_ = ready->second.end;
        return ready->second.text;
    }
    std::string out(take());
    out += expression(close);
    expect(close);
    return out + std::string(close);
}

std::string rewriter::standard_name(std::string_view name, std::size_t where)
{
    if (name == "numeric_limits") return numeric_limits();
    if (name == "bit_cast") return bit_cast();
    if (name.ends_with("_v") || number_constant(name)) {
        --at_;
        return numbers();
    }
    if (is("<") && any_of(name, {"min", "max", "abs", "clamp"}))
        refuse_at(where, "std::" + std::string(name) + " with a written type");
    if (is("(") && math_function(name)) return math_call(name, where);
    refuse_at(where, "std::" + std::string(name));
}

std::string rewriter::numeric_limits()
{
    expect("<");
    const auto of = parse_type();
    expect(">");
    expect("::");
    const auto where = at_;
    const auto member = take();
    expect("(");
    expect(")");
    const auto text = of ? numeric_limit(of->text, member) : std::nullopt;
    if (!text) refuse_at(where, "std::numeric_limits<...>::" + std::string(member) + " of this type");
    return *text;
}

/// std::numbers::pi, std::numbers::pi_v<float>.
std::string rewriter::numbers()
{
    const auto where = at_;
    auto name = take();
    std::string of = "double";
    if (name.ends_with("_v")) {
        name.remove_suffix(2);
        expect("<");
        const auto given = parse_type();
        if (given) of = given->text;
        expect(">");
    }
    const auto text = number_constant(name);
    if (!text || (of != "float" && of != "double")) refuse_at(where, "std::" + std::string(tokens_[where].text));
    if (of == "double") uses_double("a number from <numbers>");
    return of == "float" ? *text + "f" : *text;
}

std::string rewriter::bit_cast()
{
    const auto where = at_;
    expect("<");
    const auto to = parse_type();
    expect(">");
    if (!to || !any_of(to->text, {"int", "uint", "float", "long", "ulong", "double"}))
        refuse_at(where, "std::bit_cast to something else than a number");
    if (!is("(")) refuse("std::bit_cast without an argument");
    return "as_" + to->text + arguments(")");
}

std::string rewriter::static_cast_expression()
{
    ++at_;
    expect("<");
    const auto to = parse_type();
    if (!to || is("&") || is("*")) refuse("a static_cast to something else than a value");
    expect(">");
    if (to->kind == type_kind::structure) return arguments(")");
    return "((" + to->text + ")" + arguments(")") + ")";
}

/// float(x), float{x}, cplx{a, b}, cplx(a, b), T{}.
std::string rewriter::construct(const type& of)
{
    const auto where = at_ - 1;
    const bool empty = is("{") ? is("}", 1) : is(")", 1);
    if (of.is_view() || of.kind == type_kind::automatic) refuse_at(where, "the construction of " + written_name(of));
    if (of.kind == type_kind::structure || of.kind == type_kind::index) {
        std::string list;
        if (is("{")) {
            list = braced_list();
        } else {
            expect("(");
            list = empty ? "{0}" : "{" + expression(")") + "}";
            expect(")");
        }
        if (!is(".")) forbid_operator_on(of, where);
        return "((" + of.text + ")" + list + ")";
    }
    if (empty) {
        at_ += 2;
        return "((" + of.text + ")0)";
    }
    const bool brace = is("{");
    ++at_;
    const auto inner = expression(brace ? "}" : ")");
    ++at_;
    return "((" + of.text + ")(" + inner + "))";
}

std::string rewriter::braced_list()
{
    expect("{");
    if (accept("}")) return "{0}";
    std::string out = "{";
    while (!is("}")) {
        if (is("{")) {
            out += gap() + braced_list();
        } else if (is(".") && is_identifier(1)) { // designated
            out += gap();
            ++at_;
            out += "." + safe_name(take());
            if (is("{")) out += " =";
        } else {
            out += expression(",", "}");
        }
        if (is(",")) out += take();
    }
    expect("}");
    return out + "}";
}

std::string rewriter::number()
{
    std::string digits(take());
    std::erase(digits, '\'');
    const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
    const bool binary = digits.starts_with("0b") || digits.starts_with("0B");
    const bool real = !binary && (digits.find('.') != std::string::npos ||
                                  digits.find_first_of(hexadecimal ? "pP" : "eE") != std::string::npos);
    if (real) {
        const char last = digits.back();
        if (last == 'l' || last == 'L') { // DBL_MAX is double(...L)
            const bool cast = at_ > 2 && tokens_[at_ - 2].is("(") && tokens_[at_ - 3].is("double");
            const bool c_cast = at_ > 3 && tokens_[at_ - 2].is(")") && tokens_[at_ - 3].is("double");
            if (!cast && !c_cast) refuse_at(at_ - 1, "a long double literal");
            digits.pop_back();
        }
        if (last == 'f' || last == 'F') return digits;
        if (digits.find('_') != std::string::npos) refuse_at(at_ - 1, "a user-defined literal");
        uses_double("the literal " + digits + ", which is a double");
        return digits;
    }
    const auto end = digits.find_last_of(hexadecimal ? "0123456789abcdefABCDEF" : "0123456789");
    auto suffix = digits.substr(end + 1);
    if (suffix.find_first_not_of("uUlLzZ") != std::string::npos) refuse_at(at_ - 1, "a user-defined literal");
    const bool is_unsigned = suffix.find_first_of("uU") != std::string::npos;
    const bool is_long = suffix.find_first_of("lLzZ") != std::string::npos;
    auto value = digits.substr(0, end + 1);
    // Hexadecimal ones have the types of binary ones: an int, or else the next that holds the value.
    if (binary) value = fmt::format("0x{:x}", std::stoull(value.substr(2), nullptr, 2));
    return value + (is_unsigned ? "u" : "") + (is_long ? "L" : "");
}

} // namespace skelrt::detail::opencl
