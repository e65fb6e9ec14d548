// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/opencl/rewriter.hpp"

#include <algorithm>
#include <array>

/// Expressions with types: operators of std::complex, std::array and short numbers become calls of the functions that
/// standard.cpp defines. Everything else comes out as it went in. Only texts that such types are near go this
/// way.
namespace skelrt::detail::opencl
{
namespace
{

struct operator_rank {
    std::string_view text;
    int rank;
};

/// C++'s precedence; 3: binds least.
constexpr std::array<operator_rank, 24> binary_operators{
    {{"||", 3}, {"or", 3},     {"&&", 4},  {"and", 4}, {"|", 5},      {"bitor", 5}, {"^", 6},  {"xor", 6},
     {"&", 7},  {"bitand", 7}, {"==", 8},  {"!=", 8},  {"not_eq", 8}, {"<", 9},     {">", 9},  {"<=", 9},
     {">=", 9}, {"<<", 10},    {">>", 10}, {"+", 11},  {"-", 11},     {"*", 12},    {"/", 12}, {"%", 12}}};

int rank_of(std::string_view op)
{
    const auto found = std::ranges::find(binary_operators, op, &operator_rank::text);
    return found == binary_operators.end() ? 0 : found->rank;
}

/// As C spells it.
std::string_view c_operator(std::string_view op)
{
    if (op == "or") return "||";
    if (op == "and") return "&&";
    if (op == "bitor") return "|";
    if (op == "xor") return "^";
    if (op == "bitand") return "&";
    if (op == "not_eq") return "!=";
    if (op == "not") return "!";
    if (op == "compl") return "~";
    return op;
}

/// Of an operator on two numbers; empty where it is not known.
type common_type(std::string_view op, const type& a, const type& b)
{
    if (any_of(op, {"||", "&&", "==", "!=", "<", ">", "<=", ">="})) return {"bool"};
    const bool shift = op == "<<" || op == ">>";
    if (a.text.empty() || (b.text.empty() && !shift)) return {""};
    for (const auto wide : {"double", "float", "ulong", "long", "uint"})
        if (a.text == wide || (!shift && b.text == wide)) return {wide};
    return {"int"};
}

std::string function_of(std::string_view op)
{
    return op == "+" ? "skelrt_plus" : op == "-" ? "skelrt_minus" : op == "*" ? "skelrt_times" : "skelrt_over";
}

} // namespace

// --- the levels of an expression ------------------------------------------------------------------------------------

/// As expression(): up to one of the two stops, which stays. A half comes out as the number that it is.
std::string rewriter::typed_expression(std::string_view stop, std::string_view other_stop)
{
    if (at_end()) refuse("an unfinished text");
    std::string out = gap();
    if (is(stop) || (!other_stop.empty() && is(other_stop))) return out;
    const bool commas = stop != "," && other_stop != ",";
    auto v = typed_value();
    for (; commas && is(","); v.of = as_number(v).of) {
        const auto left = v.text;
        const auto lead = gap();
        ++at_;
        const auto blank = gap();
        v = typed_value();
        v.text = left + lead + "," + blank + v.text;
    }
    if (at_end()) refuse("an unfinished text");
    if (!is(stop) && (other_stop.empty() || !is(other_stop)))
        refuse("'" + std::string(tokens_[at_].text) + "' in an expression");
    last_ = v;
    return out + v.text;
}

/// An expression without commas: assignments, conditionals and all that binds more.
rewriter::value rewriter::typed_value()
{
    auto left = typed_binary(3);
    if (is("?")) return typed_conditional(std::move(left));
    if (any_of(at_end() ? std::string_view{} : tokens_[at_].text,
               {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}))
        return typed_assignment(std::move(left));
    return left;
}

rewriter::value rewriter::typed_binary(int lowest)
{
    const auto where = at_;
    auto left = typed_unary();
    while (!at_end()) {
        const int rank = rank_of(tokens_[at_].text);
        if (is("<=>")) refuse("the operator <=>");
        if (rank < lowest || rank == 0) break;
        auto lead = gap();
        const auto op = c_operator(take());
        const auto blank = gap();
        auto right = typed_binary(rank + 1);
        left = typed_operation(op, std::move(left), std::move(right), lead, blank, where);
    }
    return left;
}

rewriter::value rewriter::typed_operation(std::string_view op, value left, value right, const std::string& lead,
                                          const std::string& blank, std::size_t where)
{
    const auto kind_is = [&](type_kind kind) { return left.of.kind == kind || right.of.kind == kind; };
    const bool plain = left.depth == 0 && right.depth == 0;
    const auto call = [&](const std::string& function) {
        return function + "(" + left.text + "," + lead + blank + right.text + ")";
    };
    if (plain && kind_is(type_kind::complex)) {
        left = as_number(std::move(left));
        right = as_number(std::move(right));
        if (op == "==") return {call("skelrt_equal"), {"bool"}};
        if (op == "!=") return {"!" + call("skelrt_equal"), {"bool"}};
        if (!any_of(op, {"+", "-", "*", "/"})) refuse_at(where, "the operator " + std::string(op) + " on std::complex");
        return {call(function_of(op)), left.of.kind == type_kind::complex ? left.of : right.of};
    }
    if (plain && kind_is(type_kind::array)) {
        if (op == "==") return {call("skelrt_equal"), {"bool"}};
        if (op == "!=") return {"!" + call("skelrt_equal"), {"bool"}};
        if (op == ">" || op == "<=") std::swap(left, right);
        if (op == "<" || op == ">") return {call("skelrt_less"), {"bool"}};
        if (op == "<=" || op == ">=") return {"!" + call("skelrt_less"), {"bool"}};
        refuse_at(where, "the operator " + std::string(op) + " on std::array");
    }
    for (const auto* side : {&left, &right})
        if (side->of.kind == type_kind::structure && side->depth == 0)
            refuse_at(where, "the operator " + std::string(op) + " on the struct " + written_name(side->of));
    left = as_number(std::move(left));
    right = as_number(std::move(right));
    const bool comparison = any_of(op, {"==", "!=", "<", ">", "<=", ">=", "&&", "||"});
    value result{left.text + lead + std::string(op) + blank + right.text, common_type(op, left.of, right.of)};
    if (comparison || plain) return result;
    const auto& pointer = left.depth > 0 ? left : right;
    if (left.depth > 0 && right.depth > 0) return result.of = {"long"}, result;
    return result.of = pointer.of, result.depth = pointer.depth, result;
}

rewriter::value rewriter::typed_conditional(value condition)
{
    const auto where = at_;
    auto text = as_number(std::move(condition)).text + gap() + "?";
    ++at_;
    text += gap();
    auto yes = typed_value();
    const auto lead = gap();
    expect(":");
    const auto blank = gap();
    auto no = typed_value();
    if (yes.depth == 0 && no.depth == 0 && yes.of.is_standard() != no.of.is_standard()) {
        const auto to = yes.of.is_standard() ? yes.of : no.of; // of a short number and another: C++ takes the number
        if (to.kind == type_kind::short_number) yes = as_number(std::move(yes)), no = as_number(std::move(no));
        else yes = {converted(yes, to, where), to}, no = {converted(no, to, where), to};
    }
    const auto of = yes.of.is_standard() || yes.of.kind == type_kind::structure || yes.depth > 0
                        ? yes.of
                        : common_type("+", yes.of, no.of);
    return {text + yes.text + lead + ":" + blank + no.text, of, yes.depth};
}

rewriter::value rewriter::typed_assignment(value left)
{
    const auto where = at_;
    const auto lead = gap();
    const std::string op(take());
    const auto blank = gap();
    const bool standard = left.depth == 0 && left.of.is_standard();
    if (op == "=" && is("{")) {
        const auto list = typed_braces(left.of);
        return {left.text + lead + "=" + blank + literal_of(left.of, list), left.of, 0, true};
    }
    auto right = typed_value();
    if (op == "=" || !standard) {
        right.text = op == "=" && left.depth == 0 ? converted(right, left.of, where) : as_number(right).text;
        if (left.depth == 0 && op != "=" &&
            (left.of.kind == type_kind::structure || right.of.kind == type_kind::complex))
            refuse_at(where, "the operator " + op + " on the struct " + written_name(left.of));
        left.text += lead + op + blank + right.text;
        return left;
    }
    // The left side stands twice.
    if (left.text.find("++") != std::string::npos || left.text.find("--") != std::string::npos)
        refuse_at(where, "the operator " + op + " on something that changes as it is named");
    const auto old = left;
    if (right.of.kind == type_kind::complex && left.of.kind == type_kind::complex)
        right = {converted(right, left.of, where), left.of};
    const auto result = typed_operation(std::string_view(op).substr(0, op.size() - 1), left,
                                        {"(" + right.text + ")", right.of, right.depth}, "", "", where);
    left.text += lead + "=" + blank + converted(result, old.of, where);
    return left;
}

// --- operands -------------------------------------------------------------------------------------------------------

rewriter::value rewriter::typed_unary()
{
    if (at_end()) refuse("an unfinished text");
    const auto op = c_operator(tokens_[at_].text);
    if (any_of(op, {"+", "-", "!", "~", "++", "--", "*", "&"})) return typed_prefix(op);
    if (is("sizeof")) {
        ++at_;
        return {"(ulong)sizeof" + gap() + (is("(") ? parenthesis() : typed_unary().text), {"ulong"}};
    }
    if (is("(")) return typed_parenthesis();
    return typed_postfix(typed_primary());
}

rewriter::value rewriter::typed_prefix(std::string_view op)
{
    const auto where = at_++;
    if (op == "&" && is_identifier())
        if (const auto* b = find(tokens_[at_].text); b != nullptr && b->of.is_view() && !is(".", 1))
            refuse_at(where, "the address of an element of a container");
    auto v = typed_unary();
    if (op == "&") return {"&" + v.text, v.of, v.depth + 1};
    if (op == "*") {
        if (v.depth == 0) refuse_at(where, "the operator * on something that is no pointer");
        return {"*" + v.text, v.of, v.depth - 1, true};
    }
    if (v.depth == 0 && v.of.kind == type_kind::complex) {
        if (op == "-") return {"skelrt_negate(" + v.text + ")", v.of};
        if (op == "+") return v;
    }
    if (v.depth == 0 && (v.of.kind == type_kind::structure || v.of.kind == type_kind::complex ||
                         v.of.kind == type_kind::array || (v.of.kind == type_kind::short_number && op.size() == 2)))
        refuse_at(where, "the operator " + std::string(op) + " on the struct " + written_name(v.of));
    v = as_number(std::move(v));
    v.text = std::string(op) + (v.text.starts_with(op.front()) ? " " : "") + v.text;
    if (op == "!") v.of = {"bool"}, v.depth = 0;
    else if (op.size() == 1 && v.depth == 0) v.of = common_type("+", v.of, {"int"});
    v.lvalue = op.size() == 2;
    return v;
}

/// A C cast, or just a parenthesis.
rewriter::value rewriter::typed_parenthesis()
{
    const auto where = at_++;
    const auto begin = at_;
    const bool variable = is_identifier() && !is("::", 1) && find(tokens_[at_].text) != nullptr;
    if (const auto cast = variable ? std::nullopt : parse_type()) {
        std::string stars;
        int depth = 0;
        while (is("*") || is("const")) depth += is("*") ? 1 : 0, stars += is("*") ? "*" : " const", ++at_;
        if (is("&")) refuse("a cast to a reference");
        if (accept(")")) {
            auto v = typed_unary();
            if (depth == 0) return typed_cast(*cast, std::move(v), where);
            return {"(" + cast->text + stars + ")" + v.text, *cast, depth};
        }
        at_ = begin;
    }
    auto text = "(" + typed_expression(")", {}) + ")";
    auto v = last_;
    v.text = std::move(text);
    expect(")");
    return typed_postfix(std::move(v));
}

rewriter::value rewriter::typed_postfix(value v)
{
    while (!at_end()) {
        if (is("[")) {
            const auto where = at_++;
            const auto index = typed_expression("]", {});
            expect("]");
            if (v.depth > 0) v = {v.text + "[" + index + "]", v.of, v.depth - 1, true};
            else if (v.of.kind == type_kind::array) v = {v.text + ".v[" + index + "]", element_of(v.of), 0, v.lvalue};
            else refuse_at(where, "[] on something that is neither an array nor a container");
        } else if (is(".") || is("->")) {
            v = typed_member(std::move(v));
        } else if (is("++") || is("--")) {
            if (v.depth == 0 && v.of.is_standard()) refuse("the operator " + std::string(take()) + " on " + v.of.text);
            v.text += take();
            v.lvalue = false;
        } else {
            break;
        }
    }
    return v;
}

rewriter::value rewriter::typed_member(value v)
{
    const std::string dot(take());
    const auto where = at_;
    if (!is_identifier()) refuse("a member access without a name");
    if (v.of.is_standard() && v.depth == (dot == "." ? 0 : 1)) {
        if (dot != ".") v = {"(*" + v.text + ")", v.of, 0, true};
        return standard_member(std::move(v));
    }
    if (is("(", 1)) refuse("the member function " + std::string(tokens_[at_].text));
    const auto name = safe_name(take());
    value result{v.text + dot + name, {""}, 0, v.lvalue || dot != "."};
    if (v.of.kind == type_kind::index) result.of = {"ulong"};
    const auto known = unit_.members.find(v.of.text);
    if (known == unit_.members.end()) return result;
    const auto member = std::ranges::find(known->second, name, &member_type::name);
    if (member == known->second.end()) refuse_at(where, "the member " + name + " of " + written_name(v.of));
    result.of = member->of;
    result.depth = static_cast<int>(std::ranges::count(member->extents, '['));
    return result;
}

/// z.real(), a.size() and the like.
rewriter::value rewriter::standard_member(value v)
{
    const auto where = at_;
    const auto name = take();
    const auto unknown = [&] {
        refuse_at(where, "the member " + std::string(name) + " of " +
                             (v.of.kind == type_kind::complex ? "std::complex"
                              : v.of.kind == type_kind::array ? "std::array"
                                                              : "a short number"));
    };
    if (!is("(")) unknown();
    const auto list = typed_arguments();
    if (v.of.kind == type_kind::complex && (name == "real" || name == "imag")) {
        const auto member = v.text + (name == "real" ? ".re" : ".im");
        if (list.empty()) return {member, part_of(v.of)};
        return {"(" + member + " = " + as_number(list[0]).text + ")", {"", type_kind::nothing}};
    }
    if (v.of.kind == type_kind::short_number && name == "bits") return {v.text + ".bits", {"ushort"}};
    if (v.of.kind != type_kind::array) unknown();
    const auto& array = unit_.array_types.find(v.of.text)->second;
    const auto size = std::to_string(array.size);
    if (name == "size" || name == "max_size") return {"((ulong)" + size + ")", {"ulong"}};
    if (name == "empty") return {"((bool)0)", {"bool"}};
    if (name == "front") return {v.text + ".v[0]", array.element, 0, v.lvalue};
    if (name == "back") return {v.text + ".v[" + std::to_string(array.size - 1) + "]", array.element, 0, v.lvalue};
    if (!v.lvalue) refuse_at(where, "the member " + std::string(name) + " of an std::array that is no variable");
    if (name == "data" || name == "begin" || name == "cbegin") return {"(&" + v.text + ".v[0])", array.element, 1};
    if (name == "end" || name == "cend") return {"(&" + v.text + ".v[0] + " + size + ")", array.element, 1};
    if (name == "fill" && list.size() == 1) {
        const auto i = "skelrt_i" + std::to_string(ranges_++);
        return {"for (int " + i + " = 0; " + i + " < " + size + "; ++" + i + ") " + v.text + ".v[" + i +
                    "] = " + converted(list[0], array.element, where),
                {"", type_kind::nothing}};
    }
    if (name == "at") refuse_at(where, "at(), which throws");
    unknown();
    return v;
}

rewriter::value rewriter::typed_primary()
{
    const auto& t = tokens_[at_];
    if (t.kind == token_kind::number) {
        auto text = number();
        const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
        const bool real =
            text.find('.') != std::string::npos || text.find_first_of(hexadecimal ? "pP" : "eE") != std::string::npos;
        if (real) return {text, {text.back() == 'f' || text.back() == 'F' ? "float" : "double"}};
        const bool is_unsigned = text.find_first_of("uU") != std::string::npos;
        const bool is_long = text.find_first_of("lL") != std::string::npos || text.size() > 10;
        return {text, {is_long ? (is_unsigned ? "ulong" : "long") : is_unsigned ? "uint" : "int"}};
    }
    if (t.kind == token_kind::character) return {primary(), {"char"}};
    if (t.kind == token_kind::identifier || is("::")) return typed_identifier();
    if (is("[")) refuse("a lambda");
    if (any_of(t.text, {")", "]", "}", ";"})) refuse("'" + std::string(t.text) + "' in an expression");
    return {primary(), {""}};
}

// --- conversions ----------------------------------------------------------------------------------------------------

/// What arithmetic sees of a short number.
rewriter::value rewriter::as_number(value v)
{
    if (v.depth > 0 || v.of.kind != type_kind::short_number) return v;
    return {"skelrt_float_of(" + v.text + ")", {"float"}};
}

std::string rewriter::converted(const value& v, const type& to, std::size_t where)
{
    const bool number =
        to.kind == type_kind::arithmetic || to.kind == type_kind::short_number || to.kind == type_kind::enumeration;
    if (number && v.depth == 0 && (v.of.kind == type_kind::complex || v.of.kind == type_kind::array))
        refuse_at(where, "a conversion of " + written_name(v.of) + " to " + written_name(to));
    if (v.depth > 0) return v.text;
    return unit_.converted(v.text, v.of, to);
}

type rewriter::part_of(const type& complex) const
{
    constexpr std::string_view prefix = "skelrt_complex_";
    return {complex.text.empty() ? "" : complex.text.substr(prefix.size())};
}

type rewriter::element_of(const type& array) const { return unit_.array_types.find(array.text)->second.element; }

} // namespace skelrt::detail::opencl
