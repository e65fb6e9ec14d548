// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/caller.hpp"
#include "half.hpp"
#include "matrix.hpp"
#include "tensor.hpp"
#include "vector.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

/// Containers in NumPy's files: what sk::write wrote, numpy.load gives as an array, and the other way round.
namespace skelrt
{

namespace detail
{

/// An element as files name it: "f4".
struct stored_element {
    char kind = ' '; ///< 'b' truth values, 'f' floating point, 'i' signed and 'u' unsigned integers
    std::uint32_t size = 0;
    friend bool operator==(const stored_element&, const stored_element&) = default;
};

template <class T>
constexpr stored_element stored_as() noexcept
{
    static_assert(std::is_arithmetic_v<T> || std::same_as<T, half>,
                  "skelrt: files hold containers of numbers; write the members of structs one by one");
    if constexpr (std::same_as<T, bool>) return {'b', sizeof(T)};
    else if constexpr (std::integral<T>) return {std::signed_integral<T> ? 'i' : 'u', sizeof(T)};
    else return {'f', sizeof(T)};
}

/// A call of sk::read or sk::write, for as long as it lasts.
struct file_request {
    const char* name;
    const std::string& file;
    stored_element element;
    caller where;
};

/// Writes this rank's elements, and the header on the first rank. Null: there are no elements.
SKELRT_API void write_file(storage* s, std::span<const std::size_t> extents, const file_request& r);
/// Extents of what the file holds. Throws error unless it has so many axes, and such elements.
SKELRT_API void look_into_file(std::span<std::size_t> extents, const file_request& r);
/// Reads this rank's elements of a container that has these extents, as the file has.
SKELRT_API void read_file(storage* s, std::span<const std::size_t> extents, const file_request& r);

template <std::size_t Axes>
std::array<std::size_t, Axes> extents_in_file(const file_request& r)
{
    std::array<std::size_t, Axes> extents{};
    look_into_file(extents, r);
    return extents;
}

} // namespace detail

/// Writes a container to a file of NumPy's format, version 1.0. Waits for its elements. Several ranks all make the
/// call, each writes what it holds, and the file must be the same for all of them. It takes the place of an old one
/// once it is complete. Throws error, on all ranks, where it cannot be written.
template <class T>
void write(const vector<T>& x, const std::string& file, detail::caller where = detail::caller::here())
{
    detail::write_file(x.storage().get(), std::array{x.size()}, {"sk::write", file, detail::stored_as<T>(), where});
}
template <class T>
void write(const matrix<T>& x, const std::string& file, detail::caller where = detail::caller::here())
{
    detail::write_file(x.storage().get(), std::array{x.rows(), x.cols()},
                       {"sk::write", file, detail::stored_as<T>(), where});
}
template <class T, int Rank>
void write(const tensor<T, Rank>& x, const std::string& file, detail::caller where = detail::caller::here())
{
    detail::write_file(x.storage().get(), x.extents(), {"sk::write", file, detail::stored_as<T>(), where});
}

/// Gives a container the elements of a file of NumPy's, and its shape. Of the same shape already, it keeps its memory.
/// The file has the container's number of axes and type of elements, rows one after the other. Several ranks all make
/// the call, and each reads what it holds. Throws error, on all ranks, where it cannot be read; then elements have any
/// values.
template <class T>
void read(vector<T>& x, const std::string& file, detail::caller where = detail::caller::here())
{
    const detail::file_request r{"sk::read", file, detail::stored_as<T>(), where};
    const auto extents = detail::extents_in_file<1>(r);
    if (x.size() != extents[0]) x = vector<T>(extents[0], uninitialized);
    detail::read_file(x.storage().get(), extents, r);
}
template <class T>
void read(matrix<T>& x, const std::string& file, detail::caller where = detail::caller::here())
{
    const detail::file_request r{"sk::read", file, detail::stored_as<T>(), where};
    const auto extents = detail::extents_in_file<2>(r);
    if (std::array{x.rows(), x.cols()} != extents) x = matrix<T>(extents[0], extents[1], uninitialized);
    detail::read_file(x.storage().get(), extents, r);
}
template <class T, int Rank>
void read(tensor<T, Rank>& x, const std::string& file, detail::caller where = detail::caller::here())
{
    const detail::file_request r{"sk::read", file, detail::stored_as<T>(), where};
    const auto extents = detail::extents_in_file<static_cast<std::size_t>(Rank)>(r);
    if (x.extents() != extents) x = tensor<T, Rank>(extents, uninitialized);
    detail::read_file(x.storage().get(), extents, r);
}

} // namespace skelrt
