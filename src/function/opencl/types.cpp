// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/opencl/checks.hpp"
#include "src/function/opencl/hoods.hpp"
#include "src/function/opencl/rewriter.hpp"

#include <skelrt/detail/index_checks.hpp>

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace skelrt::detail::opencl
{
namespace
{

/// How often each word of "unsigned long int" appears.
struct word_count {
    int is_unsigned = 0, is_signed = 0, is_long = 0, is_short = 0, is_int = 0, is_char = 0;
    std::string_view other; ///< float, double, bool, void
    bool any() const { return is_unsigned + is_signed + is_long + is_short + is_int + is_char > 0 || !other.empty(); }
};

bool count_word(word_count& words, std::string_view word)
{
    const std::map<std::string_view, int*> counters{{"unsigned", &words.is_unsigned}, {"signed", &words.is_signed},
                                                    {"long", &words.is_long},         {"short", &words.is_short},
                                                    {"int", &words.is_int},           {"char", &words.is_char}};
    if (const auto found = counters.find(word); found != counters.end()) {
        ++*found->second;
        return true;
    }
    if (word == "float" || word == "double" || word == "bool" || word == "void") {
        words.other = word;
        return true;
    }
    return false;
}

/// On the machines that we know, long has 64 bits in both languages; OpenCL C 1.2 has no long long.
std::string opencl_name(const word_count& words)
{
    if (!words.other.empty()) return std::string(words.other);
    const std::string base = words.is_char != 0    ? "char"
                             : words.is_short != 0 ? "short"
                             : words.is_long != 0  ? "long"
                                                   : "int";
    return words.is_unsigned != 0 ? "u" + base : base;
}

std::string identifier_of(std::string text)
{
    std::ranges::replace(text, ' ', '_');
    return text;
}

std::optional<type_kind> view_kind(std::string_view name)
{
    static const std::map<std::string_view, type_kind> kinds{{"vec", type_kind::vec},
                                                             {"mat", type_kind::mat},
                                                             {"accumulator", type_kind::accumulator},
                                                             {"min_accumulator", type_kind::min_accumulator},
                                                             {"max_accumulator", type_kind::max_accumulator},
                                                             {"or_accumulator", type_kind::or_accumulator},
                                                             {"and_accumulator", type_kind::and_accumulator},
                                                             {"atomic_vec", type_kind::atomic_vec},
                                                             {"out_vec", type_kind::out_vec},
                                                             {"hood1", type_kind::hood1},
                                                             {"hood2", type_kind::hood2},
                                                             {"hood3", type_kind::hood3},
                                                             {"before2", type_kind::before}};
    const auto found = kinds.find(name);
    return found == kinds.end() ? std::nullopt : std::optional(found->second);
}

} // namespace

std::string safe_name(std::string_view name) { return is_reserved(name) ? std::string(name) + "_" : std::string(name); }

std::string storage_type(const std::string& opencl_type) { return opencl_type == "bool" ? "uchar" : opencl_type; }

namespace
{

/// How an accumulator changes element x by v.
struct change {
    std::string_view method; ///< of the parameter in the user's function
    std::string_view atomic; ///< OpenCL C's own for 32-bit integers, without atomic_ in front
    std::string_view joined;
};

change change_of(type_kind kind)
{
    switch (kind) {
    case type_kind::min_accumulator:
        return {"min", "min", "v < x ? v : x"};
    case type_kind::max_accumulator:
        return {"max", "max", "x < v ? v : x"};
    case type_kind::or_accumulator:
        return {"bit_or", "or", "x | v"};
    case type_kind::and_accumulator:
        return {"bit_and", "and", "x & v"};
    default:
        return {"add", "add", "x + v"};
    }
}

bool is_integer(const std::string& of) { return of != "float" && of != "double"; }
bool is_wide(const std::string& of) { return of == "long" || of == "ulong" || of == "double"; }

/// Where elements lie: OpenCL C 1.2 has no pointers to either.
constexpr std::string_view in_global = "__global", in_local = "__local";

/// Swaps bits until nobody has been in between. What x becomes is an expression of it.
std::string swapping_text(const std::string& of, std::string_view joined, std::string_view space = in_global)
{
    const bool wide = is_wide(of);
    return fmt::format(R"CL(volatile {4} {0}* b = (volatile {4} {0}*)at;
    {0} seen = *b, old;
    do {{
        old = seen;
        const {1} x = as_{1}(old);
        const {0} next = as_{0}(({1})({2}));
        if (next == old) break;
        seen = {3}(b, old, next);
    }} while (seen != old);
)CL",
                       wide ? "ulong" : "uint", of, joined, wide ? "atom_cmpxchg" : "atomic_cmpxchg", space);
}

/// OpenCL C 1.2 changes 32-bit integers atomically, and adds to 64-bit ones with an extension.
std::string change_in(std::string_view space, const std::string& of, const change& how)
{
    if (of == "int" || of == "uint") return fmt::format("atomic_{}((volatile {} {}*)at, v);\n", how.atomic, space, of);
    if ((of == "long" || of == "ulong") && how.method == "add")
        return fmt::format("atom_add((volatile {} {}*)at, v);\n", space, of);
    return swapping_text(of, how.joined, space);
}

/// name_put(accumulator, i, v): of the group's own copy, if it has one.
std::string change_text(const std::string& name, const std::string& of, const change& how)
{
    const std::string enable = is_wide(of) ? "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n" : "";
    return enable + fmt::format(R"CL(static inline void {0}_put_global(__global {1}* at, {1} v)
{{
    {2}}}
static inline void {0}_put_local(__local {1}* at, {1} v)
{{
    {3}}}
static inline void {0}_put({0} a, ulong i, {1} v)
{{
    if (a.is_near) {0}_put_local(a.near + i, v);
    else {0}_put_global(a.p + i, v);
}}
)CL",
                                name, of, change_in(in_global, of, how), change_in(in_local, of, how));
}

