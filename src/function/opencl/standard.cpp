// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/opencl/rewriter.hpp"

#include <algorithm>

#include <fmt/format.h>

/// Types of the standard library in OpenCL C: a struct each, and overloaded functions in place of operators and
/// members. They are defined where a program names them.
namespace skelrt::detail::opencl
{
namespace
{

/// {0}: the part, {1}: the struct. Formulas as in cuda/standard.cpp.
constexpr const char* complex_text = R"CL(
typedef struct {{ {0} re, im; }} {1};
#define SKELRT_C static inline {1} __attribute__((overloadable))
#define SKELRT_R static inline {0} __attribute__((overloadable))
#define SKELRT_B static inline bool __attribute__((overloadable))
SKELRT_C skelrt_plus({1} a, {1} b) {{ return ({1}){{a.re + b.re, a.im + b.im}}; }}
SKELRT_C skelrt_plus({1} a, {0} b) {{ return ({1}){{a.re + b, a.im}}; }}
SKELRT_C skelrt_plus({0} a, {1} b) {{ return ({1}){{a + b.re, b.im}}; }}
SKELRT_C skelrt_minus({1} a, {1} b) {{ return ({1}){{a.re - b.re, a.im - b.im}}; }}
SKELRT_C skelrt_minus({1} a, {0} b) {{ return ({1}){{a.re - b, a.im}}; }}
SKELRT_C skelrt_minus({0} a, {1} b) {{ return ({1}){{a - b.re, -b.im}}; }}
SKELRT_C skelrt_times({1} a, {1} b) {{ return ({1}){{a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}}; }}
SKELRT_C skelrt_times({1} a, {0} b) {{ return ({1}){{a.re * b, a.im * b}}; }}
SKELRT_C skelrt_times({0} a, {1} b) {{ return ({1}){{a * b.re, a * b.im}}; }}
SKELRT_C skelrt_over({1} a, {0} b) {{ return ({1}){{a.re / b, a.im / b}}; }}
SKELRT_C skelrt_over({1} a, {1} b)
{{
    if (fabs(b.re) < fabs(b.im)) {{
        const {0} r = b.re / b.im, by = b.re * r + b.im;
        return ({1}){{(a.re * r + a.im) / by, (a.im * r - a.re) / by}};
    }}
    const {0} r = b.im / b.re, by = b.re + b.im * r;
    return ({1}){{(a.re + a.im * r) / by, (a.im - a.re * r) / by}};
}}
SKELRT_C skelrt_over({0} a, {1} b) {{ return skelrt_over(({1}){{a, 0}}, b); }}
SKELRT_C skelrt_negate({1} a) {{ return ({1}){{-a.re, -a.im}}; }}
SKELRT_B skelrt_equal({1} a, {1} b) {{ return a.re == b.re && a.im == b.im; }}
SKELRT_B skelrt_equal({1} a, {0} b) {{ return a.re == b && a.im == 0; }}
SKELRT_B skelrt_equal({0} a, {1} b) {{ return skelrt_equal(b, a); }}
SKELRT_R skelrt_complex_real({1} z) {{ return z.re; }}
SKELRT_R skelrt_complex_imag({1} z) {{ return z.im; }}
SKELRT_R skelrt_complex_norm({1} z) {{ return z.re * z.re + z.im * z.im; }}
SKELRT_R skelrt_complex_abs({1} z) {{ return hypot(z.re, z.im); }}
SKELRT_R skelrt_complex_arg({1} z) {{ return atan2(z.im, z.re); }}
SKELRT_C skelrt_complex_conj({1} z) {{ return ({1}){{z.re, -z.im}}; }}
SKELRT_C skelrt_polar({0} r, {0} angle) {{ return ({1}){{r * cos(angle), r * sin(angle)}}; }}
SKELRT_C skelrt_complex_exp({1} z) {{ return skelrt_polar(exp(z.re), z.im); }}
SKELRT_C skelrt_complex_log({1} z) {{ return ({1}){{log(hypot(z.re, z.im)), atan2(z.im, z.re)}}; }}
SKELRT_C skelrt_complex_sqrt({1} z)
{{
    if (z.re == 0 && z.im == 0) return ({1}){{0, z.im}};
    const {0} t = sqrt((fabs(z.re) + hypot(z.re, z.im)) / 2), u = z.im / (2 * t);
    return z.re < 0 ? ({1}){{fabs(u), copysign(t, z.im)}} : ({1}){{t, u}};
}}
#undef SKELRT_C
#undef SKELRT_R
#undef SKELRT_B
)CL";

constexpr const char* between_complex = R"CL(
static inline skelrt_complex_double skelrt_complex_double_of(skelrt_complex_float z) { return (skelrt_complex_double){z.re, z.im}; }
static inline skelrt_complex_float skelrt_complex_float_of(skelrt_complex_double z) { return (skelrt_complex_float){(float)z.re, (float)z.im}; }
)CL";

