// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/opencl/rewriter.hpp"

#include <algorithm>

/// Names and calls in expressions with types.
namespace skelrt::detail::opencl
{
namespace
{

std::string comma_list(const std::vector<std::string>& list)
{
    std::string text;
    for (const auto& item : list) text += (text.empty() ? "" : ", ") + item;
    return text;
}

} // namespace

rewriter::value rewriter::typed_identifier()
{
    const auto word = tokens_[at_].text;
    if (word == "true" || word == "false") return {identifier(), {"bool"}};
    if (word == "static_cast") return typed_static_cast();
    if (const auto* local = is("::", 1) ? nullptr : find(word); local != nullptr && !local->names_type)
        return typed_binding(*local);
    const auto begin = at_;
    if (const auto of = parse_type()) {
        if (is("(") || is("{")) return typed_construct(*of);
        at_ = begin;
    }
    if (const auto call = call_ahead()) return typed_call(*call);
    const auto users = name_ahead();
    if (const auto found = unit_.element_types.find(users); found != unit_.element_types.end()) {
        auto text = identifier();
        const bool indexed = is("[") && unit_.arrays.contains(users);
        return {std::move(text), found->second, indexed ? 1 : 0, indexed};
    }
    auto text = identifier(); // a number of <numbers>, an enumerator, a macro
    const type of{text.ends_with('f') && text.find('.') != std::string::npos ? "float" : ""};
    return {std::move(text), of};
}

rewriter::value rewriter::typed_binding(const binding& b)
{
    if (!b.refusal.empty()) refuse(b.refusal);
    const auto of = b.of;
    if (of.is_view()) {
        const bool element = is("(", 1) || is("[", 1);
        const bool handed_on = !element && !is(".", 1);
        auto text = identifier();
        if (of.kind == type_kind::before && !handed_on)
            return {std::move(text), unit_.view_elements.find(of.text)->second, 0, true};
        if (handed_on) return {std::move(text), of};
        if (!element) return {std::move(text), {of.accumulates() ? "" : "ulong"}};
        return {std::move(text), unit_.view_elements.find(of.text)->second, 0, true};
    }
    if (of.kind == type_kind::random && is(".", 1)) {
        const bool bits = is("bits", 2), twice = is("uniform_double", 2);
        return {identifier(), {bits ? "uint" : twice ? "double" : "float"}};
    }
    if (is("(", 1)) refuse("the call of the object " + b.text);
    ++at_;
    return {b.text, of, b.indirect ? std::max(1, b.depth) : 0, true};
}

rewriter::value rewriter::typed_cast(const type& to, value v, std::size_t where)
{
    if (to.kind == type_kind::structure || to.kind == type_kind::array) return {v.text, to};
    if (to.is_standard()) return {converted(v, to, where), to};
    return {"((" + to.text + ")(" + converted(v, to, where) + "))", to};
}

rewriter::value rewriter::typed_static_cast()
{
    const auto where = at_++;
    expect("<");
    const auto to = parse_type();
    if (!to || is("&") || is("*")) refuse("a static_cast to something else than a value");
    close_template();
    auto list = typed_arguments();
    if (list.size() != 1) refuse_at(where, "a static_cast of more than one value");
    return typed_cast(*to, std::move(list[0]), where);
}

/// std::complex<float>(a, b), std::array<int, 2>{a, b}, sk::half(x), point{a, b}, float(x).
rewriter::value rewriter::typed_construct(const type& of)
{
    const auto where = at_ - 1;
    if (of.is_view() || of.kind == type_kind::automatic) refuse_at(where, "the construction of " + written_name(of));
    if (of.kind == type_kind::index) return {construct(of), of};
    if (is("{")) {
        const auto list = typed_braces(of);
        const bool number = !of.is_standard() && of.kind != type_kind::structure;
        return {number ? "((" + of.text + ")(" + list + "))" : literal_of(of, list), of};
    }
    const auto list = typed_arguments();
    if (list.empty())
        return {of.is_standard() || of.kind == type_kind::structure ? literal_of(of, zero_of(of))
                                                                    : "((" + of.text + ")0)",
                of};
    if (list.size() == 1 && (of.kind != type_kind::structure || list[0].of.text == of.text))
        return typed_cast(of, list[0], where);
    if (of.kind == type_kind::complex && list.size() == 2)
        return {"((" + of.text + "){" + as_number(list[0]).text + ", " + as_number(list[1]).text + "})", of};
    if (of.kind != type_kind::structure)
        refuse_at(where, "the construction of " + written_name(of) + " of so many values");
    const auto& members = unit_.members[of.text];
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < list.size(); ++i)
        texts.push_back(i < members.size() ? converted(list[i], members[i].of, where) : list[i].text);
    return {"((" + of.text + "){" + comma_list(texts) + "})", of};
}

