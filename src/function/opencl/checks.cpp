// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/opencl/checks.hpp"

#include <skelrt/detail/index_checks.hpp>

#include <fmt/format.h>

namespace skelrt::detail::opencl
{

std::string place_text()
{
    return R"CL(
typedef struct {
    __global ulong* fault;
    ulong row, col, width;
} skelrt_place;
static inline void skelrt_outside(const skelrt_place* at, ulong slot, long a, long b, long c, ulong rows, ulong cols)
{
    __global ulong* f = at->fault;
    if (atomic_cmpxchg((volatile __global uint*)f, 0u, 1u) != 0u) return;
    f[1] = slot;
    f[2] = (ulong)a;
    f[3] = (ulong)b;
    f[4] = (ulong)c;
    f[5] = rows;
    f[6] = cols;
    f[7] = at->row;
    f[8] = at->col;
    f[9] = at->width;
}
static inline bool skelrt_writes_first(ulong i, __global void* end)
{
    __global uint* words = (__global uint*)(((size_t)end + 3) / 4 * 4);
    const uint bit = 1u << i % 32;
    return (atomic_or((volatile __global uint*)words + i / 32, bit) & bit) == 0;
}
)CL";
}

std::string checked_members() { return checks_bounds() ? "const skelrt_place* at; ulong slot; " : ""; }

std::string checked_access(const std::string& name, const std::string& stored, bool is_vec)
{
    constexpr const char* vec = R"CL(static inline __global const {1}* {0}_at({0} v, ulong i)
{{
    if (i < v.n) return v.p + i;
    skelrt_outside(v.at, v.slot, (long)i, 0, 0, v.n, 0);
    return v.p;
}}
)CL";
    constexpr const char* mat = R"CL(static inline __global const {1}* {0}_at({0} v, ulong row, ulong col)
{{
    if (row < v.rows && col < v.cols) return v.p + (row * v.ld + col);
    skelrt_outside(v.at, v.slot, (long)row, (long)col, 0, v.rows, v.cols);
    return v.p;
}}
)CL";
    return fmt::format(fmt::runtime(is_vec ? vec : mat), name, stored);
}

std::string checked_change(const std::string& name, const std::string& type)
{
    return fmt::format("static inline void {0}_put_checked({0} a, ulong i, {1} value)\n{{\n"
                       "    if (i < a.n) {0}_put(a, i, value);\n"
                       "    else skelrt_outside(a.at, a.slot, (long)i, 0, 0, a.n, 0);\n}}\n",
                       name, type);
}

std::string checked_set(const std::string& name, const std::string& type)
{
    return fmt::format("static inline void {0}_put_checked({0} a, ulong i, {1} value)\n{{\n"
                       "    if (i < a.n && skelrt_writes_first(i, a.p + a.n)) {0}_put(a, i, value);\n"
                       "    else skelrt_outside(a.at, a.slot, (long)i, 0, 0, a.n, 0);\n}}\n",
                       name, type);
}

std::string checked_distances(int rank)
{
    if (!checks_bounds()) return "";
    const auto beyond = [](const char* d, const char* axis) {
        return fmt::format("{0} < -(long)SKELRT_BEFORE_{1} || {0} > (long)SKELRT_AFTER_{1}", d, axis);
    };
    if (rank == 1)
        return fmt::format("if (SKELRT_DOWN ? {} : {}) {{ skelrt_outside(u.at, u.slot, 0, 0, i, 0, 0); i = 0; }} ",
                           beyond("i", "Y"), beyond("i", "X"));
    if (rank == 2)
        return fmt::format("if ({} || {}) {{ skelrt_outside(u.at, u.slot, 0, y, x, 0, 0); y = x = 0; }} ",
                           beyond("y", "Y"), beyond("x", "X"));
    return fmt::format("if ({} || {} || {}) {{ skelrt_outside(u.at, u.slot, z, y, x, 0, 0); z = y = x = 0; }} ",
                       beyond("z", "Z"), beyond("y", "Y"), beyond("x", "X"));
}

} // namespace skelrt::detail::opencl