/// A method of sk::atomic_vec.
struct atomic_method {
    std::string_view name, parameters, joined;
    int values;
    bool of_bits = false, of_structs = false;
};
constexpr atomic_method atomic_methods[] = {
    {"load", "", "x", 0, false, true},
    {"add", ", {0} v", "x + v", 1},
    {"min", ", {0} v", "v < x ? v : x", 1},
    {"max", ", {0} v", "x < v ? v : x", 1},
    {"bit_or", ", {0} v", "x | v", 1, true},
    {"bit_and", ", {0} v", "x & v", 1, true},
    {"exchange", ", {0} v", "v", 1, false, true},
    {"compare_exchange", ", {0} expected, {0} v", "x == expected ? v : x", 2, false, true},
};

/// name_method(elements, how many, place, ..., i, values): what element i held before.
std::string method_text(const std::string& name, const std::string& of, const atomic_method& m)
{
    const std::string outside =
        checks_bounds() ? "    if (i >= a.n) { skelrt_outside(a.at, a.slot, (long)i, 0, 0, a.n, 0); return 0; }\n" : "";
    return fmt::format("static inline {0} {1}_{2}({1} a, ulong i{3})\n{{\n{4}    __global {0}* at = a.p + i;\n    {5}"
                       "    return as_{0}(old);\n}}\n",
                       of, name, m.name, fmt::format(fmt::runtime(m.parameters), of), outside,
                       swapping_text(of, m.joined));
}

/// The same of structs of 4 or 8 bytes, whose bits are compared.
std::string struct_method_text(const std::string& name, const std::string& of, const atomic_method& m)
{
    const std::string outside =
        checks_bounds() ? fmt::format("    {0} nothing = {{0}};\n    if (i >= a.n) {{ skelrt_outside(a.at, a.slot, "
                                      "(long)i, 0, 0, a.n, 0); return nothing; }}\n",
                                      of)
                        : "";
    return fmt::format(
        "static inline {0} {1}_{2}({1} a, ulong i{3})\n{{\n{4}    {1}_bits x, wanted, before;\n    {5}\n"
        "    if (sizeof({0}) == 8) {{\n        volatile __global ulong* b = (volatile __global ulong*)(a.p + i);\n"
        "        ulong seen = *b;\n        do {{ x.w8 = seen; const bool same = {6}; const ulong next = same ? "
        "wanted.w8 : x.w8; if (next == x.w8) break; seen = atom_cmpxchg(b, x.w8, next); }} while (seen != x.w8);\n"
        "    }} else {{\n        volatile __global uint* b = (volatile __global uint*)(a.p + i);\n"
        "        uint seen = *b;\n        do {{ x.w4 = seen; const bool same = {7}; const uint next = same ? wanted.w4 "
        ": x.w4; if (next == x.w4) break; seen = atomic_cmpxchg(b, x.w4, next); }} while (seen != x.w4);\n    }}\n"
        "    return x.all;\n}}\n",
        of, name, m.name, fmt::format(fmt::runtime(m.parameters), of), outside,
        m.values == 0   ? "wanted.w8 = 0; before.w8 = 0;"
        : m.values == 1 ? "wanted.all = v; before.w8 = 0;"
                        : "wanted.all = v; before.all = expected;",
        m.values == 0   ? "false"
        : m.values == 1 ? "true"
                        : "x.w8 == before.w8",
        m.values == 0   ? "false"
        : m.values == 1 ? "true"
                        : "x.w4 == before.w4");
}

