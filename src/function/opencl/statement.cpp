// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/opencl/rewriter.hpp"

#include <algorithm>

namespace skelrt::detail::opencl
{
std::string rewriter::block()
{
    expect("{");
    scopes_.emplace_back();
    std::string out = "{";
    while (!is("}")) {
        if (at_end()) refuse("an unfinished text");
        out += gap();
        out += statement();
    }
    out += gap();
    expect("}");
    scopes_.pop_back();
    return out + "}";
}

std::string rewriter::statement()
{
    skip_attributes();
    if (is("{")) return block();
    if (accept(";")) return ";";
    if (accept("if")) {
        accept("constexpr");
        auto out = "if " + condition() + gap();
        out += statement();
        if (!is("else")) return out;
        out += gap();
        out += take();
        out += gap();
        const bool needs_blank = out.back() == 'e';
        return out + (needs_blank ? " " : "") + statement();
    }
    if (is("for")) return for_statement();
    if (accept("while")) {
        auto out = "while " + condition() + gap();
        return out + statement();
    }
    if (accept("do")) {
        auto out = "do " + statement() + " ";
        expect("while");
        out += "while " + condition();
        expect(";");
        return out + ";";
    }
    if (accept("switch")) {
        auto out = "switch " + condition() + gap();
        return out + statement();
    }
    if (is("case") || is("default")) return switch_label();
    if (is("return")) return return_statement();
    if (is("break") || is("continue")) {
        std::string out(take());
        expect(";");
        return out + ";";
    }
    if (is("static_assert")) { // the host's compiler has checked it
        at_ = after_group(at_ + 1);
        expect(";");
        return ";";
    }
    if (is("using") || is("typedef")) {
        alias();
        return ";";
    }
    if ((is("struct") || is("class") || is("union") || is("enum")) && (is("{", 1) || is("{", 2) || is(":", 2)))
        refuse("a type defined inside of a function");
    if (is("goto") || (is_identifier() && is(":", 1))) refuse("goto and labels");
    if (declaration_ahead()) return declaration_statement();
    return assignment_or_expression();
}

/// The parenthesis after if, while and switch.
std::string rewriter::condition()
{
    const auto end = after_group(at_);
    for (auto i = at_; i < end; ++i)
        if (tokens_[i].is(";")) refuse_at(i, "an initialiser in front of a condition");
    expect("(");
    if (declaration_ahead()) refuse("a declaration as a condition");
    auto out = "(" + expression(")");
    expect(")");
    return out + ")";
}

std::string rewriter::for_statement()
{
    expect("for");
    const auto end = after_group(at_);
    const auto has_semicolon =
        std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(at_),
                    tokens_.begin() + static_cast<std::ptrdiff_t>(end), [](const token& t) { return t.is(";"); });
    if (!has_semicolon && typed()) return typed_range_for();
    if (!has_semicolon) refuse("a range-based for");
    expect("(");
    scopes_.emplace_back();
    std::string out = "for (";
    if (accept(";")) out += ";";
    else out += declaration_ahead() ? declaration_statement() : assignment_or_expression();
    out += expression(";") + ";";
    expect(";");
    out += expression(")") + ")";
    expect(")");
    out += gap();
    out += statement();
    scopes_.pop_back();
    return out;
}

std::string rewriter::switch_label()
{
    std::string out(take());
    if (out == "case") out += expression(":");
    expect(":");
    return out + ":";
}

std::string rewriter::return_statement()
{
    expect("return");
    if (accept(";")) return "return;";
    if (typed()) {
        auto text = typed_return();
        expect(";");
        return text + ";";
    }
    std::string out = is("{") ? "return " + construct(result_) : "return" + expression(";");
    expect(";");
    return out + ";";
}

/// A type followed by something that can only be a name.
bool rewriter::declaration_ahead()
{
    if (is("constexpr") || is("const") || is("static") || is("volatile")) return true;
    if (is("thread_local") || is("extern") || is("register")) refuse(std::string(tokens_[at_].text));
    const auto begin = at_;
    const auto* local = is_identifier() && !is("::", 1) ? find(tokens_[at_].text) : nullptr;
    const bool shadowed = local != nullptr && !local->names_type;
    const auto of = shadowed ? std::nullopt : parse_type();
    bool result = false;
    if (of) {
        while (is("*") || is("&") || is("&&") || is("const")) ++at_;
        if (is("[") && of->kind == type_kind::automatic) refuse("a structured binding");
        result = is_identifier();
    }
    at_ = begin;
    return result;
}

std::string rewriter::declaration_statement()
{
    specifiers what;
    if (!parse_type(&what)) {
        const auto name = is_identifier() ? std::string(tokens_[at_].text) : std::string("this type");
        refuse("the type " + name + ", which is neither a number nor in a SKELRT_SHARED");
    }
    if (what.is_static && !what.is_constexpr && !what.is_const) refuse("a static variable");
    std::string out;
    for (bool first = true; first || is(","); first = false) {
        if (!first) ++at_;
        const auto d = parse_declarator();
        out += declarator_text(what, d, out.empty());
    }
    expect(";");
    return out + ";";
}

