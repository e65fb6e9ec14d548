// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/opencl/rewriter.hpp"

#include <algorithm>

namespace skelrt::detail::opencl
{

void rewriter::declare(const declaration& what)
{
    if (what.kind == declaration_kind::assertion) return;
    declaring_ = what.source;
    from_ = what.source->seen;
    scope_ = what.scope;
    if (what.kind == declaration_kind::template_) refuse("a template");
    if (what.kind == declaration_kind::operator_) refuse("an overloaded operator");
    if (scopes_.empty()) scopes_.emplace_back();
    skip_attributes();
    switch (what.kind) {
    case declaration_kind::using_namespace:
        expect("using");
        using_declaration();
        break;
    case declaration_kind::structure:
        structure(what.names.empty() ? std::string_view{} : what.names.front());
        break;
    case declaration_kind::enumeration:
        enumeration(what.names.empty() ? std::string_view{} : what.names.front());
        break;
    case declaration_kind::alias:
        alias();
        break;
    case declaration_kind::function:
        function(what.names.front());
        break;
    default:
        constants();
        break;
    }
}

void rewriter::structure(std::string_view name)
{
    const auto begin = at_;
    if (is("union")) refuse("a union");
    ++at_;
    if (is("alignas")) refuse("alignas");
    skip_attributes();
    if (name.empty() || !accept(name)) refuse("a struct without a name");
    accept("final");
    if (is(":")) refuse("inheritance");
    if (is(";")) refuse("a struct that is only declared");
    const auto own = flat_name(joined(scope_, name));
    expect("{");
    unit_.members[own].clear();
    const auto body = members(name);
    expect("}");
    if (!is(";")) refuse("a variable defined together with its struct");
    start_line(begin);
    unit_.text += "typedef struct " + own + " " + own + "; struct " + own + " {" + body + "};\n";
    name_type(name, {own, type_kind::structure});
}

std::string rewriter::members(std::string_view struct_name)
{
    std::string out;
    while (!is("}")) {
        skip_attributes();
        if (is("public") && is(":", 1)) at_ += 2;
        out += gap();
        if (is("private") || is("protected")) refuse("private members");
        if (is("static") || is("constexpr")) refuse("a static member");
        if (is("using") || is("typedef") || is("struct") || is("union") || is("enum"))
            refuse("a type inside of a struct");
        if (is("virtual")) refuse("a virtual function");
        if (is("operator") || is("friend") || is("template") || is("explicit") || is("~")) refuse("a member function");
        if (is(struct_name) && is("(", 1)) refuse("a constructor");
        specifiers what;
        if (!parse_type(&what)) refuse("a member whose type is neither a number nor in a SKELRT_SHARED");
        if (what.of.kind == type_kind::automatic || what.of.is_view())
            refuse("a member of type " + written_name(what.of));
        if (is("(") || is("operator")) refuse("a member function");
        out += what.of.text + " ";
        for (bool first = true; first || is(","); first = false) {
            if (!first) out += take(), out += " ";
            const auto d = parse_declarator();
            if (!d.stars.empty() || d.is_reference) refuse_at(d.at, "a pointer or reference as a member");
            if (is("(")) refuse_at(d.at, "the member function " + d.name);
            if (is("=") || is("{")) refuse_at(d.at, "a default value of the member " + d.name);
            if (is(":")) refuse_at(d.at, "a bit-field");
            out += safe_name(d.name) + d.extents;
            unit_.members[flat_name(joined(scope_, struct_name))].push_back({safe_name(d.name), what.of, d.extents});
        }
        expect(";");
        out += ";";
    }
    return out;
}

/// Enumerators are constants of C; those of an enum class get the name of their type in front.
void rewriter::enumeration(std::string_view name)
{
    const auto begin = at_;
    expect("enum");
    const bool scoped = accept("class") || accept("struct");
    skip_attributes();
    if (!name.empty() && is(name)) ++at_;
    type underlying{scoped ? "int" : "uint"};
    if (accept(":")) {
        const auto given = parse_type();
        if (!given) refuse("the type of an enum");
        underlying = *given;
    }
    if (!is("{")) refuse("an enum that is only declared");
    ++at_;
    std::string list;
    const auto around = scope_;
    const auto own = joined(scope_, name);
    if (scoped) scope_ = own; // enumerators see each other
    while (!is("}")) {
        const auto item = take();
        const auto qualified = declare_name(item);
        const auto flat = flat_name(qualified);
        list += flat;
        const auto value = scoped ? "((" + underlying.text + ")" + flat + ")" : flat;
        unit_.arrays[qualified] = value;
        unit_.element_types[qualified] = underlying;
        if (!scoped && !name.empty()) {
            unit_.declared[joined(own, item)].push_back(declaring_);
            unit_.arrays[joined(own, item)] = value;
            unit_.element_types[joined(own, item)] = underlying;
        }
        if (accept("=")) list += " = " + expression(",", "}");
        if (is("}")) break;
        list += take();
        list += " ";
    }
    scope_ = around;
    start_line(begin);
    unit_.text += "enum { " + list + " };\n";
    if (!name.empty()) name_type(name, {underlying.text, type_kind::enumeration});
}

/// Aliases are resolved at once; OpenCL C never sees them.
void rewriter::alias()
{
    if (accept("using")) {
        if (!is("=", 1)) return using_declaration();
        const auto name = take();
        expect("=");
        const auto of = parse_type();
        if (!of || !is(";")) refuse("the alias " + std::string(name) + " of something that is no plain type");
        name_type(name, *of);
        ++at_;
        return;
    }
    expect("typedef");
    const auto of = parse_type();
    if (!of || !is_identifier() || !is(";", 1)) refuse("a typedef of something that is no plain type");
    name_type(take(), *of);
    expect(";");
}

void rewriter::constants()
{
    const auto begin = at_;
    specifiers what;
    if (!parse_type(&what)) refuse("a constant whose type is neither a number nor in a SKELRT_SHARED");
    if (!what.is_const && !what.is_constexpr) refuse("a variable that is not constant");
    for (bool first = true; first || is(","); first = false) {
        if (!first) ++at_;
        const auto d = parse_declarator();
        if (!d.stars.empty() || d.is_reference) refuse_at(d.at, "a constant pointer or reference");
        if (d.extents.empty()) {
            auto value = constant_text(what);
            const auto qualified = declare_name(d.name);
            unit_.constants[qualified] = std::move(value);
            unit_.element_types[qualified] = typed() ? last_.of : what.of;
            continue;
        }
        accept("=");
        const auto list = typed()
                              ? elements_braces(what.of, std::string_view(d.extents).substr(d.extents.find(']') + 1))
                              : braced_list();
        start_line(begin);
        const auto qualified = declare_name(d.name);
        const auto flat = flat_name(qualified);
        unit_.text += "__constant " + what.of.text + " " + flat + d.extents + " = " + list + ";\n";
        unit_.arrays[qualified] = flat;
        unit_.element_types[qualified] = what.of;
    }
}

rewriter::parameter rewriter::one_parameter(unsigned number)
{
    skip_attributes();
    specifiers what;
    parameter p;
    const auto known = known_parameter(number);
    if (!parse_type(&what)) {
        if (!known) refuse("a parameter whose type is neither a number nor in a SKELRT_SHARED");
        what.is_const = is("const");
        at_ = head_.parameters[number].end; // however it is spelt
        while (tokens_[at_ - 1].is("&") || tokens_[at_ - 1].is("const")) --at_;
    }
    p.of = known ? *known : what.of;
    p.deduced = p.of.kind == type_kind::automatic;
    while (is("*") || is("const") || is("&") || is("&&")) {
        if (is("&&")) refuse("an rvalue reference");
        if (is("&") && !what.is_const) refuse("a parameter that is a reference to non-const");
        if (!is("&")) p.stars += is("*") ? "*" : " const";
        ++at_;
    }
    p.indirect = !p.stars.empty();
    if (p.indirect && what.is_const) p.stars = " const" + p.stars;
    if (is("...")) refuse("a parameter pack");
    if (is("(")) refuse("a parameter that is a function or a reference to an array");
    p.name = is_identifier() ? std::string(take()) : "skelrt_unnamed" + std::to_string(number);
    while (accept("[")) {
        p.extents += "[" + (is("]") ? std::string() : expression("]")) + "]";
        expect("]");
        p.indirect = true;
    }
    if (is("=")) refuse("a default argument");
    return p;
}

std::vector<rewriter::parameter> rewriter::parameters()
{
    expect("(");
    std::vector<parameter> list;
    if (is("void") && is(")", 1)) ++at_;
    while (!is(")")) {
        list.push_back(one_parameter(static_cast<unsigned>(list.size())));
        if (!is(")")) expect(",");
    }
    expect(")");
    return list;
}

std::string rewriter::parameter_list(const std::vector<parameter>& list) const
{
    std::string out;
    for (const auto& p : list)
        out += (out.empty() ? "" : ", ") + p.of.text + p.stars + " " +
               (p.name.starts_with("skelrt_unnamed") ? p.name : safe_name(p.name)) + p.extents;
    return out.empty() ? "void" : out;
}

/// const, noexcept, constexpr and a trailing result type.
void rewriter::skip_function_suffix(std::optional<type>* trailing)
{
    while (!is("{")) {
        skip_attributes();
        if (accept("noexcept")) {
            if (is("(")) at_ = after_group(at_);
        } else if (accept("->")) {
            const bool known = declaring_ == nullptr && source_.facts && source_.facts->signature.parameters;
            if (known) *trailing = type_called(named_type(source_.facts->signature.result));
            if (*trailing) {
                at_ = head_.body;
                continue;
            }
            *trailing = parse_type();
            if (!*trailing || is("&") || is("*")) refuse("a result that is no value");
        } else if (is("mutable")) {
            refuse("a mutable lambda");
        } else if (is("requires")) {
            refuse("requires");
        } else if (is(";")) {
            refuse("a function without a body");
        } else if (!is("{") && !accept("constexpr") && !accept("static")) {
            refuse(at_end() ? std::string("an unfinished text")
                            : "'" + std::string(tokens_[at_].text) + "' after the parameters");
        }
    }
}

void rewriter::function(std::string_view name)
{
    const auto begin = at_;
    specifiers what;
    if (!parse_type(&what)) refuse("a function whose result is neither a number nor in a SKELRT_SHARED");
    if (is("*") || is("&")) refuse("a result that is no value");
    if (!accept(name)) refuse("'" + std::string(tokens_[at_].text) + "' in front of the function " + std::string(name));
    const auto list = parameters();
    for (const auto& p : list)
        if (p.deduced) refuse("a template (a parameter of type auto)");
    std::optional<type> trailing;
    skip_function_suffix(&trailing);
    result_ = trailing ? *trailing : what.of;
    if (result_.kind == type_kind::automatic) refuse_at(begin, "a helper function whose result type is auto");

    scopes_.emplace_back();
    for (const auto& p : list) bind(p.name, {safe_name(p.name), p.of, p.indirect});
    for (auto i = at_; i < tokens_.size(); ++i)
        if (tokens_[i].is(name) && i + 1 < tokens_.size() && tokens_[i + 1].is("(")) refuse_at(i, "recursion");
    const auto qualified = declare_name(name);
    unit_.functions[qualified] = result_;
    std::vector<type> taken;
    for (const auto& p : list) taken.push_back(p.of);
    unit_.signatures.emplace(qualified, signature{result_, taken});
    const auto head = "static inline " + result_.text + " __attribute__((overloadable)) " + flat_name(qualified) + "(" +
                      parameter_list(list) + ")";
    const auto body_at = at_;
    const auto body = block();
    start_line(body_at);
    unit_.text += head + " " + body + "\n";
    scopes_.pop_back();
}

void rewriter::lambda(const std::string& name, const type& result, std::span<const type> arguments)
{
    scopes_.emplace_back();
    head_ = head_of({tokens_.begin(), tokens_.end()});
    bind_known_names();
    skip_attributes();
    auto list = is("(") ? parameters() : std::vector<parameter>{};
    if (list.size() != arguments.size())
        refuse_at(0,
                  std::to_string(list.size()) + " parameters for " + std::to_string(arguments.size()) + " arguments");
    std::optional<type> trailing;
    for (std::size_t i = 0; i < list.size(); ++i) {
        auto& p = list[i];
        if (p.indirect) refuse_at(0, "a pointer as a parameter");
        if (p.deduced) p.of = arguments[i];
        bind(p.name, {p.name.starts_with("skelrt_unnamed") ? p.name : safe_name(p.name), p.of});
    }
    skip_function_suffix(&trailing);
    result_ = trailing && trailing->kind != type_kind::automatic ? *trailing : result;
    std::vector<type> taken;
    for (const auto& p : list) taken.push_back(p.of);
    unit_.signatures.emplace(name, signature{result_, taken});
    const auto body_at = at_;
    const auto body = block();
    start_line(body_at);
    unit_.text += "static inline " + result_.text + " " + name + "(" + parameter_list(list) + ") " + body + "\n";
    scopes_.pop_back();
}

} // namespace skelrt::detail::opencl
