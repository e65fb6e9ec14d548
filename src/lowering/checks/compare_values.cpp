// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/checks/compare_values.hpp"

#include "src/function/own/own_types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

namespace skelrt::detail
{

namespace
{

/// Units in the last place that functions of some ten operations may be apart: contraction saves one rounding each,
/// functions of libm are 1 to 4 off on each side, a sum of some ten terms in another order as many as it has terms.
constexpr double result_units = 64, operand_units = 16;

template <class T>
T read(const std::byte* p)
{
    T v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

template <class T>
void write(std::byte* p, T v)
{
    std::memcpy(p, &v, sizeof v);
}

double half_value(std::uint16_t bits)
{
    const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
    double v = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
    if (exponent == 31)
        v = mantissa ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    return (bits & 0x8000) != 0 ? -v : v;
}

bool is_floating_form(value_form f)
{
    return f == value_form::half || f == value_form::single || f == value_form::twice;
}

double epsilon_of(value_form f)
{
    if (f == value_form::half) return std::ldexp(1, -10);
    return f == value_form::single ? static_cast<double>(std::numeric_limits<float>::epsilon())
                                   : std::numeric_limits<double>::epsilon();
}

/// Devices may take smaller numbers for 0.
double smallest_of(value_form f)
{
    if (f == value_form::half) return std::ldexp(1, -14);
    return f == value_form::single ? static_cast<double>(std::numeric_limits<float>::min())
                                   : std::numeric_limits<double>::min();
}

double floating_value(value_form f, const std::byte* p)
{
    if (f == value_form::half) return half_value(read<std::uint16_t>(p));
    return f == value_form::single ? static_cast<double>(read<float>(p)) : read<double>(p);
}

double integer_value(bool has_sign, std::uint32_t size, const std::byte* p)
{
    switch (size) {
    case 1:
        return has_sign ? read<std::int8_t>(p) : read<std::uint8_t>(p);
    case 2:
        return has_sign ? read<std::int16_t>(p) : read<std::uint16_t>(p);
    case 4:
        return has_sign ? read<std::int32_t>(p) : static_cast<double>(read<std::uint32_t>(p));
    default:
        return has_sign ? static_cast<double>(read<std::int64_t>(p)) : static_cast<double>(read<std::uint64_t>(p));
    }
}

/// Numbers as programs have them: what lies far beyond is an integer, or padding.
bool looks_floating(double v)
{
    constexpr double largest = 1e25, smallest = 1e-25;
    return v == 0 || (std::abs(v) < largest && std::abs(v) > smallest);
}

/// Whether a number of that size may lie there: numbers are aligned, and have no padding in them.
bool has_place(const value_type& type, std::uint32_t at, std::uint32_t size)
{
    if (type.align < size || at % size != 0 || at + size > type.size) return false;
    return !type.bytes || std::all_of(type.bytes + at, type.bytes + at + size, [](unsigned char m) { return m != 0; });
}

/// The numbers in a value; of a mixed one as its bytes, or those of two, look.
template <class F>
void for_each_piece(const value_type& type, const std::byte* a, const std::byte* b, F f)
{
    if (type.form != value_form::mixed) return f(value_part{type.form, type.size, 0});
    for (const value_part& p : type.parts) f(p);
    if (!type.parts.empty()) return;
    const auto both_look = [&](value_form form, std::uint32_t at) {
        return looks_floating(floating_value(form, a + at)) && looks_floating(floating_value(form, b + at)) &&
               (floating_value(form, a + at) != 0 || floating_value(form, b + at) != 0);
    };
    std::uint32_t at = 0;
    while (at < type.size) {
        if (has_place(type, at, 8) && both_look(value_form::twice, at)) {
            f(value_part{value_form::twice, 8, at});
            at += 8;
        } else if (has_place(type, at, 4)) {
            f(value_part{both_look(value_form::single, at) ? value_form::single : value_form::signed_integer, 4, at});
            at += 4;
        } else {
            if (has_place(type, at, 1)) f(value_part{value_form::unsigned_integer, 1, at});
            at += 1;
        }
    }
}

double number(const value_part& p, const std::byte* value)
{
    if (is_floating_form(p.form)) return floating_value(p.form, value + p.offset);
    return integer_value(p.form == value_form::signed_integer, p.size, value + p.offset);
}

bool close(value_form f, double a, double b, const origins& from)
{
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (a == b) return true;
    if (std::isinf(a) || std::isinf(b)) return false;
    const double units = result_units * std::max(std::abs(a), std::abs(b)) + operand_units * from.magnitude;
    const double epsilon = std::max(epsilon_of(f), epsilon_of(from.coarsest)); // a double may be a sum of floats
    return std::abs(a - b) <= std::max(epsilon * units, 4 * smallest_of(f));
}

bool alike(const value_part& p, const std::byte* host, const std::byte* device, const origins& from)
{
    if (std::memcmp(host + p.offset, device + p.offset, p.size) == 0) return true;
    return is_floating_form(p.form) && close(p.form, number(p, host), number(p, device), from);
}

bool explained(const value_part& p, const std::byte* host, const std::byte* device,
               std::span<const std::byte* const> others)
{
    constexpr double beyond = 16; // operands were moved by a few units; a long function rounds more often
    const double there = number(p, device);
    double low = number(p, host), high = low;
    bool lost = false;
    for (const std::byte* o : others) {
        const double v = number(p, o);
        lost = lost || std::isnan(v) || std::isinf(v);
        low = std::min(low, v), high = std::max(high, v);
    }
    if (lost || std::isnan(low) || std::isinf(low)) return true; // at the edge of what has a value
    if (!(low < high) || std::isnan(there)) return false;
    const double slack = beyond * (high - low);
    return there >= low - slack && there <= high + slack;
}

template <class Float>
void move(std::byte* p, int units)
{
    Float v = read<Float>(p);
    for (; units > 0; --units) v = std::nextafter(v, std::numeric_limits<Float>::infinity());
    for (; units < 0; ++units) v = std::nextafter(v, -std::numeric_limits<Float>::infinity());
    write(p, v);
}

/// Of element number i.
int units_of(std::size_t i, unsigned pattern)
{
    const int size = 1 + static_cast<int>(pattern / 3), sign = i % 2 == 0 ? 1 : -1;
    switch (pattern % 3) {
    case 0:
        return size;
    case 1:
        return -size;
    default:
        return sign * size;
    }
}

constexpr std::array<std::string_view, 18> signed_names{
    "signed char", "char",        "short",         "short int",    "int",          "long",
    "long int",    "long long",   "long long int", "int8_t",       "int16_t",      "int32_t",
    "int64_t",     "std::int8_t", "std::int16_t",  "std::int32_t", "std::int64_t", "signed int"};

bool is_unsigned_name(std::string_view name)
{
    return name.starts_with("unsigned") || name == "bool" || name.starts_with("uint") ||
           name.starts_with("std::uint") || name.ends_with("unsigned int") || name.ends_with("unsigned char") ||
           name == "short unsigned int" || name == "size_t" || name == "std::size_t" || name.ends_with("char8_t") ||
           name.ends_with("char16_t");
}

/// Bytes of a number; 0: of something else.
std::uint32_t number_size(std::string_view name)
{
    const bool is_long = name.find("long") != std::string_view::npos && name != "long double";
    if (name == "double" || (is_long && name.find('<') == std::string_view::npos)) return 8;
    if (name.ends_with("char") || name == "bool") return 1;
    if (name.starts_with("short") || name == "skelrt::half") return 2;
    return name == "float" || name == "int" || name == "unsigned int" ? 4 : 0;
}

/// What stands between the commas of a list of types.
std::vector<std::string_view> listed_types(std::string_view list)
{
    std::vector<std::string_view> types;
    int depth = 0;
    std::size_t from = 0;
    for (std::size_t i = 0; i <= list.size(); ++i) {
        if (i < list.size() && (list[i] == '<' || list[i] == '>')) depth += list[i] == '<' ? 1 : -1;
        if (i < list.size() && (list[i] != ',' || depth > 0)) continue;
        std::size_t end = i; // compilers write a blank between two >
        while (from < end && list[from] == ' ') ++from;
        while (end > from && list[end - 1] == ' ') --end;
        types.push_back(list.substr(from, end - from));
        from = i + 1;
    }
    return types;
}

/// A struct of ours that is being laid out.
struct own_layout {
    std::vector<value_part> parts;
    std::uint32_t size = 0, align = 1;

    std::uint32_t begin(std::uint32_t member_align)
    {
        align = std::max(align, member_align);
        return size = (size + member_align - 1) / member_align * member_align;
    }
};

/// The numbers of a struct of ours and of those in it, as C++ lays them out; nothing if not all are numbers.
std::optional<own_layout> layout_of(std::string_view name)
{
    const std::string_view outer = name.substr(0, name.find('<'));
    const auto scope_end = outer.rfind("::");
    if (scope_end == std::string_view::npos) return std::nullopt;
    const own_type* const type = find_own_type(outer.substr(0, scope_end), outer.substr(scope_end + 2));
    if (!type) return std::nullopt;
    std::vector<std::string_view> arguments;
    if (outer.size() < name.size() && name.ends_with('>'))
        arguments = listed_types(name.substr(outer.size() + 1, name.size() - outer.size() - 2));
    if (arguments.size() < type->arguments) return std::nullopt;
    own_layout all;
    for (const own_member& m : type->members) {
        const std::string_view member = m.type.starts_with('T') ? arguments[m.type[1] - '0'] : m.type;
        if (const std::uint32_t size = number_size(member); size > 0) {
            const value_form form = value_type_of(member, size, size).form;
            if (form == value_form::mixed) return std::nullopt;
            all.parts.push_back({form, size, all.begin(size)});
            all.size += size;
            continue;
        }
        const auto inner = layout_of(member);
        if (!inner) return std::nullopt;
        const std::uint32_t at = all.begin(inner->align);
        for (const value_part& p : inner->parts) all.parts.push_back({p.form, p.size, at + p.offset});
        all.size += inner->size;
    }
    all.begin(all.align);
    return all;
}

} // namespace

value_type value_type_of(std::string_view name, std::uint32_t size, std::uint32_t align, const unsigned char* bytes)
{
    value_type t;
    t.size = size, t.align = align, t.bytes = bytes;
    if (name == "float") t.form = value_form::single;
    else if (name == "double") t.form = value_form::twice;
    else if (name == "_Float16" || name == "__half" || name == "skelrt::half") t.form = value_form::half;
    else if (is_unsigned_name(name)) t.form = value_form::unsigned_integer;
    else if (std::ranges::find(signed_names, name) != signed_names.end()) t.form = value_form::signed_integer;
    else if (auto own = layout_of(name); own && own->size == size) t.parts = std::move(own->parts);
    return t;
}

void add_form(origins& from, const value_type& type)
{
    const auto add = [&](value_form form) {
        if (is_floating_form(form) && epsilon_of(form) > epsilon_of(from.coarsest)) from.coarsest = form;
    };
    add(type.form);
    for (const value_part& p : type.parts) add(p.form);
}

bool alike(const value_type& type, const std::byte* host, const std::byte* device, const origins& from)
{
    if (std::memcmp(host, device, type.size) == 0) return true;
    bool same = true;
    for_each_piece(type, host, device, [&](const value_part& p) { same = same && alike(p, host, device, from); });
    return same;
}

bool explained(const value_type& type, const std::byte* host, const std::byte* device,
               std::span<const std::byte* const> others)
{
    bool all = true;
    for_each_piece(type, host, device, [&](const value_part& p) {
        all = all && (alike(p, host, device, origins{}) || explained(p, host, device, others));
    });
    return all;
}

bool nudge(const value_type& type, std::byte* values, std::size_t count, unsigned pattern)
{
    bool any = false;
    for (std::size_t i = 0; i < count; ++i) {
        std::byte* const v = values + i * type.size;
        for_each_piece(type, v, v, [&](const value_part& p) {
            any = any || is_floating_form(p.form);
            const int units = units_of(i, pattern);
            if (p.form == value_form::single) move<float>(v + p.offset, units);
            else if (p.form == value_form::twice) move<double>(v + p.offset, units);
            else if (p.form == value_form::half) {
                const auto bits = read<std::uint16_t>(v + p.offset); // away from 0, or towards it: as good
                if ((bits & 0x7fff) != 0 && (bits & 0x7c00) != 0x7c00)
                    write(v + p.offset, static_cast<std::uint16_t>(bits + (units > 0 ? 1 : -1)));
            }
        });
    }
    return any;
}

double magnitude_of(const value_type& type, const std::byte* values, std::size_t count)
{
    double largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::byte* const v = values + i * type.size;
        for_each_piece(type, v, v, [&](const value_part& p) {
            if (!is_floating_form(p.form)) return;
            const double x = std::abs(number(p, v));
            if (std::isfinite(x)) largest = std::max(largest, x);
        });
    }
    return largest;
}

std::string value_text(const value_type& type, const std::byte* value)
{
    std::string text;
    for_each_piece(type, value, value, [&](const value_part& p) {
        if (!text.empty()) text += ", ";
        const std::byte* const at = value + p.offset;
        if (p.form == value_form::single) text += fmt::format("{}", read<float>(at));
        else if (p.form == value_form::twice) text += fmt::format("{}", read<double>(at));
        else if (p.form == value_form::half) text += fmt::format("{}", floating_value(p.form, at));
        else if (p.size == 8)
            text += p.form == value_form::signed_integer ? fmt::format("{}", read<std::int64_t>(at))
                                                         : fmt::format("{}", read<std::uint64_t>(at));
        else text += fmt::format("{}", static_cast<std::int64_t>(number(p, value)));
    });
    return type.form == value_form::mixed ? "{" + text + "}" : text;
}

} // namespace skelrt::detail