type atomic_vec_of_structs(unit& u, const std::string& name, const type& element)
{
    u.text += "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n\ntypedef struct { __global " +
              element.text + "* p; ulong n; " + checked_members() + "} " + name + ";\ntypedef union { " + element.text +
              " all; ulong w8; uint w4; } " + name + "_bits;\n";
    for (const atomic_method& m : atomic_methods)
        if (m.of_structs) u.text += struct_method_text(name, element.text, m);
    return {name, type_kind::atomic_vec};
}

type atomic_vec_of(unit& u, const type& element)
{
    const auto name = "skelrt_atomic_vec_" + identifier_of(element.text);
    if (!u.views.insert(name).second) return {name, type_kind::atomic_vec};
    if (element.kind != type_kind::arithmetic) return atomic_vec_of_structs(u, name, element);
    u.text += is_wide(element.text) ? "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n" : "";
    u.text +=
        "\ntypedef struct { __global " + element.text + "* p; ulong n; " + checked_members() + "} " + name + ";\n";
    for (const atomic_method& m : atomic_methods)
        if (!m.of_bits || is_integer(element.text)) u.text += method_text(name, element.text, m);
    return {name, type_kind::atomic_vec};
}

type out_vec_of(unit& u, const type& element)
{
    const auto name = "skelrt_out_vec_" + identifier_of(element.text);
    if (!u.views.insert(name).second) return {name, type_kind::out_vec};
    const std::string stored = storage_type(element.text);
    u.text += fmt::format("\ntypedef struct {{ __global {0}* p; ulong n; {1}}} {2};\n"
                          "static inline void {2}_put({2} a, ulong i, {3} v) {{ a.p[i] = v; }}\n",
                          stored, checked_members(), name, element.text);
    if (checks_bounds()) u.text += checked_set(name, element.text);
    return {name, type_kind::out_vec};
}

type accumulator_of(unit& u, type_kind kind, const type& element)
{
    if (kind == type_kind::atomic_vec) return atomic_vec_of(u, element);
    if (kind == type_kind::out_vec) return out_vec_of(u, element);
    const change how = change_of(kind);
    const auto name = fmt::format("skelrt_{}_accumulator_{}", how.atomic, identifier_of(element.text));
    if (!u.views.insert(name).second) return {name, kind};
    u.text += fmt::format("\ntypedef struct {{ __global {0}* p; ulong n; {1}__local {0}* near; int is_near; }} {2};\n",
                          element.text, checked_members(), name) +
              change_text(name, element.text, how) +
              fmt::format("typedef {0} {1}_value;\nstatic inline {0} {1}_joined({0} x, {0} v) {{ return {2}; }}\n",
                          element.text, name, how.joined);
    if (checks_bounds()) u.text += checked_change(name, element.text);
    return {name, kind};
}

} // namespace

std::optional<int> values_of_method(type_kind kind, std::string_view method)
{
    if (kind == type_kind::out_vec) return method == "set" ? std::optional(1) : std::nullopt;
    if (kind != type_kind::atomic_vec) return change_of(kind).method == method ? std::optional(1) : std::nullopt;
    const auto found = std::ranges::find(atomic_methods, method, &atomic_method::name);
    return found == std::end(atomic_methods) ? std::nullopt : std::optional(found->values);
}

type_kind accumulator_kind(accumulate_rule rule)
{
    return static_cast<type_kind>(static_cast<int>(type_kind::accumulator) + static_cast<int>(rule));
}