rewriter::declarator rewriter::parse_declarator()
{
    declarator d;
    while (is("*") || is("const") || is("&") || is("&&")) {
        if (is("&&")) refuse("an rvalue reference");
        d.is_reference = d.is_reference || is("&");
        if (!is("&")) d.stars += is("*") ? "*" : " const";
        ++at_;
    }
    if (is("[")) refuse("a structured binding");
    if (!is_identifier()) refuse("a declaration without a name");
    d.at = at_;
    d.name = take();
    while (accept("[")) {
        d.extents += "[" + (is("]") ? std::string() : expression("]")) + "]";
        expect("]");
    }
    return d;
}

/// One declarator with its initialiser. Constants are put where they are used: C has no constexpr, and no array of a
/// size that is only const.
std::string rewriter::declarator_text(specifiers& what, const declarator& d, bool first)
{
    const bool substituted = what.is_constexpr && d.extents.empty() && d.stars.empty() && !d.is_reference;
    if (substituted) {
        auto text = constant_text(what);
        bind(d.name, {std::move(text), typed() ? last_.of : what.of});
        return "";
    }
    auto init = d.is_reference ? reference_initialiser(d) : initialiser(what, d);
    auto of = what.of;
    int depth = static_cast<int>(std::ranges::count(d.extents, '[') + std::ranges::count(d.stars, '*'));
    if (typed() && of.kind == type_kind::automatic) of = last_.of, depth += last_.depth;
    if (of.kind == type_kind::automatic) { // auto w2 = w: still a container
        const auto* source = find(std::string_view(init).substr(std::min<std::size_t>(3, init.size())));
        if (source != nullptr && source->of.is_view()) of = source->of;
    }
    const auto name = safe_name(d.name);
    bind(d.name, {name, of, depth > 0, depth});
    const bool is_const = what.is_const || what.is_constexpr;
    const bool repeat_type = first || what.of.kind == type_kind::automatic;
    const std::string lead = first ? "" : repeat_type ? "; " : ", ";
    const std::string head = repeat_type ? (is_const ? "const " : "") + what.of.text + " " : "";
    // the name is in scope of its own initialiser in both languages
    return lead + head + d.stars + name + d.extents + init;
}

/// const auto& p = w[i]: a copy is the same as long as nobody can change the original meanwhile.
std::string rewriter::reference_initialiser(const declarator& d)
{
    if (!is("=") && !is("{") && !is("(")) refuse_at(d.at, "a reference without an initialiser");
    const bool brace = is("{"), round = is("(");
    ++at_;
    const auto* from = is_identifier() ? find(tokens_[at_].text) : nullptr;
    if (from != nullptr && !from->of.is_view()) refuse_at(d.at, "a reference to a local variable");
    auto out = " = " + expression(brace ? "}" : round ? ")" : ";", ",");
    if (brace || round) ++at_;
    return out;
}

std::string rewriter::initialiser(const specifiers& what, const declarator& d)
{
    if (typed()) return typed_initialiser(what.of, d);
    const bool aggregate =
        what.of.kind == type_kind::structure || what.of.kind == type_kind::index || !d.extents.empty();
    if (is("=") && is("{", 1)) ++at_;
    if (is("{")) {
        if (aggregate) return " = " + braced_list();
        if (accept("{")) {
            if (accept("}")) return " = 0";
            auto out = " = " + expression("}");
            expect("}");
            return out;
        }
    }
    if (accept("(")) { // T x(value)
        const auto inner = expression(")");
        expect(")");
        const bool list = aggregate && inner.find(',') != std::string::npos && inner.front() != '(';
        return list ? " = {" + inner + "}" : " = " + inner;
    }
    if (!accept("=")) return "";
    return " = " + [&] {
        // the comma of the next declarator ends it; commas of calls are inside of parentheses
        auto text = expression(";", ",");
        const auto begin = text.find_first_not_of(' ');
        return begin == std::string::npos ? text : text.substr(begin);
    }();
}

/// The value of a constexpr variable, ready to stand anywhere.
std::string rewriter::constant_text(const specifiers& what)
{
    if (typed()) return typed_constant(what);
    const auto where = at_;
    std::string text;
    if (is("=") && is("{", 1)) ++at_;
    if (is("{") || is("(")) {
        text = what.of.kind == type_kind::automatic ? "(" +
                                                          [&] {
                                                              const bool brace = take() == "{";
                                                              auto inner = expression(brace ? "}" : ")");
                                                              ++at_;
                                                              return inner;
                                                          }() +
                                                          ")"
                                                    : construct(what.of);
    } else if (accept("=")) {
        const auto inner = expression(";", ",");
        const bool plain = what.of.kind == type_kind::automatic || what.of.kind == type_kind::structure;
        text = plain ? "(" + inner + ")" : "((" + what.of.text + ")(" + inner + "))";
    } else {
        refuse_at(where, "a constant without a value");
    }
    std::ranges::replace(text, '\n', ' ');
    return text;
}

/// `p = {a, b};` needs the type of p, which the compiler knows.
std::string rewriter::assignment_or_expression()
{
    if (typed()) {
        auto text = expression(";");
        expect(";");
        return text + ";";
    }
    auto i = at_;
    while (i < tokens_.size() && (tokens_[i].is_identifier() || tokens_[i].is("."))) ++i;
    const bool list = i + 1 < tokens_.size() && tokens_[i].is("=") && tokens_[i + 1].is("{");
    std::string out = list ? "" : expression(";");
    if (list) {
        const auto left = expression("=");
        expect("=");
        out = left + " = (__typeof__(" + left + "))" + braced_list();
    }
    expect(";");
    return out + ";";
}

} // namespace skelrt::detail::opencl
