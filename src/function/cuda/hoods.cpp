// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/cuda/cuda.hpp"
#include "src/function/cuda/lockstep.hpp"

namespace skelrt::detail
{
namespace
{

/// Elements where they lie: the border rule decides what a coordinate outside of the grid means. One segment is cut
/// from the grid along one axis; what lies in front of it and behind it on that axis comes with it.
constexpr const char* around_text = R"cuda(
namespace skelrt::generated
{
template <int Axis> inline bool reaches(ptrdiff_t d) { return d >= -reach_before[Axis] && d <= reach_after[Axis]; }

/// Extent of a segment: its lines on the axis that tiles cut, the whole grid on the others.
struct space {
    long n[3];
    int cut;
};

/// Where an element lies: in the segment's lines, in those before it or after it, or outside of the grid; and how far
/// behind the first of these.
struct spot {
    enum lines { data, before, after, outside } in;
    long i;
};

template <int Axis> inline bool fold(const space& s, long& i, spot::lines& in, bool has_before, bool has_after)
{
    if (reach_before[Axis] + reach_after[Axis] == 0) return true;
    const long n = s.n[Axis];
    if ((unsigned long)i < (unsigned long)n) return true;
    if (Axis == s.cut && i < 0 && has_before) {
        in = spot::before;
        i += steps * reach_before[Axis];
        return true;
    }
    if (Axis == s.cut && i >= n && has_after) {
        in = spot::after;
        i -= n;
        return true;
    }
    if (border == border_rule::constant) return false;
    if (border == border_rule::cyclic) i = (i % n + n) % n;
    else i = i < 0 ? 0 : n - 1;
    return true;
}

template <class T> struct around {
    const T* data;
    const T* before; // lines in front of the segment; null: the grid begins with the segment
    const T* after;  // lines behind it; null: the grid ends with it
    const T* outside;

    /// Of a coordinate that counts from the segment's first; only as far away as the stencil reaches.
    spot at_spot(const space& s, long z, long y, long x) const
    {
        spot::lines in = spot::data;
        const bool b = before != nullptr, a = after != nullptr;
        const bool in_z = fold<0>(s, z, in, b, a), in_y = fold<1>(s, y, in, b, a), in_x = fold<2>(s, x, in, b, a);
        if (border == border_rule::constant && !(in_z && in_y && in_x)) return {spot::outside, 0};
        return {in, (z * s.n[1] + y) * s.n[2] + x};
    }
    const T& operator[](const spot& at) const
    {
        if (border == border_rule::constant && at.in == spot::outside) return *outside;
        return lines(at.in)[at.i];
    }
    const T& at(const space& s, long z, long y, long x) const { return (*this)[at_spot(s, z, y, x)]; }

    /// Row (z, y), where columns are not the axis that tiles cut; null: outside of the grid.
    const T* row(const space& s, long z, long y) const
    {
        spot::lines in = spot::data;
        const bool b = before != nullptr, a = after != nullptr;
        const bool in_z = fold<0>(s, z, in, b, a), in_y = fold<1>(s, y, in, b, a);
        if (border == border_rule::constant && !(in_z && in_y)) return nullptr;
        return lines(in) + (z * s.n[1] + y) * s.n[2];
    }

private:
    const T* lines(spot::lines in) const { return in == spot::before ? before : in == spot::after ? after : data; }
};
} // namespace skelrt::generated
)cuda";

/// Must offer what <skelrt/hood.hpp> offers on the host.
constexpr const char* tile_hoods = R"cuda(
namespace skelrt
{
template <class T> class hood1
{
public:
    using value_type = T;
    hood1(const T* at, ptrdiff_t, ptrdiff_t y) : at_(at), step_(generated::down ? y : 1) {}
    const T& operator()(ptrdiff_t i) const
    {
        SKELRT_CHECK(generated::reaches<generated::down ? 1 : 2>(i), SKELRT_NO_ELEMENT, 0, 0, i, 0, 0)
        return at_[i * step_];
    }
    const T& operator[](ptrdiff_t i) const { return (*this)(i); }
    const void* origin() const { return at_; }

private:
    const T* at_;
    ptrdiff_t step_;
};

template <class T> class hood2
{
public:
    using value_type = T;
    hood2(const T* at, ptrdiff_t, ptrdiff_t y) : at_(at), y_(y) {}
    const T& operator()(ptrdiff_t row, ptrdiff_t col) const
    {
        SKELRT_CHECK(generated::reaches<1>(row) && generated::reaches<2>(col), SKELRT_NO_ELEMENT, 0, row, col, 0, 0)
        return at_[row * y_ + col];
    }
    const void* origin() const { return at_; }

private:
    const T* at_;
    ptrdiff_t y_;
};

template <class T> class hood3
{
public:
    using value_type = T;
    hood3(const T* at, ptrdiff_t z, ptrdiff_t y) : at_(at), z_(z), y_(y) {}
    const T& operator()(ptrdiff_t plane, ptrdiff_t row, ptrdiff_t col) const
    {
        SKELRT_CHECK(generated::reaches<0>(plane) && generated::reaches<1>(row) && generated::reaches<2>(col), SKELRT_NO_ELEMENT,
                     plane, row, col, 0, 0)
        return at_[plane * z_ + row * y_ + col];
    }
    const void* origin() const { return at_; }

private:
    const T* at_;
    ptrdiff_t z_, y_;
};
} // namespace skelrt
)cuda";