type unit::view_of(type_kind kind, const type& element)
{
    const auto known = [&](const type& view) {
        view_elements[view.text] = element;
        return view;
    };
    if (checks_bounds() && views.insert("skelrt_place").second) text += place_text();
    if (type{"", kind}.is_hood()) {
        const int rank = kind == type_kind::hood1 ? 1 : kind == type_kind::hood2 ? 2 : 3;
        const auto name = "skelrt_hood" + std::to_string(rank) + "_" + identifier_of(element.text);
        if (views.insert(name).second) text += hood_type(name, rank, element.text, storage_type(element.text));
        return known({name, kind});
    }
    if (type{"", kind}.accumulates()) return accumulator_of(*this, kind, element);
    if (kind == type_kind::before) {
        const auto name = "skelrt_before2_" + identifier_of(element.text);
        if (views.insert(name).second)
            text += "\ntypedef struct { " + element.text + " left, above, diagonal; } " + name + ";\n";
        return known({name, kind});
    }
    const bool is_vec = kind == type_kind::vec;
    const auto name = (is_vec ? "skelrt_vec_" : "skelrt_mat_") + identifier_of(element.text);
    if (views.insert(name).second) {
        const auto pointer = "typedef struct { __global const " + storage_type(element.text) + "* p; ulong ";
        text += "\n" + pointer + (is_vec ? "n; " : "rows, cols, ld; ") + checked_members() + "} " + name + ";\n";
        if (checks_bounds()) text += checked_access(name, storage_type(element.text), is_vec);
    }
    return known({name, kind});
}

type unit::own_struct(const own_type& what, const std::vector<type>& arguments)
{
    type result{"skelrt_" + std::string(what.name), type_kind::structure};
    for (const type& a : arguments) result.text += "_" + identifier_of(a.text);
    if (!views.insert(result.text).second) return result;
    std::string list;
    for (const own_member& m : what.members) {
        const type of = m.type.starts_with('T')     ? arguments.at(static_cast<std::size_t>(m.type[1] - '0'))
                        : m.type == "unsigned long" ? type{"ulong"}
                                                    : type{std::string(m.type)};
        members[result.text].push_back({safe_name(m.name), of, ""});
        list += storage_type(of.text) + " " + safe_name(m.name) + "; ";
    }
    text += "\ntypedef struct { " + list + "} " + result.text + ";\n";
    return result;
}

bool rewriter::accept_specifier(specifiers& flags)
{
    if (is("const")) flags.is_const = true;
    else if (is("constexpr")) flags.is_constexpr = true;
    else if (is("static")) flags.is_static = true;
    else if (!is("inline") && !is("volatile") && !is("struct") && !is("enum") && !is("typename")) return false;
    if (is("volatile")) refuse("a volatile object");
    ++at_;
    return true;
}

/// On failure the tokens stay where they were.
std::optional<type> rewriter::parse_type(specifiers* flags)
{
    specifiers ignored;
    auto& found = flags != nullptr ? *flags : ignored;
    const auto begin = at_;
    while (!at_end() && accept_specifier(found)) {}
    auto result = parse_type_name();
    if (!result) {
        at_ = begin;
        return std::nullopt;
    }
    while (!at_end() && (is("const") || is("constexpr"))) accept_specifier(found);
    found.of = *result;
    return result;
}

std::optional<type> rewriter::parse_type_name()
{
    if (accept("auto")) return type{"__auto_type", type_kind::automatic};
    if (is("decltype")) {
        const auto end = after_group(at_ + 1);
        at_ += 2;
        const auto inner = expression(")");
        at_ = end;
        return type{"__typeof__(" + inner + ")", type_kind::automatic};
    }
    if (auto builtin = builtin_type()) return builtin;
    return qualified_type();
}

std::optional<type> rewriter::builtin_type()
{
    if (is("_Float16")) refuse("the type _Float16: sk::half is the half precision of every device");
    for (const auto word : {"wchar_t", "char8_t", "char16_t", "char32_t", "__int128", "__float128"})
        if (is(word)) refuse("the type " + std::string(word));
    word_count words;
    const auto begin = at_;
    while (!at_end() && count_word(words, tokens_[at_].text)) ++at_;
    if (!words.any()) return std::nullopt;
    if (words.other == "double" && words.is_long != 0) refuse_at(begin, "the type long double");
    const auto name = opencl_name(words);
    if (name == "double") uses_double("the type double");
    return type{name, name == "void" ? type_kind::nothing : type_kind::arithmetic};
}