/// As include/skelrt/half.hpp has it. A half in memory is core OpenCL C 1.2; computing with one is an extension.
constexpr const char* half_text = R"CL(
typedef struct { ushort bits; } skelrt_half;
static inline float __attribute__((overloadable)) skelrt_float_of(skelrt_half h) { return vload_half(0, (const half*)&h); }
static inline skelrt_half skelrt_half_of(float x)
{
    skelrt_half h;
    vstore_half_rte(x, 0, (half*)&h);
    return h;
}
static inline skelrt_half skelrt_half_from(ushort bits) { return (skelrt_half){bits}; }
static inline bool __attribute__((overloadable)) skelrt_equal(skelrt_half a, skelrt_half b) { return skelrt_float_of(a) == skelrt_float_of(b); }
static inline bool __attribute__((overloadable)) skelrt_less(skelrt_half a, skelrt_half b) { return skelrt_float_of(a) < skelrt_float_of(b); }
)CL";

/// As include/skelrt/bfloat16.hpp has it.
constexpr const char* bfloat16_text = R"CL(
typedef struct { ushort bits; } skelrt_bfloat16;
static inline float __attribute__((overloadable)) skelrt_float_of(skelrt_bfloat16 b) { return as_float((uint)b.bits << 16); }
static inline skelrt_bfloat16 skelrt_bfloat16_of(float x)
{
    const uint bits = as_uint(x), nearest = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    return (skelrt_bfloat16){(ushort)((bits & 0x7fffffffu) > 0x7f800000u ? bits >> 16 | 0x40u : nearest)};
}
static inline skelrt_bfloat16 skelrt_bfloat16_from(ushort bits) { return (skelrt_bfloat16){bits}; }
static inline bool __attribute__((overloadable)) skelrt_equal(skelrt_bfloat16 a, skelrt_bfloat16 b) { return skelrt_float_of(a) == skelrt_float_of(b); }
static inline bool __attribute__((overloadable)) skelrt_less(skelrt_bfloat16 a, skelrt_bfloat16 b) { return skelrt_float_of(a) < skelrt_float_of(b); }
)CL";

/// {0}: the array, {1}: its size, {2}: a[i] == b[i], {3}: b < a, {4}: a < b.
constexpr const char* array_equal = R"CL(
static inline bool __attribute__((overloadable)) skelrt_equal({0} a, {0} b)
{{
    for (int i = 0; i < {1}; ++i)
        if (!({2})) return false;
    return true;
}}
)CL";
constexpr const char* array_less = R"CL(
static inline bool __attribute__((overloadable)) skelrt_less({0} a, {0} b)
{{
    for (int i = 0; i < {1}; ++i) {{
        if ({3}) return true;
        if ({2}) return false;
    }}
    return false;
}}
)CL";

} // namespace

bool names_standard_type(std::span<const token> tokens)
{
    return std::ranges::any_of(tokens, [](const token& t) {
        return t.is("complex") || t.is("array") || is_short_number_name(t.text) || t.is("polar");
    });
}

type unit::complex_of(const type& part)
{
    has_standard_types = true;
    const type result{"skelrt_complex_" + part.text, type_kind::complex};
    if (!views.insert(result.text).second) return result;
    text += fmt::format(fmt::runtime(complex_text), part.text, result.text);
    if (views.contains("skelrt_complex_float") && views.contains("skelrt_complex_double")) text += between_complex;
    return result;
}

type unit::short_number(std::string_view name)
{
    has_standard_types = true;
    const type result{"skelrt_" + std::string(name), type_kind::short_number};
    if (views.insert(result.text).second) text += name == "half" ? half_text : bfloat16_text;
    return result;
}

type unit::array_of(const type& element, std::size_t size)
{
    has_standard_types = true;
    std::string part = element.text;
    std::ranges::replace(part, ' ', '_');
    const type result{fmt::format("skelrt_array_{}_{}", part, size), type_kind::array};
    if (!views.insert(result.text).second) return result;
    array_types[result.text] = {element, size};
    text += fmt::format("\ntypedef struct {{ {} v[{}]; }} {};\n", element.text, size, result.text);
    const bool number = element.kind == type_kind::arithmetic || element.kind == type_kind::enumeration;
    const std::string equal = number ? "a.v[i] == b.v[i]" : "skelrt_equal(a.v[i], b.v[i])";
    if (number || element.is_standard()) text += fmt::format(fmt::runtime(array_equal), result.text, size, equal);
    if (!number && element.kind != type_kind::short_number) return result;
    text += number ? fmt::format(fmt::runtime(array_less), result.text, size, "b.v[i] < a.v[i]", "a.v[i] < b.v[i]")
                   : fmt::format(fmt::runtime(array_less), result.text, size, "skelrt_less(b.v[i], a.v[i])",
                                 "skelrt_less(a.v[i], b.v[i])");
    return result;
}

std::string unit::converted(const std::string& from_text, const type& from, const type& to)
{
    const bool same = from.kind == type_kind::short_number && from.text == to.text;
    const bool from_short = from.kind == type_kind::short_number && !same;
    const std::string number = from_short ? "skelrt_float_of(" + from_text + ")" : from_text;
    if (to.kind == type_kind::short_number) return same ? from_text : to.text + "_of(" + number + ")";
    if (to.kind != type_kind::complex) return to.kind == type_kind::automatic ? from_text : number;
    if (from.kind != type_kind::complex) return "((" + to.text + "){" + number + ", 0})";
    return from.text.empty() || from.text == to.text ? from_text : to.text + "_of(" + from_text + ")";
}

} // namespace skelrt::detail::opencl
