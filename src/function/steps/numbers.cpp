// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/steps/numbers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace skelrt::detail::function_steps
{
namespace
{

template <class T>
std::optional<T> value_as(const number& n)
{
    return std::visit(
        [](auto v) -> std::optional<T> {
            if constexpr (std::is_floating_point_v<decltype(v)> && std::is_integral_v<T>) {
                const auto past = std::ldexp(1.0, std::numeric_limits<T>::digits), all = static_cast<double>(v);
                if (!(all < past && all > (std::is_signed_v<T> ? -past : -1.0))) return {};
            }
            return static_cast<T>(v);
        },
        n);
}

/// f(0) of that type.
template <class F>
auto with_type_of(number_kind kind, F f)
{
    switch (kind) {
    case number_kind::int_:
        return f(0);
    case number_kind::unsigned_:
        return f(0u);
    case number_kind::long_:
        return f(0l);
    case number_kind::unsigned_long:
        return f(0ul);
    case number_kind::float_:
        return f(0.0f);
    default:
        return f(0.0);
    }
}

/// Of numbers of one type.
template <class T>
std::optional<number> same_typed(T a, char op, T b)
{
    if constexpr (std::is_floating_point_v<T>) {
        switch (op) {
        case '+':
            return number(a + b);
        case '-':
            return number(a - b);
        case '*':
            return number(a * b);
        case '/':
            return number(a / b);
        default:
            return {};
        }
    } else {
        T result{};
        const bool overflows = op == '+'   ? __builtin_add_overflow(a, b, &result)
                               : op == '-' ? __builtin_sub_overflow(a, b, &result)
                                           : op == '*' && __builtin_mul_overflow(a, b, &result);
        if (std::is_signed_v<T> && overflows) return {};
        if (op != '/' && op != '%') return number(result);
        if (b == T{0} || (std::is_signed_v<T> && a == std::numeric_limits<T>::min() && b == static_cast<T>(-1)))
            return {};
        return number(static_cast<T>(op == '/' ? a / b : a % b));
    }
}

template <class T>
std::optional<bool> compared(T a, std::string_view op, T b)
{
    if (op == "<") return a < b;
    if (op == ">") return a > b;
    if (op == "<=") return a <= b;
    if (op == ">=") return a >= b;
    if (op == "==") return a == b;
    if (op == "!=") return a != b;
    return {};
}

template <class T>
std::optional<number> read_number(std::string_view digits, int base)
{
    T value{};
    const char* const end = digits.data() + digits.size();
    std::from_chars_result r{};
    if constexpr (std::is_floating_point_v<T>) r = std::from_chars(digits.data(), end, value);
    else r = std::from_chars(digits.data(), end, value, base);
    if (r.ec != std::errc{} || r.ptr != end) return {};
    return number(value);
}

std::optional<number> floating_literal(std::string_view text)
{
    if (text.back() != 'f' && text.back() != 'F') return read_number<double>(text, 0);
    return read_number<float>(text.substr(0, text.size() - 1), 0);
}

std::optional<number> integer_literal(std::string_view text)
{
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    if (hexadecimal) text.remove_prefix(2);
    else if (text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9') return {}; // octal
    const std::size_t digits = std::min(text.size(), text.find_first_of("uUlL"));
    const std::string_view suffix = text.substr(digits);
    const int base = hexadecimal ? 16 : 10;
    const auto holds = [&](std::string_view letters) { return suffix.find_first_of(letters) != suffix.npos; };
    text = text.substr(0, digits);
    if (holds("uU")) return holds("lL") ? read_number<unsigned long>(text, base) : read_number<unsigned>(text, base);
    if (holds("lL")) return read_number<long>(text, base);
    return read_number<int>(text, base); // larger ones are left to compilers
}

} // namespace

std::optional<number_kind> number_kind_of(std::string_view type)
{
    constexpr std::array<std::string_view, 6> names{"int", "unsigned int", "long", "unsigned long", "float", "double"};
    const auto* const found = std::ranges::find(names, type);
    if (found == names.end()) return {};
    return static_cast<number_kind>(found - names.begin());
}

std::optional<number> literal(std::string_view text)
{
    if (text.find('\'') != text.npos) return {};
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    const bool floating = text.find_first_of(hexadecimal ? ".pP" : ".eEfF") != text.npos;
    if (!floating) return integer_literal(text);
    return hexadecimal ? std::optional<number>{} : floating_literal(text);
}

number element_at(const void* at, number_kind kind)
{
    return with_type_of(kind, [&]<class T>(T value) {
        std::memcpy(&value, at, sizeof(value));
        return number(value);
    });
}

std::size_t size_of(number_kind kind)
{
    return with_type_of(kind, [](auto value) { return sizeof(value); });
}

std::optional<number> converted(const number& n, number_kind to)
{
    return with_type_of(to, [&]<class T>(T) -> std::optional<number> {
        const std::optional<T> value = value_as<T>(n);
        return value ? std::optional<number>(*value) : std::nullopt;
    });
}

std::optional<number> joined(const number& a, std::string_view op, const number& b)
{
    if (op == "&&") return number(static_cast<int>(is_true(a) && is_true(b)));
    if (op == "||") return number(static_cast<int>(is_true(a) || is_true(b)));
    const number_kind kind = std::max(kind_of(a), kind_of(b));
    const auto left = converted(a, kind), right = converted(b, kind);
    if (!left || !right) return {};
    return std::visit(
        [&](auto x) -> std::optional<number> {
            const auto y = std::get<decltype(x)>(*right);
            if (const std::optional<bool> is = compared(x, op, y)) return number(static_cast<int>(*is));
            if (op.size() != 1 || std::string_view{"+-*/%"}.find(op) == op.npos) return {};
            return same_typed(x, op[0], y);
        },
        *left);
}

std::optional<number> negated(const number& n)
{
    return std::visit(
        [](auto v) -> std::optional<number> {
            if constexpr (std::is_floating_point_v<decltype(v)>) return number(-v);
            else return same_typed(decltype(v){0}, '-', v);
        },
        n);
}

bool is_true(const number& n)
{
    return std::visit([](auto v) { return v != decltype(v){0}; }, n);
}

std::optional<std::ptrdiff_t> whole(const number& n)
{
    if (kind_of(n) >= number_kind::float_) return {};
    return value_as<std::ptrdiff_t>(n); // as the parameters of hoods and containers are
}

} // namespace skelrt::detail::function_steps
