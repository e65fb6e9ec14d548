// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/source.hpp"

namespace skelrt::detail::cuda
{

/// What kernels share whose blocks wait for those in front of them: scans and filters.
const char* const chain_text = R"cuda(
namespace skelrt::generated
{

/// Between two looks for what another block publishes: who looks too early or too often takes bandwidth from those that
/// it waits for. About a microsecond first, then briefly.
class pause
{
public:
    void take()
    {
        __nanosleep(next_);
        next_ = 76;
    }

private:
    unsigned next_ = 1150;
};

struct tile_place { size_t tile; int segment; };

/// Where tile number blockIdx.x of a launch lies that goes through all segments, `size` elements in a tile.
template <class Reader, class Parameters> inline tile_place place_of_block(const Parameters& p, size_t size)
{
    // Containers have equal tiles, but for the last: then nobody has to look for the segment.
    const unsigned each = p.r.chunk;
    if (each) return {blockIdx.x % each, int(blockIdx.x / each)};
    tile_place at = {blockIdx.x, 0};
    for (;; ++at.segment) {
        const size_t tiles = divide_up(Reader::count(p.at[at.segment]), size);
        if (at.tile < tiles) return at;
        at.tile -= tiles;
    }
}

} // namespace skelrt::generated
)cuda";

} // namespace skelrt::detail::cuda
