// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/opencl/rewriter.hpp"

#include <algorithm>

/// Initialisers, constants, results and range-based loops where std::complex, std::array or sk::half are near.
namespace skelrt::detail::opencl
{

/// An initialiser as an expression.
std::string rewriter::literal_of(const type& of, const std::string& initialiser)
{
    return initialiser.starts_with('{') ? "((" + of.text + ")" + initialiser + ")" : initialiser;
}

std::string rewriter::zero_of(const type& of) const
{
    return of.kind == type_kind::arithmetic || of.kind == type_kind::enumeration ? "0" : "{0}";
}

/// A braced list for an `of`, as an initialiser: with braces, or an expression.
std::string rewriter::typed_braces(const type& of)
{
    if (of.kind == type_kind::structure && unit_.members.contains(of.text)) return struct_braces(of);
    if (of.kind == type_kind::array) return array_braces(element_of(of));
    if (of.kind == type_kind::structure || of.kind == type_kind::index || of.kind == type_kind::automatic)
        return braced_list();
    const auto where = at_;
    expect("{");
    std::vector<value> list;
    while (!is("}")) {
        const auto blank = gap();
        list.push_back(is("{") ? value{typed_braces(of), of} : typed_value());
        list.back().text = blank + list.back().text;
        if (!is("}")) expect(",");
    }
    expect("}");
    if (list.empty()) return zero_of(of);
    if (list.size() == 1) return converted(list[0], of, where);
    if (of.kind != type_kind::complex || list.size() > 2)
        refuse_at(where, "a list of so many values for " + written_name(of));
    return "{" + as_number(list[0]).text + ", " + as_number(list[1]).text + "}";
}

/// An element or a member: an initialiser for it.
std::string rewriter::typed_item(const type& of, std::string_view extents)
{
    const auto where = at_;
    const auto blank = gap();
    if (is("{") && !extents.empty()) return blank + elements_braces(of, extents.substr(extents.find(']') + 1));
    if (is("{")) return blank + typed_braces(of);
    return blank + converted(typed_value(), of, where);
}

std::string rewriter::elements_braces(const type& of, std::string_view extents)
{
    expect("{");
    if (accept("}")) return "{0}";
    std::string out = "{";
    while (!is("}")) {
        out += typed_item(of, extents);
        if (is(",")) out += take();
    }
    expect("}");
    return out + "}";
}

/// {1, 2, 3} and {{1, 2, 3}}: the array in the array may have braces of its own.
std::string rewriter::array_braces(const type& element)
{
    if (is("{", 1) && is("{")) {
        expect("{");
        auto out = "{" + gap() + elements_braces(element, {}) + "}";
        accept(",");
        expect("}");
        return out;
    }
    const bool empty = is("}", 1);
    const auto elements = elements_braces(element, {});
    return empty ? elements : "{" + elements + "}";
}

std::string rewriter::struct_braces(const type& of)
{
    const auto where = at_;
    const auto members = unit_.members[of.text];
    expect("{");
    if (accept("}")) return "{0}";
    std::string out = "{";
    for (std::size_t i = 0; !is("}"); ++i) {
        if (is(".") && is_identifier(1)) { // designated
            out += gap();
            ++at_;
            const auto name = safe_name(take());
            i = static_cast<std::size_t>(std::ranges::find(members, name, &member_type::name) - members.begin());
            out += "." + name + " = ";
            accept("=");
        }
        if (i >= members.size()) refuse_at(where, "a list of more values than " + written_name(of) + " has members");
        const bool copy = i == 0 && members[0].of.text != of.text && !is("{");
        const auto blank = gap();
        if (!copy) {
            out += typed_item(members[i].of, members[i].extents);
        } else {
            const auto first = typed_value();
            if (first.of.text == of.text && first.depth == 0 && accept("}")) return first.text; // point{p}
            out += blank + converted(first, members[0].of, where);
        }
        if (is(",")) out += take();
    }
    expect("}");
    return out + "}";
}

/// Whether C++ would make zeros of an object that nobody gives a value.
bool rewriter::starts_as_zero(const type& of) const
{
    if (of.kind == type_kind::complex) return true;
    if (of.kind == type_kind::array) return starts_as_zero(element_of(of));
    const auto members = unit_.members.find(of.text);
    return of.kind == type_kind::structure && members != unit_.members.end() &&
           std::ranges::any_of(members->second, [&](const member_type& m) { return starts_as_zero(m.of); });
}

/// What follows the name of a variable. last_ is the type of `auto`.
std::string rewriter::typed_initialiser(const type& of, const declarator& d)
{
    const bool array = !d.extents.empty();
    const auto where = at_;
    const auto remember = [&](const value& v) { last_ = v; };
    if (is("=") && is("{", 1)) ++at_;
    if (is("{")) {
        if (array) return " = " + elements_braces(of, std::string_view(d.extents).substr(d.extents.find(']') + 1));
        if (of.kind != type_kind::automatic) return " = " + typed_braces(of);
        expect("{");
        const auto v = typed_value();
        expect("}");
        remember(v);
        return " = " + v.text;
    }
    if (is("(")) {
        if (of.kind == type_kind::automatic) {
            const auto list = typed_arguments();
            if (list.size() != 1) refuse_at(where, "auto with so many values");
            remember(list[0]);
            return " = " + list[0].text;
        }
        if (d.stars.empty()) return " = " + typed_construct(of).text;
    }
    if (!accept("=")) return starts_as_zero(of) ? " = {0}" : "";
    const auto blank = gap();
    const auto v = typed_value();
    remember(v);
    const bool value_of = d.stars.empty();
    return " =" + (blank.empty() ? " " : blank) + (value_of ? converted(v, of, where) : v.text);
}

std::string rewriter::typed_return()
{
    const auto where = at_;
    if (is("{"))
        return "return " + (result_.is_standard() || result_.kind == type_kind::structure
                                ? literal_of(result_, typed_braces(result_))
                                : typed_braces(result_));
    const auto blank = gap();
    const auto v = typed_value();
    return "return" + (blank.empty() ? " " : blank) + converted(v, result_, where);
}

/// The value of a constant, ready to stand anywhere. last_ is its type.
std::string rewriter::typed_constant(const specifiers& what)
{
    const auto where = at_;
    if (is("=") && is("{", 1)) ++at_;
    value v;
    if (what.of.kind != type_kind::automatic && (is("{") || is("("))) {
        v = typed_construct(what.of);
    } else {
        const bool brace = is("{"), round = is("(");
        if (!brace && !round && !is("=")) {
            if (!starts_as_zero(what.of)) refuse_at(where, "a constant without a value");
            v = {literal_of(what.of, "{0}"), what.of};
        } else {
            ++at_;
            v = typed_value();
            if (brace || round) expect(brace ? "}" : ")");
            if (what.of.kind == type_kind::automatic) v.text = "(" + v.text + ")";
            else v = typed_cast(what.of, v, where);
        }
    }
    last_ = v;
    std::ranges::replace(v.text, '\n', ' ');
    return v.text;
}

/// for (const auto& x : a), where a is an std::array or an array of C. A name for an element stands for the element
/// itself.
std::string rewriter::typed_range_for()
{
    expect("(");
    scopes_.emplace_back();
    specifiers what;
    if (!parse_type(&what)) refuse("a range-based for whose variable has no plain type");
    const auto d = parse_declarator();
    expect(":");
    const auto where = at_;
    const auto range = typed_value();
    expect(")");
    const bool standard = range.of.kind == type_kind::array && range.depth == 0;
    if (!standard && (range.depth != 1 || !range.lvalue))
        refuse_at(where, "a range-based for over something else than an array");
    const auto number = std::to_string(ranges_++);
    const auto i = "skelrt_i" + number;
    const bool copied = standard && !range.lvalue;
    const auto name = copied ? "skelrt_range" + number : range.text;
    const auto elements = standard ? name + ".v" : name;
    const auto of = standard ? element_of(range.of) : range.of;
    const auto size = standard ? std::to_string(unit_.array_types.find(range.of.text)->second.size)
                               : "(int)(sizeof(" + name + ") / sizeof(" + name + "[0]))";
    auto out = "for (int " + i + " = 0; " + i + " < " + size + "; ++" + i + ") {";
    const value element{elements + "[" + i + "]", of, 0, true};
    if (d.is_reference) {
        bind(d.name, {element.text, of});
    } else {
        const auto own = what.of.kind == type_kind::automatic ? of : what.of;
        bind(d.name, {safe_name(d.name), own});
        out += " " + own.text + " " + safe_name(d.name) + " = " + converted(element, own, where) + ";";
    }
    out += gap();
    out += statement() + "}";
    scopes_.pop_back();
    if (copied) out = "{ " + range.of.text + " " + name + " = " + range.text + "; " + out + " }";
    return out;
}

} // namespace skelrt::detail::opencl
