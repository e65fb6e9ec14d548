// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/parting/axis_split.hpp"

#include <algorithm>

namespace skelrt::detail
{

std::size_t axis_split::begin(unsigned part) const noexcept
{
    return part * (extent / parts) + std::min<std::size_t>(part, extent % parts);
}

unsigned axis_split::owner(std::size_t i) const noexcept
{
    if (block > 0) return static_cast<unsigned>(i / block % parts);
    const std::size_t shorter = extent / parts, longer = extent % parts; // so many blocks are one longer
    const std::size_t in_longer = longer * (shorter + 1);
    return static_cast<unsigned>(i < in_longer ? i / (shorter + 1) : longer + (i - in_longer) / shorter);
}

std::size_t axis_split::local(std::size_t i) const noexcept
{
    if (block > 0) return i / (block * parts) * block + i % block;
    return i - begin(owner(i));
}

std::size_t axis_split::held(unsigned part) const noexcept
{
    if (block == 0) return begin(part + 1) - begin(part);
    const std::size_t turn = block * parts, rest = extent % turn, before = part * block;
    return extent / turn * block + (rest > before ? std::min(rest - before, block) : 0);
}

std::size_t axis_split::global(unsigned part, std::size_t local) const noexcept
{
    if (block == 0) return begin(part) + local;
    return local / block * (block * parts) + part * block + local % block;
}

std::size_t axis_split::runs(unsigned part) const noexcept
{
    const std::size_t positions = held(part);
    if (block == 0 || parts == 1) return positions > 0 ? 1 : 0;
    return (positions + block - 1) / block;
}

position_run axis_split::run(unsigned part, std::size_t n) const noexcept
{
    if (block == 0 || parts == 1) return {global(part, 0), held(part)};
    return {global(part, n * block), std::min(block, held(part) - n * block)};
}

} // namespace skelrt::detail
