// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/source.hpp"

namespace skelrt::detail::cuda
{

const char* const elements_text = R"cuda(
namespace skelrt::generated
{

/// N values in registers. Not an array: a user's type may have no default constructor.
template <class T, int N> struct values {
    alignas(T) unsigned char bytes[N * sizeof(T)];
    T& operator[](int i) { return reinterpret_cast<T*>(bytes)[i]; }
    const T& operator[](int i) const { return reinterpret_cast<const T*>(bytes)[i]; }
};

template <int Bytes> struct word_of { using type = unsigned char; };
template <> struct word_of<2> { using type = unsigned short; };
template <> struct word_of<4> { using type = unsigned; };
template <> struct word_of<8> { using type = uint2; };
template <> struct word_of<16> { using type = uint4; };

/// N successive elements, moved between memory and registers in the widest words that divide their size.
/// The first element's address must be a multiple of that word's size.
template <class T, int N> struct pack {
    static constexpr int bytes = N * sizeof(T);
    static constexpr int word_bytes = bytes % 16 == 0 ? 16 : bytes & -bytes;
    using word = typename word_of<word_bytes>::type;

    word words[bytes / word_bytes];

    void load(const T* from)
    {
        #pragma unroll
        for (int i = 0; i < bytes / word_bytes; ++i) words[i] = reinterpret_cast<const word*>(from)[i];
    }
    void store(T* to) const
    {
        #pragma unroll
        for (int i = 0; i < bytes / word_bytes; ++i) reinterpret_cast<word*>(to)[i] = words[i];
    }
    T get(int i) const
    {
        values<T, 1> value;
        memcpy(&value, reinterpret_cast<const char*>(words) + i * sizeof(T), sizeof(T));
        return value[0];
    }
    void set(int i, const T& value) { memcpy(reinterpret_cast<char*>(words) + i * sizeof(T), &value, sizeof(T)); }
};

/// Stores an element; one whose type asks for less alignment than its size gives still goes in few words.
template <class T> inline void put(T* to, const T& value)
{
    if constexpr (pack<T, 1>::word_bytes > alignof(T)) {
        pack<T, 1> one;
        one.set(0, value);
        one.store(to);
    } else {
        *to = value;
    }
}

inline size_t divide_up(size_t a, size_t b) { return (a + b - 1) / b; }

struct position { size_t row, col; };

/// A 64-bit division is long code on a GPU and rarely needed: once per program, not in every loop.
inline __noinline__ position long_division(size_t i, size_t cols) { return {i / cols, i % cols}; }

/// Element i of a block of columns, counted row by row.
inline position position_of(size_t i, size_t cols)
{
    if (i < cols) return {0, i};
    if ((i | cols) >> 32 == 0) return {unsigned(i) / unsigned(cols), unsigned(i) % unsigned(cols)};
    return long_division(i, cols);
}

} // namespace skelrt::generated
)cuda";

} // namespace skelrt::detail::cuda