std::vector<rewriter::value> rewriter::typed_arguments()
{
    expect("(");
    std::vector<value> list;
    while (!is(")")) {
        const auto blank = list.empty() ? std::string() : gap();
        list.push_back(typed_value());
        list.back().text = blank + list.back().text;
        if (!is(")")) expect(",");
    }
    expect(")");
    return list;
}

/// Whether a name and an argument list come next: sqrt(, std::polar(, std::polar<float>(, std::get<0>(.
std::optional<rewriter::call_name> rewriter::call_ahead()
{
    call_name call{{}, {}, at_, at_, false};
    if (is("::")) ++call.open;
    const auto token_at = [&](std::size_t ahead) { return tokens_[std::min(call.open + ahead, tokens_.size() - 1)]; };
    while (token_at(0).is_identifier() && token_at(1).is("::")) {
        call.qualifier = token_at(0).text;
        call.open += 2;
    }
    if (!token_at(0).is_identifier()) return std::nullopt;
    call.name = token_at(0).text;
    ++call.open;
    call.is_template = token_at(0).is("<");
    const bool ours = any_of(call.name, {"polar", "get", "numeric_limits"}) && call.is_template;
    if (!token_at(0).is("(") && !ours) return std::nullopt;
    return call;
}

rewriter::value rewriter::typed_call(const call_name& what)
{
    const bool standard = what.qualifier == "std" || what.qualifier.empty();
    at_ = what.begin;
    const auto users = name_ahead();
    at_ = what.open;
    if (what.name == "numeric_limits") return limits(what);
    if (what.is_template && what.name == "get") return get_call(what);
    if (what.name == "from_bits" && is_short_number_name(what.qualifier)) {
        const auto list = typed_arguments();
        const type of = unit_.short_number(what.qualifier);
        return {of.text + "_from(" + list.at(0).text + ")", of};
    }
    std::optional<type> part;
    if (what.is_template) {
        expect("<");
        part = parse_type();
        close_template();
    }
    auto list = typed_arguments();
    if (!users.empty()) return user_call(what, users, std::move(list));
    if (standard && what.name == "polar") return polar_call(what, list, part);
    if (standard && !list.empty() && list[0].depth == 0) {
        if (list[0].of.kind == type_kind::complex) return complex_call(what, list);
        if (list[0].of.kind == type_kind::array) return array_call(what, list);
    }
    return plain_call(what, std::move(list));
}

/// Through arguments(), by way of what translates calls everywhere else.
rewriter::value rewriter::ready_call(const call_name& what, const std::string& list, const type& of)
{
    ready_[what.open] = {"(" + list + ")", at_};
    at_ = what.begin;
    return {identifier(), of};
}

rewriter::value rewriter::user_call(const call_name& what, const std::string& qualified, std::vector<value> list)
{
    const auto [first, last] = unit_.signatures.equal_range(qualified);
    const signature* best = nullptr;
    int most = -1;
    for (auto s = first; s != last; ++s) {
        if (s->second.parameters.size() != list.size()) continue;
        int same = 0;
        for (std::size_t i = 0; i < list.size(); ++i)
            same += s->second.parameters[i].text == list[i].of.text   ? 2
                    : s->second.parameters[i].kind == list[i].of.kind ? 1
                                                                      : 0;
        if (same > most) most = same, best = &s->second;
    }
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < list.size(); ++i)
        texts.push_back(best != nullptr ? converted(list[i], best->parameters[i], what.begin) : list[i].text);
    return ready_call(what, comma_list(texts), best != nullptr ? best->result : type{""});
}

/// A function of <cmath>, or one that is refused.
rewriter::value rewriter::plain_call(const call_name& what, std::vector<value> list)
{
    std::vector<std::string> texts;
    bool all_float = true, known = true;
    for (auto& v : list) {
        v = as_number(std::move(v));
        if (v.depth == 0 && v.of.is_standard())
            refuse_at(what.begin, "the function " + std::string(what.name) + " of " + written_name(v.of));
        all_float = all_float && v.of.text == "float";
        known = known && !v.of.text.empty();
        texts.push_back(v.text);
    }
    const bool keeps = any_of(what.name, {"min", "max", "clamp", "abs"}) && !list.empty();
    const type of = keeps                                   ? list[0].of
                    : !known                                ? type{""}
                    : all_float || what.name.ends_with('f') ? type{"float"}
                                                            : type{"double"};
    return ready_call(what, comma_list(texts), of);
}

