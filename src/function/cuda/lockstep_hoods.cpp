// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/cuda/lockstep.hpp"

namespace skelrt::detail
{

const char* const lockstep_hoods = R"cuda(
namespace skelrt
{
template <class T> concept number = std::skelrt_rank<T> != 0;

/// A number of each position that a thread computes. What is done with a patch is done with each of them.
template <class T> struct patch {
    static constexpr int count = generated::own_y * generated::own_x;
    T v[count];

    patch() = default;
    patch(T one)
    {
        #pragma unroll
        for (int i = 0; i < count; ++i) v[i] = one;
    }
    template <class U> patch(const patch<U>& other)
    {
        #pragma unroll
        for (int i = 0; i < count; ++i) v[i] = static_cast<T>(other.v[i]);
    }
    void operator++() { *this += T(1); }
    void operator++(int) { *this += T(1); }
    void operator--() { *this -= T(1); }
    void operator--(int) { *this -= T(1); }
    auto operator+() const { return patch<decltype(+T())>(*this); }
    auto operator-() const
    {
        patch<decltype(-T())> to;
        #pragma unroll
        for (int i = 0; i < count; ++i) to.v[i] = -v[i];
        return to;
    }
};

#define SKELRT_PATCH(op)                                                                                    \
    template <class A, class B> inline auto operator op(const patch<A>& a, const patch<B>& b)               \
    {                                                                                                       \
        patch<decltype(A() op B())> to;                                                                     \
        _Pragma("unroll") for (int i = 0; i < patch<A>::count; ++i) to.v[i] = a.v[i] op b.v[i];             \
        return to;                                                                                          \
    }                                                                                                       \
    template <class A, number B> inline auto operator op(const patch<A>& a, B b) { return a op patch<B>(b); } \
    template <number A, class B> inline auto operator op(A a, const patch<B>& b) { return patch<A>(a) op b; } \
    template <class A, class B> inline patch<A>& operator op##=(patch<A>& a, const B& b) { return a = a op b; }
SKELRT_PATCH(+) SKELRT_PATCH(-) SKELRT_PATCH(*) SKELRT_PATCH(/) SKELRT_PATCH(%)
#undef SKELRT_PATCH
} // namespace skelrt

namespace skelrt::generated
{
/// Columns of a tile lie in groups, as many as a thread computes, with a gap behind each: so threads beside each other
/// read different banks. A thread's hoods begin where a group does.
template <class T> constexpr int tile_index(int row, int column)
{
    return row * pitch<sizeof(T)> + column + int(unsigned(column) / own_x) * gap<sizeof(T)>;
}
} // namespace skelrt::generated

namespace skelrt
{
/// Of the position that is row rows and column columns behind the first of a thread.
template <class T> class hood2
{
public:
    using value_type = T;
    hood2(const T* tile, int row, int column) : tile_(tile), row_(row), column_(column) {}
    const T& operator()(ptrdiff_t row, ptrdiff_t col) const
    {
        return tile_[generated::tile_index<T>(row_ + int(row) + generated::reach_before[1],
                                              column_ + int(col) + generated::reach_before[2])];
    }

private:
    const T* tile_;
    int row_, column_;
};

/// Of all positions of a thread.
template <class T> class patch_hood2
{
public:
    explicit patch_hood2(const T* tile) : tile_(tile) {}
    patch<T> operator()(ptrdiff_t row, ptrdiff_t col) const
    {
        patch<T> seen;
        #pragma unroll
        for (int r = 0; r < generated::own_y; ++r)
            #pragma unroll
            for (int k = 0; k < generated::own_x; ++k)
                seen.v[r * generated::own_x + k] = hood2<T>(tile_, r, k)(row, col);
        return seen;
    }

private:
    const T* tile_;
};
} // namespace skelrt
)cuda";

} // namespace skelrt::detail