/// Hoods in global memory: known to lie in the grid, at a distance from the first position of a thread's patch; or
/// anywhere, under the border rule. Which of both is a constant where hoods are made, so nothing of the choice is left
/// in the kernel.
constexpr const char* direct_hoods = R"cuda(
namespace skelrt::generated
{
constexpr int axis_s = rank == 3 ? 0 : 1; // lines in front of and behind a segment lie on this axis
constexpr long most_pitch = 0x7fffffff / (reach_before[axis_s] + reach_after[axis_s] + 16);

/// Where the lines around a position are; those in front of the segment and behind it have their own addresses, moved
/// so that all lines have the same distances.
template <class T> struct near_lines {
    const T *data, *before, *after;
    int pitch_z, pitch_y;
    int first, last; // the segment's lines lie at these distances: from first to last - 1

    const T& at(int z, int y, int x) const
    {
        const T* from = data;
        const int s = rank == 3 ? z : y;
        if (reach_before[axis_s] > 0 && s < first) from = before;
        if (reach_after[axis_s] > 0 && s >= last) from = after;
        return from[(rank == 3 ? z * pitch_z : 0) + y * pitch_y + x];
    }
};
} // namespace skelrt::generated

namespace skelrt::generated
{
#ifdef SKELRT_HOOD_MAPS
struct map_sources; // of all maps under hoods; its text follows the user's types
/// Element (z, y, x) of the hoods of a slot over a map.
template <class T> T mapped_at(int slot, const map_sources& from, bool is_near, long z, long y, long x);
template <class T> using seen = T;
#else
template <class T> using seen = const T&;
#endif
} // namespace skelrt::generated