rewriter::value rewriter::complex_call(const call_name& what, const std::vector<value>& list)
{
    const auto& z = list[0];
    const bool number = any_of(what.name, {"real", "imag", "norm", "abs", "arg"});
    if (list.size() != 1 || (!number && !any_of(what.name, {"conj", "exp", "log", "sqrt"})))
        refuse_at(what.begin, "the function " + std::string(what.name) + " of std::complex");
    return {"skelrt_complex_" + std::string(what.name) + "(" + z.text + ")", number ? part_of(z.of) : z.of};
}

rewriter::value rewriter::array_call(const call_name& what, const std::vector<value>& list)
{
    const auto& a = list[0];
    const auto& array = unit_.array_types.find(a.of.text)->second;
    if (what.name == "size") return {"((ulong)" + std::to_string(array.size) + ")", {"ulong"}};
    if (what.name == "begin" && a.lvalue) return {"(&" + a.text + ".v[0])", array.element, 1};
    if (what.name == "end" && a.lvalue)
        return {"(&" + a.text + ".v[0] + " + std::to_string(array.size) + ")", array.element, 1};
    refuse_at(what.begin, "the function " + std::string(what.name) + " of std::array");
}

/// std::polar(r), std::polar(r, angle), std::polar<float>(r, angle).
rewriter::value rewriter::polar_call(const call_name& what, const std::vector<value>& list, std::optional<type> part)
{
    if (list.empty() || list.size() > 2) refuse_at(what.begin, "std::polar of so many values");
    type of = part ? *part : as_number(list[0]).of;
    if (!part && of.text.empty() && list.size() == 2) of = as_number(list[1]).of;
    if (of.text != "float" && of.text != "double")
        refuse_at(what.begin, "std::polar of a value whose type is not plain: std::polar<float>(r, angle) says it");
    const auto cast = [&](const value& v) { return "(" + of.text + ")(" + as_number(v).text + ")"; };
    return {"skelrt_polar(" + cast(list[0]) + ", " + (list.size() == 2 ? cast(list[1]) : "(" + of.text + ")0") + ")",
            unit_.complex_of(of)};
}

/// std::get<1>(a)
rewriter::value rewriter::get_call(const call_name& what)
{
    expect("<");
    const std::string index(take());
    expect(">");
    const auto list = typed_arguments();
    if (list.size() != 1 || list[0].of.kind != type_kind::array ||
        index.find_first_not_of("0123456789") != std::string::npos)
        refuse_at(what.begin, "std::get of something else than an std::array");
    return {list[0].text + ".v[" + index + "]", element_of(list[0].of), 0, list[0].lvalue};
}

/// std::numeric_limits<T>::max()
rewriter::value rewriter::limits(const call_name& what)
{
    expect("<");
    const auto of = parse_type();
    if (!of || of->kind != type_kind::short_number) {
        at_ = what.begin;
        auto text = identifier();
        return {std::move(text), of.value_or(type{""})};
    }
    expect(">");
    expect("::");
    const auto where = at_;
    const auto member = take();
    expect("(");
    expect(")");
    struct both {
        std::string_view half, bfloat16;
    };
    static const std::map<std::string_view, both> bits{
        {"min", {"0x0400", "0x0080"}},       {"max", {"0x7bff", "0x7f7f"}},      {"lowest", {"0xfbff", "0xff7f"}},
        {"epsilon", {"0x1400", "0x3c00"}},   {"infinity", {"0x7c00", "0x7f80"}}, {"quiet_NaN", {"0x7e00", "0x7fc0"}},
        {"denorm_min", {"0x0001", "0x0001"}}};
    const auto found = bits.find(member);
    const bool is_half = of->text == "skelrt_half";
    if (found == bits.end())
        refuse_at(where, std::string("std::numeric_limits<sk::") + (is_half ? "half" : "bfloat16") +
                             ">::" + std::string(member));
    return {of->text + "_from(" + std::string(is_half ? found->second.half : found->second.bfloat16) + ")", *of};
}

} // namespace skelrt::detail::opencl
