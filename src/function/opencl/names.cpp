// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/opencl/names.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

namespace skelrt::detail::opencl
{
namespace
{

using name_map = std::map<std::string_view, std::string_view>;
using name_list = std::set<std::string_view>;

const name_map& fixed_types()
{
    static const name_map table{
        {"size_t", "ulong"},      {"ptrdiff_t", "long"},      {"intptr_t", "long"},       {"uintptr_t", "ulong"},
        {"int8_t", "char"},       {"uint8_t", "uchar"},       {"int16_t", "short"},       {"uint16_t", "ushort"},
        {"int32_t", "int"},       {"uint32_t", "uint"},       {"int64_t", "long"},        {"uint64_t", "ulong"},
        {"int_fast8_t", "char"},  {"uint_fast8_t", "uchar"},  {"int_fast16_t", "long"},   {"uint_fast16_t", "ulong"},
        {"int_fast32_t", "long"}, {"uint_fast32_t", "ulong"}, {"int_fast64_t", "long"},   {"uint_fast64_t", "ulong"},
        {"int_least8_t", "char"}, {"uint_least8_t", "uchar"}, {"int_least16_t", "short"}, {"uint_least16_t", "ushort"},
        {"int_least32_t", "int"}, {"uint_least32_t", "uint"}, {"int_least64_t", "long"},  {"uint_least64_t", "ulong"},
        {"intmax_t", "long"},     {"uintmax_t", "ulong"}};
    return table;
}

/// C++ computes these in the type of the argument, and in double for integers.
const name_list& unary_functions()
{
    static const name_list table{"sqrt",  "cbrt",  "exp",   "exp2",      "expm1", "log",    "log2",   "log10", "log1p",
                                 "sin",   "cos",   "tan",   "asin",      "acos",  "atan",   "sinh",   "cosh",  "tanh",
                                 "asinh", "acosh", "atanh", "erf",       "erfc",  "tgamma", "lgamma", "ceil",  "floor",
                                 "trunc", "round", "rint",  "nearbyint", "logb",  "fabs"};
    return table;
}

const name_list& binary_functions()
{
    static const name_list table{"pow",  "atan2", "fmod",  "remainder", "fmin",
                                 "fmax", "fdim",  "hypot", "copysign",  "nextafter"};
    return table;
}

/// The same in both languages, or close enough for any use that C++ allows.
const name_list& same_functions()
{
    static const name_list table{"isnan", "isinf", "isfinite", "isnormal", "signbit",   "ldexp",
                                 "frexp", "modf",  "fma",      "ilogb",    "isgreater", "isless"};
    return table;
}

/// OpenCL C's own functions that C++ does not have: a user's function of that name would clash.
const name_list& builtin_functions()
{
    static const name_list table{"acospi",
                                 "asinpi",
                                 "atanpi",
                                 "atan2pi",
                                 "cospi",
                                 "sinpi",
                                 "tanpi",
                                 "exp10",
                                 "mad",
                                 "maxmag",
                                 "minmag",
                                 "fract",
                                 "native_cos",
                                 "native_sin",
                                 "native_exp",
                                 "native_log",
                                 "native_sqrt",
                                 "native_recip",
                                 "native_powr",
                                 "pown",
                                 "powr",
                                 "rootn",
                                 "rsqrt",
                                 "half_sqrt",
                                 "half_rsqrt",
                                 "half_exp",
                                 "sincos",
                                 "degrees",
                                 "radians",
                                 "mix",
                                 "step",
                                 "smoothstep",
                                 "sign",
                                 "cross",
                                 "dot",
                                 "distance",
                                 "length",
                                 "normalize",
                                 "fast_distance",
                                 "fast_length",
                                 "fast_normalize",
                                 "abs_diff",
                                 "add_sat",
                                 "hadd",
                                 "rhadd",
                                 "clz",
                                 "mad_hi",
                                 "mad_sat",
                                 "mul_hi",
                                 "rotate",
                                 "sub_sat",
                                 "upsample",
                                 "popcount",
                                 "mad24",
                                 "mul24",
                                 "any",
                                 "all",
                                 "bitselect",
                                 "select",
                                 "barrier",
                                 "mem_fence",
                                 "read_mem_fence",
                                 "write_mem_fence",
                                 "async_work_group_copy",
                                 "prefetch",
                                 "vec_step",
                                 "shuffle",
                                 "shuffle2",
                                 "printf",
                                 "get_global_id",
                                 "get_local_id",
                                 "get_group_id",
                                 "get_global_size",
                                 "get_local_size",
                                 "get_num_groups",
                                 "get_work_dim",
                                 "get_global_offset",
                                 "atomic_add",
                                 "atomic_sub",
                                 "atomic_xchg",
                                 "atomic_inc",
                                 "atomic_dec",
                                 "atomic_cmpxchg",
                                 "atomic_min",
                                 "atomic_max",
                                 "atomic_and",
                                 "atomic_or",
                                 "atomic_xor",
                                 "isequal",
                                 "isnotequal",
                                 "isgreaterequal",
                                 "islessequal",
                                 "islessgreater",
                                 "isordered",
                                 "isunordered",
                                 "nan",
                                 "vload2",
                                 "vload3",
                                 "vload4",
                                 "vload8",
                                 "vload16",
                                 "vstore2",
                                 "vstore3",
                                 "vstore4",
                                 "vstore8",
                                 "vstore16",
                                 "wait_group_events"};
    return table;
}

const name_list& keywords()
{
    static const name_list table{
        "kernel",    "__kernel",    "global",       "__global",        "local",           "__local",
        "constant",  "__constant",  "private",      "__private",       "generic",         "__generic",
        "half",      "quad",        "complex",      "imaginary",       "restrict",        "pipe",
        "uniform",   "read_only",   "write_only",   "read_write",      "__read_only",     "__write_only",
        "uchar",     "ushort",      "uint",         "ulong",           "event_t",         "sampler_t",
        "image1d_t", "image2d_t",   "image3d_t",    "image1d_array_t", "image2d_array_t", "image1d_buffer_t",
        "queue_t",   "clk_event_t", "reserve_id_t", "ndrange_t",       "typeof",          "unix",
        "linux"};
    return table;
}

/// float4 and all the others.
bool is_vector_type(std::string_view name)
{
    constexpr std::array<std::string_view, 12> bases{"char", "uchar", "short", "ushort", "int",  "uint",
                                                     "long", "ulong", "float", "double", "half", "bool"};
    constexpr std::array<std::string_view, 5> widths{"2", "3", "4", "8", "16"};
    return std::ranges::any_of(bases, [&](std::string_view base) {
        return name.starts_with(base) && std::ranges::find(widths, name.substr(base.size())) != widths.end();
    });
}

std::string opencl_name(std::string_view cpp_name) { return cpp_name == "nearbyint" ? "rint" : std::string(cpp_name); }

std::string unary_helper(const std::string& helper, std::string_view name)
{
    const auto overload = [&](std::string_view result, std::string_view type) {
        return fmt::format("static inline {0} __attribute__((overloadable)) {1}({2} x) {{ return {3}(({0})x); }}\n",
                           result, helper, type, opencl_name(name));
    };
    std::string text = overload("float", "float") + "#ifdef cl_khr_fp64\n";
    for (const auto type : {"double", "int", "uint", "long", "ulong"}) text += overload("double", type);
    return text + "#endif\n";
}

std::string binary_helper(const std::string& helper, std::string_view name)
{
    const auto overload = [&](std::string_view result, std::string_view a, std::string_view b) {
        return fmt::format(
            "static inline {0} __attribute__((overloadable)) {1}({2} x, {3} y) {{ return {4}(({0})x, ({0})y); }}\n",
            result, helper, a, b, name);
    };
    std::string text = overload("float", "float", "float") + "#ifdef cl_khr_fp64\n";
    constexpr std::array<std::string_view, 6> types{"float", "double", "int", "uint", "long", "ulong"};
    for (const auto a : types)
        for (const auto b : types)
            if (a != "float" || b != "float") text += overload("double", a, b);
    return text + "#endif\n";
}

/// sqrtf and its like: float, whatever comes in.
std::string float_helper(const std::string& helper, std::string_view name)
{
    if (unary_functions().contains(name))
        return fmt::format("static inline float {}(float x) {{ return {}(x); }}\n", helper, opencl_name(name));
    return fmt::format("static inline float {}(float x, float y) {{ return {}(x, y); }}\n", helper, name);
}

/// One overload for each type; {0} is the type.
std::string per_type(std::string_view pattern, std::initializer_list<std::string_view> types)
{
    std::string text;
    for (const auto type : types) {
        const auto line = fmt::format(fmt::runtime(pattern), type);
        text += type == "double" ? "#ifdef cl_khr_fp64\n" + line + "#endif\n" : line;
    }
    return text;
}

std::string special_helper(std::string_view name)
{
    const auto numbers = {"int", "uint", "long", "ulong", "float", "double"};
    const auto with = [&](std::string_view pattern) {
        std::string text;
        for (const auto type : numbers) text += per_type(pattern, {type});
        return text;
    };
    if (name == "min")
        return with(
            "static inline {0} __attribute__((overloadable)) skelrt_min({0} a, {0} b) {{ return b < a ? b : a; }}\n");
    if (name == "max")
        return with(
            "static inline {0} __attribute__((overloadable)) skelrt_max({0} a, {0} b) {{ return a < b ? b : a; }}\n");
    if (name == "clamp")
        return with("static inline {0} __attribute__((overloadable)) skelrt_clamp({0} x, {0} a, {0} b) "
                    "{{ return x < a ? a : b < x ? b : x; }}\n");
    if (name == "abs")
        return per_type(
                   "static inline {0} __attribute__((overloadable)) skelrt_abs({0} x) {{ return x < 0 ? -x : x; }}\n",
                   {"int", "long"}) +
               per_type("static inline {0} __attribute__((overloadable)) skelrt_abs({0} x) {{ return fabs(x); }}\n",
                        {"float", "double"});
    if (name == "lround" || name == "llround")
        return per_type(fmt::format("static inline long __attribute__((overloadable)) skelrt_{}({{0}} x) "
                                    "{{{{ return (long)round(x); }}}}\n",
                                    name),
                        {"float", "double"});
    if (name == "lrint" || name == "llrint")
        return per_type(fmt::format("static inline long __attribute__((overloadable)) skelrt_{}({{0}} x) "
                                    "{{{{ return (long)rint(x); }}}}\n",
                                    name),
                        {"float", "double"});
    if (name == "swap")
        return "#define skelrt_swap(a, b) do { __auto_type skelrt_swapped = a; a = b; b = skelrt_swapped; } while "
               "(0)\n";
    return "";
}

bool is_special(std::string_view name)
{
    static const name_list table{"min", "max", "clamp", "abs", "lround", "llround", "lrint", "llrint", "swap"};
    return table.contains(name);
}

/// "sqrt" for "sqrtf"; empty if the name is no such function.
std::string_view without_f(std::string_view name)
{
    if (!name.ends_with('f')) return {};
    name.remove_suffix(1);
    return unary_functions().contains(name) || binary_functions().contains(name) ? name : std::string_view{};
}

} // namespace

std::optional<std::string> fixed_type(std::string_view name)
{
    const auto found = fixed_types().find(name);
    if (found == fixed_types().end()) return std::nullopt;
    return std::string(found->second);
}

bool is_reserved(std::string_view name)
{
    return keywords().contains(name) || builtin_functions().contains(name) || is_vector_type(name) ||
           math_function(name).has_value() || is_known_macro(name) || name.starts_with("convert_") ||
           name.starts_with("as_") || name.starts_with("native_") || name.starts_with("half_") ||
           name.starts_with("skelrt_");
}

std::optional<std::string> math_function(std::string_view name)
{
    if (same_functions().contains(name)) return std::string(name);
    if (name == "fmaf") return "fma";
    if (unary_functions().contains(name) || binary_functions().contains(name) || is_special(name) ||
        !without_f(name).empty())
        return "skelrt_" + std::string(name);
    return std::nullopt;
}

std::string helper_text(const std::string& helper)
{
    std::string_view name = helper;
    if (!name.starts_with("skelrt_")) return "";
    name.remove_prefix(7);
    if (unary_functions().contains(name)) return unary_helper(helper, name);
    if (binary_functions().contains(name)) return binary_helper(helper, name);
    if (is_special(name)) return special_helper(name);
    return float_helper(helper, without_f(name));
}

bool is_double_macro(std::string_view name)
{
    static const name_list table{"M_PI",       "M_E",     "M_PI_2",    "M_PI_4",      "M_1_PI",  "M_2_PI",
                                 "M_2_SQRTPI", "M_SQRT2", "M_SQRT1_2", "M_LN2",       "M_LN10",  "M_LOG2E",
                                 "M_LOG10E",   "DBL_MAX", "DBL_MIN",   "DBL_EPSILON", "HUGE_VAL"};
    return table.contains(name);
}

bool is_known_macro(std::string_view name)
{
    static const name_list table{"FLT_MAX",   "FLT_MIN",   "FLT_EPSILON", "INFINITY",  "NAN",      "HUGE_VALF",
                                 "CHAR_BIT",  "INT_MAX",   "INT_MIN",     "UINT_MAX",  "LONG_MAX", "LONG_MIN",
                                 "ULONG_MAX", "SHRT_MAX",  "SHRT_MIN",    "USHRT_MAX", "CHAR_MAX", "CHAR_MIN",
                                 "UCHAR_MAX", "SCHAR_MAX", "SCHAR_MIN"};
    return table.contains(name) || is_double_macro(name);
}

std::optional<std::string> numeric_limit(const std::string& type, std::string_view member)
{
    const bool real = type == "float" || type == "double";
    const std::string prefix = type == "float" ? "FLT_" : "DBL_";
    static const std::map<std::string_view, std::string_view> prefixes{
        {"int", "INT"},    {"uint", "UINT"},    {"long", "LONG"}, {"ulong", "ULONG"},
        {"short", "SHRT"}, {"ushort", "USHRT"}, {"char", "CHAR"}, {"uchar", "UCHAR"}};
    const auto wrap = [&](const std::string& text) { return "((" + type + ")(" + text + "))"; };
    if (real) {
        if (member == "max") return wrap(prefix + "MAX");
        if (member == "lowest") return wrap("-" + prefix + "MAX");
        if (member == "min") return wrap(prefix + "MIN");
        if (member == "epsilon") return wrap(prefix + "EPSILON");
        if (member == "infinity") return wrap("INFINITY");
        if (member == "quiet_NaN") return wrap("NAN");
        return std::nullopt;
    }
    const auto integer = prefixes.find(type);
    if (integer == prefixes.end()) return std::nullopt;
    const std::string name(integer->second);
    if (member == "max") return wrap(name + "_MAX");
    if (member == "min" || member == "lowest") return wrap(type[0] == 'u' ? "0" : name + "_MIN");
    return std::nullopt;
}

std::optional<std::string> number_constant(std::string_view name)
{
    static const name_map table{
        {"pi", "3.141592653589793238462643"},        {"e", "2.718281828459045235360287"},
        {"sqrt2", "1.414213562373095048801688"},     {"sqrt3", "1.732050807568877293527446"},
        {"ln2", "0.693147180559945309417232"},       {"ln10", "2.302585092994045684017991"},
        {"log2e", "1.442695040888963407359924"},     {"log10e", "0.434294481903251827651129"},
        {"inv_pi", "0.318309886183790671537767"},    {"inv_sqrtpi", "0.564189583547756286948079"},
        {"inv_sqrt3", "0.577350269189625764509148"}, {"phi", "1.618033988749894848204586"},
        {"egamma", "0.577215664901532860606512"}};
    const auto found = table.find(name);
    if (found == table.end()) return std::nullopt;
    return std::string(found->second);
}

} // namespace skelrt::detail::opencl