namespace skelrt
{
template <class T> class direct_hood
{
public:
    using value_type = T;
    using seen = generated::seen<T>;
    direct_hood(const generated::near_lines<T>& near, int z, int y, int x) : near_(near), z_(z), y_(y), x_(x), is_near_(true) {}
    direct_hood(const generated::around<T>& all, const generated::space& s, long z, long y, long x)
        : all_(all), space_(s), z_(z), y_(y), x_(x), is_near_(false)
    {
    }
#ifdef SKELRT_HOOD_MAPS
    direct_hood(const generated::map_sources& from, int slot, bool is_near, long z, long y, long x)
        : z_(z), y_(y), x_(x), is_near_(is_near), sources_(&from), slot_(slot)
    {
    }
#endif
    /// Tells the hoods of different containers, or maps, apart.
    const void* origin() const
    {
#ifdef SKELRT_HOOD_MAPS
        if (sources_ != nullptr) return reinterpret_cast<const void*>(size_t(slot_) + 1);
#endif
        return is_near_ ? near_.data : all_.data;
    }
    seen at(ptrdiff_t z, ptrdiff_t y, ptrdiff_t x) const
    {
#ifdef SKELRT_HOOD_MAPS
        if (sources_ != nullptr) return generated::mapped_at<T>(slot_, *sources_, is_near_, z_ + z, y_ + y, x_ + x);
#endif
        return is_near_ ? near_.at(int(z_) + int(z), int(y_) + int(y), int(x_) + int(x))
                        : all_.at(space_, z_ + z, y_ + y, x_ + x);
    }

private:
    generated::near_lines<T> near_;
    generated::around<T> all_;
    generated::space space_;
    long z_, y_, x_;
    bool is_near_;
#ifdef SKELRT_HOOD_MAPS
    const generated::map_sources* sources_ = nullptr;
    int slot_ = 0;
#endif
};

template <class T> class hood1 : direct_hood<T>
{
public:
    using typename direct_hood<T>::value_type;
    using typename direct_hood<T>::seen;
    using direct_hood<T>::direct_hood;
    using direct_hood<T>::origin;
    seen operator()(ptrdiff_t i) const
    {
        SKELRT_CHECK(generated::reaches<generated::down ? 1 : 2>(i), SKELRT_NO_ELEMENT, 0, 0, i, 0, 0)
        return generated::down ? this->at(0, i, 0) : this->at(0, 0, i);
    }
    seen operator[](ptrdiff_t i) const { return (*this)(i); }
};

template <class T> class hood2 : direct_hood<T>
{
public:
    using typename direct_hood<T>::value_type;
    using typename direct_hood<T>::seen;
    using direct_hood<T>::direct_hood;
    using direct_hood<T>::origin;
    seen operator()(ptrdiff_t row, ptrdiff_t col) const
    {
        SKELRT_CHECK(generated::reaches<1>(row) && generated::reaches<2>(col), SKELRT_NO_ELEMENT, 0, row, col, 0, 0)
        return this->at(0, row, col);
    }
};

template <class T> class hood3 : direct_hood<T>
{
public:
    using typename direct_hood<T>::value_type;
    using typename direct_hood<T>::seen;
    using direct_hood<T>::direct_hood;
    using direct_hood<T>::origin;
    seen operator()(ptrdiff_t plane, ptrdiff_t row, ptrdiff_t col) const
    {
        SKELRT_CHECK(generated::reaches<0>(plane) && generated::reaches<1>(row) && generated::reaches<2>(col), SKELRT_NO_ELEMENT,
                     plane, row, col, 0, 0)
        return this->at(plane, row, col);
    }
};
} // namespace skelrt
)cuda";

std::string constants(const stencil_shape& shape, unsigned steps)
{
    const auto list = [](const unsigned(&reach)[3]) {
        return "{" + std::to_string(reach[0]) + ", " + std::to_string(reach[1]) + ", " + std::to_string(reach[2]) + "}";
    };
    const char* const rules[] = {"constant", "cyclic", "nearest", "none"};
    std::string text = "namespace skelrt::generated\n{\n";
    text += "constexpr int rank = " + std::to_string(shape.rank) + ", steps = " + std::to_string(steps) + ";\n";
    text += std::string{"constexpr bool down = "} + (shape.down ? "true" : "false") + ";\n";
    text += "constexpr int reach_before[3] = " + list(shape.before) + ", reach_after[3] = " + list(shape.after) + ";\n";
    text += "enum class border_rule { constant, cyclic, nearest, none };\nconstexpr border_rule border = border_rule::";
    return text + rules[static_cast<std::size_t>(shape.border)] + ";\n} // namespace skelrt::generated\n";
}

} // namespace

std::string cuda_hoods(const stencil_shape& shape, unsigned steps, hood_memory memory, bool maps)
{
    const char* const hoods[] = {tile_hoods, direct_hoods, lockstep_hoods};
    return constants(shape, steps) + (maps ? "#define SKELRT_HOOD_MAPS\n" : "") + around_text +
           hoods[static_cast<std::size_t>(memory)];
}

} // namespace skelrt::detail
