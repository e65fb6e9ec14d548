// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "accumulators.hpp"
#include "detail/index_checks.hpp"
#include "detail/recipe.hpp"
#include "detail/type_text.hpp"

#include <math.h> // not <cmath>: sqrt of a float is a float without std::, too

#include <cstddef>
#include <type_traits>
#include <utility>

namespace skelrt
{

/// Position in a one-dimensional call; in a matrix, row * columns + column.
struct index1 {
    std::size_t i;
};

/// Position in a two-dimensional call.
struct index2 {
    std::size_t row, col;
};

/// Position in a call on tensors of rank 3; index4 is that of rank 4.
struct index3 {
    std::size_t plane, row, col;
};
struct index4 {
    std::size_t cube, plane, row, col;
};

/// Parameter of a user function that sees a whole vector, read-only, any index. Indices are checked if SKELRT_CHECK
/// says `bounds`; otherwise whoever makes the parameter says so in a constant, and nothing of a check is left.
template <class T>
class vec
{
public:
    using value_type = T;
    vec(const T* data, std::size_t size) : data_(data), size_(size) {}
    vec(const vec& v, detail::checked_operand checked) : data_(v.data_), size_(v.size_), checked_(checked) {}
    const T& operator[](std::size_t i) const
    {
        if (checked_ && !detail::holds(checked_, i, size_)) return detail::element_instead(data_, size_);
        return data_[i];
    }
    const T& operator()(std::size_t i) const { return (*this)[i]; }
    std::size_t size() const { return size_; }
    const T* data() const { return data_; }

private:
    const T* data_;
    std::size_t size_;
    detail::checked_operand checked_;
};

/// Parameter of a user function that sees a whole matrix, read-only, any position. Checked as sk::vec is.
template <class T>
class mat
{
public:
    using value_type = T;
    mat(const T* data, std::size_t rows, std::size_t cols, std::size_t ld)
        : data_(data), rows_(rows), cols_(cols), ld_(ld)
    {
    }
    mat(const mat& m, detail::checked_operand checked)
        : data_(m.data_), rows_(m.rows_), cols_(m.cols_), ld_(m.ld_), checked_(checked)
    {
    }
    const T& operator()(std::size_t row, std::size_t col) const
    {
        if (checked_ && !detail::holds(checked_, row, col, rows_, cols_))
            return detail::element_instead(data_, rows_ * cols_);
        return data_[row * ld_ + col];
    }
    std::size_t rows() const { return rows_; }
    std::size_t cols() const { return cols_; }
    const T* data() const { return data_; }

private:
    const T* data_;
    std::size_t rows_, cols_, ld_;
    detail::checked_operand checked_;
};

namespace detail
{
namespace
{
/// Its address stands for the translation unit.
[[maybe_unused]] char this_unit = 0;
} // namespace

/// Types of a lambda's parameters and result; of a generic lambda none.
template <class Operator>
struct written_signature;
template <class Result, class Lambda, class... P>
struct written_signature<Result (Lambda::*)(P...) const> {
    static constexpr std::string_view parameters[sizeof...(P) + 1] = {type_text<P>()...};
    static constexpr signature_text value{parameters, sizeof...(P), type_text<Result>()};
};
template <class Result, class Lambda, class... P>
struct written_signature<Result (Lambda::*)(P...) const noexcept> : written_signature<Result (Lambda::*)(P...) const> {
};
template <class Result, class Lambda, class... P>
struct written_signature<Result (Lambda::*)(P...)> : written_signature<Result (Lambda::*)(P...) const> {
};
template <class Result, class Lambda, class... P>
struct written_signature<Result (Lambda::*)(P...) noexcept> : written_signature<Result (Lambda::*)(P...) const> {
};

template <class Lambda>
constexpr signature_text signature_of()
{
    if constexpr (requires { &Lambda::operator(); }) return written_signature<decltype(&Lambda::operator())>::value;
    else return {};
}

template <class Lambda, class Facts>
constexpr source_facts make_facts()
{
    source_facts f = Facts{}();
    f.signature = signature_of<Lambda>();
    return f;
}

template <class Lambda, class Facts>
inline constexpr source_facts facts_of = make_facts<Lambda, Facts>();

/// Compilers disagree on which line of a macro call is its line: the first one counts.
template <class Lambda>
constexpr int line_of(int line)
{
#ifdef __clang__
    constexpr std::string_view text = raw_type_text<Lambda>(); // ... (lambda at app.cpp:12:3) ...
    constexpr std::size_t begin = text.find("(lambda at "), end = text.find(')', begin);
    if constexpr (begin != std::string_view::npos && end != std::string_view::npos) {
        constexpr std::size_t column = text.rfind(':', end), row = text.rfind(':', column - 1);
        line = 0;
        for (std::size_t i = row + 1; i < column; ++i) line = line * 10 + (text[i] - '0');
    }
#endif
    return line;
}
} // namespace detail

/// A user function: a captureless lambda for the host and its own text for the devices. Made by SKELRT_FN.
template <class Lambda>
class function
{
    static_assert(std::is_empty_v<Lambda>,
                  "skelrt: a user function captures nothing; pass values as arguments instead");

public:
    using lambda = Lambda;
    /// Made by hand: of no translation unit. One of ours has a name for a file.
    constexpr function(Lambda, const char* text, const char* file, int line = 1) : source_{text, file, line} {}
    template <class Facts>
    constexpr function(Lambda, const char* text, const char* file, int line, const char* around, Facts)
        : source_{text, file, detail::line_of<Lambda>(line), nullptr, around, &detail::facts_of<Lambda, Facts>}
    {
    }
    /// For the library: a source made elsewhere.
    constexpr function(Lambda, const detail::function_source& source) : source_(source) {}
    constexpr const detail::function_source& source() const { return source_; }

