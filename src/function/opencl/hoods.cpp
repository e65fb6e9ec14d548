// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/opencl/hoods.hpp"

#include "src/function/opencl/checks.hpp"

#include <fmt/format.h>

namespace skelrt::detail::opencl
{
namespace
{

constexpr const char* space = R"CL(
enum { SKELRT_CONSTANT, SKELRT_CYCLIC, SKELRT_NEAREST, SKELRT_NONE };
#define SKELRT_PITCH_Y (SKELRT_TILE_X + SKELRT_STEPS * (SKELRT_BEFORE_X + SKELRT_AFTER_X))
#define SKELRT_PITCH_Z (SKELRT_PITCH_Y * (SKELRT_TILE_Y + SKELRT_STEPS * (SKELRT_BEFORE_Y + SKELRT_AFTER_Y)))

/* Extent of a segment: its lines on the axis that tiles cut, the whole grid on the others. */
typedef struct {
    long n0, n1, n2;
    int cut;
    bool has_before, has_after; /* lines of other segments; none: the grid ends with this one */
} skelrt_space;

/* Where a coordinate lies: 0 in the segment, 1 in front of it, 2 behind it, 3 outside of the grid. */
static inline int skelrt_fold(skelrt_space s, int axis, long n, long before, long after, long* i)
{
    if (before + after == 0 || (*i >= 0 && *i < n)) return 0;
    if (axis == s.cut && *i < 0 && s.has_before) {
        *i += SKELRT_STEPS * before;
        return 1;
    }
    if (axis == s.cut && *i >= n && s.has_after) {
        *i -= n;
        return 2;
    }
    if (SKELRT_BORDER == SKELRT_CONSTANT) return 3;
    if (SKELRT_BORDER == SKELRT_CYCLIC) *i = (*i % n + n) % n;
    else *i = *i < 0 ? 0 : n - 1;
    return 0;
}
)CL";

/// {0} name, {1} type, {2} stored.
constexpr const char* around = R"CL(
typedef {2} {0}_element;
typedef struct {{
    __global const {2} *data, *before, *after;
    {2} outside;
    skelrt_space s;
}} {0}_around;
static inline {1} {0}_find(const {0}_around* a, long z, long y, long x)
{{
    const int in_z = skelrt_fold(a->s, 0, a->s.n0, SKELRT_BEFORE_Z, SKELRT_AFTER_Z, &z);
    const int in_y = skelrt_fold(a->s, 1, a->s.n1, SKELRT_BEFORE_Y, SKELRT_AFTER_Y, &y);
    const int in_x = skelrt_fold(a->s, 2, a->s.n2, SKELRT_BEFORE_X, SKELRT_AFTER_X, &x);
    if (in_z == 3 || in_y == 3 || in_x == 3) return a->outside;
    const int where = in_z + in_y + in_x;
    __global const {2}* from = where == 0 ? a->data : where == 1 ? a->before : a->after;
    return from[(z * a->s.n1 + y) * a->s.n2 + x];
}}
)CL";

/// {0} name, {1} type, {2} stored, {3} parameters, {4} where in a tile, {5} coordinates, {6} and {7} for
/// checks of indices.
constexpr const char* hood = R"CL(
#ifdef SKELRT_CHECKED
typedef struct {{
    const {0}_around* a;
    long z, y, x;
    {6}
}} {0};
static inline {1} {0}_at({0} u, {3}) {{ {7}return {0}_find(u.a, {5}); }}
#else
typedef struct {{
    __local const {2}* p;
    {6}
}} {0};
static inline {1} {0}_at({0} u, {3}) {{ {7}return u.p[{4}]; }}
#endif
)CL";

} // namespace

std::string hood_prologue(const stencil_shape& shape)
{
    std::string text;
    constexpr const char* axes[] = {"Z", "Y", "X"};
    for (int a = 0; a < 3; ++a)
        text += fmt::format("#define SKELRT_BEFORE_{0} {1}\n#define SKELRT_AFTER_{0} {2}\n", axes[a], shape.before[a],
                            shape.after[a]);
    constexpr const char* rules[] = {"CONSTANT", "CYCLIC", "NEAREST", "NONE"};
    text += fmt::format("#define SKELRT_RANK {}\n#define SKELRT_DOWN {}\n#define SKELRT_BORDER SKELRT_{}\n", shape.rank,
                        shape.down ? 1 : 0, rules[static_cast<std::size_t>(shape.border)]);
    return text + space;
}

std::string hood_type(const std::string& name, int rank, const std::string& type, const std::string& stored)
{
    const char* parameters = rank == 1 ? "long i" : rank == 2 ? "long y, long x" : "long z, long y, long x";
    const char* in_tile = rank == 1   ? "SKELRT_DOWN ? i * SKELRT_PITCH_Y : i"
                          : rank == 2 ? "y * SKELRT_PITCH_Y + x"
                                      : "z * SKELRT_PITCH_Z + y * SKELRT_PITCH_Y + x";
    const char* coordinates = rank == 1   ? "u.z, SKELRT_DOWN ? u.y + i : u.y, SKELRT_DOWN ? u.x : u.x + i"
                              : rank == 2 ? "u.z, u.y + y, u.x + x"
                                          : "u.z + z, u.y + y, u.x + x";
    return fmt::format(fmt::runtime(around), name, type, stored) +
           fmt::format(fmt::runtime(hood), name, type, stored, parameters, in_tile, coordinates, checked_members(),
                       checked_distances(rank));
}

} // namespace skelrt::detail::opencl
