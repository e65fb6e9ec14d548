#pragma once

#include "detail/recipe.hpp"

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

/// Position in a call on tensors of rank 3, and of rank 4.
struct index3 {
    std::size_t plane, row, col;
};
struct index4 {
    std::size_t cube, plane, row, col;
};

/// Parameter of a user function that sees a whole vector, read-only, any index.
template <class T>
class vec
{
public:
    using value_type = T;
    vec(const T* data, std::size_t size) : data_(data), size_(size) {}
    const T& operator[](std::size_t i) const { return data_[i]; }
    const T& operator()(std::size_t i) const { return data_[i]; }
    std::size_t size() const { return size_; }
    const T* data() const { return data_; }

private:
    const T* data_;
    std::size_t size_;
};

/// Parameter of a user function that sees a whole matrix, read-only, any position.
template <class T>
class mat
{
public:
    using value_type = T;
    mat(const T* data, std::size_t rows, std::size_t cols, std::size_t ld)
        : data_(data), rows_(rows), cols_(cols), ld_(ld)
    {
    }
    const T& operator()(std::size_t row, std::size_t col) const { return data_[row * ld_ + col]; }
    std::size_t rows() const { return rows_; }
    std::size_t cols() const { return cols_; }
    const T* data() const { return data_; }

private:
    const T* data_;
    std::size_t rows_, cols_, ld_;
};

/// Parameter of a user function that adds to a whole vector, at any index; see sk::for_each.
template <class T>
class accumulator
{
public:
    using value_type = T;
    accumulator(T* data, std::size_t size) : data_(data), size_(size) {}
    /// Adds v to element i.
    void add(std::size_t i, const T& v) const { data_[i] = static_cast<T>(data_[i] + v); }
    std::size_t size() const { return size_; }

private:
    T* data_;
    std::size_t size_;
};

/// A user function: a captureless lambda for the host and its own text for the devices. Made by SKELRT_FN.
template <class Lambda>
class function
{
    static_assert(std::is_empty_v<Lambda>,
                  "skelrt: a user function captures nothing; pass values as arguments instead");

public:
    using lambda = Lambda;
    constexpr function(Lambda, const char* text, const char* file, int line) : source_{text, file, line} {}
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
struct shared_text {
    shared_text(const char* text, const char* file, int line) { register_shared({text, file, line}); }
};
} // namespace detail

} // namespace skelrt

/// SKELRT_FN((float a, float b) { return a * b; }): a function for every backend. What follows the macro's name is the
/// tail of a lambda without captures. Device compilers report errors at the user's file and line.
#define SKELRT_FN(...) ::skelrt::function([] __VA_ARGS__, #__VA_ARGS__, __FILE__, __LINE__)

#define SKELRT_DETAIL_JOIN_(a, b) a##b
#define SKELRT_DETAIL_JOIN(a, b) SKELRT_DETAIL_JOIN_(a, b)

/// SKELRT_SHARED(struct cplx { float re, im; }; inline float square(float x) { return x * x; }): structs, constants and
/// helper functions that user functions use, for every backend. At namespace scope.
#define SKELRT_SHARED(...)                                                                                             \
    __VA_ARGS__ namespace                                                                                              \
    {                                                                                                                  \
        [[maybe_unused]] const ::skelrt::detail::shared_text SKELRT_DETAIL_JOIN(skelrt_shared_, __COUNTER__){          \
            #__VA_ARGS__, __FILE__, __LINE__};                                                                         \
    }