/// std::uint32_t, sk::vec<float>, sk::index1, ::cplx, app::cplx.
std::optional<type> rewriter::qualified_type()
{
    const auto begin = at_;
    const auto give_up = [&]() -> std::optional<type> {
        at_ = begin;
        return std::nullopt;
    };
    if (!is_identifier() && !(is("::") && is_identifier(1))) return give_up();
    const auto local = is_identifier() && !is("::", 1) ? find(tokens_[at_].text) : nullptr;
    if (local != nullptr && !local->refusal.empty()) refuse(local->refusal);
    if (local != nullptr && !local->names_type) return give_up();
    const auto what = take_path();
    if (local != nullptr) return local->of;
    const auto& qualifier = what.qualifier;
    const auto name = what.name;
    if (const auto users = lookup(what); !users.empty()) {
        if (const auto found = unit_.types.find(users); found != unit_.types.end()) return found->second;
        if (const auto why = unit_.left_out.find(users); why != unit_.left_out.end() && !is("("))
            refuse_at(begin, why->second);
        return give_up();
    }
    const bool ours = qualifier.empty() || qualifier == "sk" || qualifier == "skelrt";
    if (ours && view_kind(name) && is("<")) return view_type(name);
    if (ours && (name == "index1" || name == "index2" || name == "index3" || name == "index4"))
        return type{"skelrt_" + std::string(name), type_kind::index};
    if (ours && name == "random" && qualifier.size() > 0) return type{"skelrt_random", type_kind::random};
    const bool standard = qualifier == "std" || (qualifier.empty() && is("<"));
    if (standard && name == "complex") return complex_type();
    if (standard && name == "array") return array_type_here();
    if (ours && is_short_number_name(name)) return unit_.short_number(name);
    if (const own_type* own = find_own_type(qualifier, name)) return own_struct_here(*own);
    if (qualifier.empty() || qualifier == "std")
        if (const auto fixed = fixed_type(name)) return type{*fixed, type_kind::arithmetic};
    return give_up();
}

std::optional<type> rewriter::view_type(std::string_view name)
{
    expect("<");
    const auto element = parse_type();
    if (!element || element->is_view() || element->kind == type_kind::automatic)
        refuse("a " + std::string(name) + " of something that is no plain type");
    if (name.ends_with("accumulator") && element->kind != type_kind::arithmetic)
        refuse("an accumulator of something else than int, long, float or double");
    close_template();
    return unit_.view_of(*view_kind(name), *element);
}

std::optional<type> rewriter::own_struct_here(const own_type& what)
{
    std::vector<type> arguments;
    for (unsigned k = 0; k < what.arguments; ++k) {
        expect(k == 0 ? "<" : ",");
        const auto given = parse_type();
        if (!given || given->is_view() || given->kind == type_kind::automatic || given->kind == type_kind::nothing)
            refuse("a " + std::string(what.name) + " of something that is no plain type");
        arguments.push_back(*given);
    }
    if (what.arguments > 0) close_template();
    if (std::ranges::find(what.members, "double", &own_member::type) != what.members.end())
        uses_double("the type double");
    return unit_.own_struct(what, arguments);
}

/// The `>` of a template's arguments, which may be half of a `>>`.
void rewriter::close_template()
{
    if (!is(">>")) return expect(">");
    if (half_closed_ == at_) ++at_;
    else half_closed_ = at_;
}

type rewriter::complex_type()
{
    if (!is("<")) refuse("std::complex without the type of its parts");
    ++at_;
    const auto part = parse_type();
    if (!part || (part->text != "float" && part->text != "double"))
        refuse("an std::complex of something else than float or double");
    close_template();
    return unit_.complex_of(*part);
}

type rewriter::array_type_here()
{
    if (!is("<")) refuse("std::array without the type of its elements");
    ++at_;
    const auto element = parse_type();
    if (!element || element->is_view() || element->kind == type_kind::automatic || element->kind == type_kind::nothing)
        refuse("an std::array of something that is no plain type");
    expect(",");
    const auto size = array_size();
    close_template();
    return unit_.array_of(*element, size);
}

/// A number, or a constant that stands for one.
std::size_t rewriter::array_size()
{
    const auto where = at_;
    std::string text = tokens_[at_].kind == token_kind::number ? number() : identifier();
    for (const auto cast : {"(int)", "(uint)", "(long)", "(ulong)"})
        for (auto at = text.find(cast); at != std::string::npos; at = text.find(cast))
            text.erase(at, std::string_view(cast).size());
    std::erase_if(text, [](char c) { return c == '(' || c == ')' || c == ' '; });
    const auto digits = text.find_first_not_of("0123456789");
    if (digits == 0 || text.empty() ||
        (digits != std::string::npos && text.find_first_not_of("uULl", digits) != std::string::npos) ||
        text.size() > 9 || !(is(">") || is(">>")))
        refuse_at(where, "an std::array whose size is not written as a number");
    const auto size = static_cast<std::size_t>(std::stoul(text));
    if (size == 0) refuse_at(where, "an std::array without elements");
    return size;
}

std::optional<type> rewriter::whole_type()
{
    auto result = parse_type();
    return at_end() ? result : std::nullopt;
}

} // namespace skelrt::detail::opencl