    template <class... Args>
    constexpr decltype(auto) operator()(Args&&... args) const
    {
        return Lambda{}(std::forward<Args>(args)...);
    }

private:
    detail::function_source source_;
};

namespace detail
{
/// What SKELRT_FN makes of anything but the tail of a lambda.
struct tail_wanted {
    template <class T>
    constexpr auto operator=(const T&) const
    {
        static_assert(sizeof(T) == 0,
                      "skelrt: SKELRT_FN captures nothing: write SKELRT_FN_WITH((a, b), (float x) { ... }) "
                      "for values from around it, and SKELRT_FN((float x) { ... }) otherwise");
        return [](const auto&...) { return 0; };
    }
};
/// Of the name of the function that something stands in.
constexpr bool is_outside(const char* function) { return function[0] == 0; }

struct shared_text {
    shared_text(const char* text, const char* file, int line, const source_facts& facts)
    {
        register_shared({text, file, line, nullptr, nullptr, &facts});
    }
};
} // namespace detail

} // namespace skelrt

#define SKELRT_DETAIL_TEXT_(...) #__VA_ARGS__
/// As text, with the user's macros replaced.
#define SKELRT_DETAIL_TEXT(...) SKELRT_DETAIL_TEXT_(__VA_ARGS__)

/// What the compiler knows of the place where a macro stands. In a lambda: there is no function around namespace scope.
#define SKELRT_DETAIL_FACTS(...)                                                                                       \
    [] {                                                                                                               \
        return ::skelrt::detail::source_facts{__PRETTY_FUNCTION__, SKELRT_DETAIL_TEXT(__VA_ARGS__),                    \
                                              &::skelrt::detail::this_unit, __COUNTER__};                              \
    }

/// The function around: at namespace scope there is none, which is fine.
#ifdef __clang__
#define SKELRT_DETAIL_AROUND                                                                                           \
    _Pragma("clang diagnostic push")                                                                                   \
        _Pragma("clang diagnostic ignored \"-Wpredefined-identifier-outside-function\"") __PRETTY_FUNCTION__ _Pragma(  \
            "clang diagnostic pop")
#else
#define SKELRT_DETAIL_AROUND __PRETTY_FUNCTION__
#endif

#define SKELRT_DETAIL_JOIN_(a, b) a##b
#define SKELRT_DETAIL_JOIN(a, b) SKELRT_DETAIL_JOIN_(a, b)

/// [] in front of what begins with a parenthesis; in front of anything else, a lambda with captures, say, something
/// that says so: a macro cannot look at brackets.
#define SKELRT_DETAIL_PROBE(...) ~, 1,
#define SKELRT_DETAIL_SECOND(a, b, ...) b
#define SKELRT_DETAIL_PICK(...) SKELRT_DETAIL_SECOND(__VA_ARGS__)
#define SKELRT_DETAIL_INTRODUCER_0 ::skelrt::detail::tail_wanted{} =
#define SKELRT_DETAIL_INTRODUCER_1 []
#define SKELRT_DETAIL_INTRODUCER(...)                                                                                  \
    SKELRT_DETAIL_JOIN(SKELRT_DETAIL_INTRODUCER_, SKELRT_DETAIL_PICK(SKELRT_DETAIL_PROBE __VA_ARGS__, 0, 0))

/// SKELRT_FN((float a, float b) { return a * b; }): a function for every backend. What follows the macro's name is the
/// tail of a lambda without captures. Device compilers report errors at the user's file and line.
#define SKELRT_FN(...)                                                                                                 \
    ::skelrt::function(SKELRT_DETAIL_INTRODUCER(__VA_ARGS__) __VA_ARGS__, #__VA_ARGS__, __FILE__, __LINE__,            \
                       SKELRT_DETAIL_AROUND, SKELRT_DETAIL_FACTS(__VA_ARGS__))

/// SKELRT_SHARED(struct cplx { float re, im; }; inline float square(float x) { return x * x; }): structs, constants and
/// helper functions that user functions use, for every backend. At namespace scope. A function sees of them what C++
/// lets it
/// see: what its translation unit defines in front of it, looked up from its namespace outwards.
#define SKELRT_SHARED(...)                                                                                             \
    static_assert(::skelrt::detail::is_outside(__builtin_FUNCTION()),                                                  \
                  "skelrt: SKELRT_SHARED stands at namespace scope, outside functions");                               \
    __VA_ARGS__ [[maybe_unused]] static const ::skelrt::detail::shared_text SKELRT_DETAIL_JOIN(                        \
        skelrt_shared_, __COUNTER__){#__VA_ARGS__, __FILE__, __LINE__, SKELRT_DETAIL_FACTS(__VA_ARGS__)()};
