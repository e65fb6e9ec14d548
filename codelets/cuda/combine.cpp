// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/launch/launchers.hpp"

#include <cstring>

namespace skelrt::detail::cuda
{
namespace
{

/// The bytes of the kernels' struct combination: seven words, then the start value.
class combination_block
{
public:
    combination_block(const parameter_layout& layout, const combination& what)
    {
        // struct reduction has three words in front of its start value, struct combination seven: padding may differ.
        const std::size_t align = layout.what.result_align, start = rounded_up(sizeof words, align);
        if (start + layout.what.result_size > sizeof usual_)
            large_ = std::make_unique<std::byte[]>(start + layout.what.result_size);
        words[0] = reinterpret_cast<std::size_t>(what.partials);
        words[1] = what.count;
        words[2] = what.step;
        words[3] = what.next;
        words[4] = what.results;
        words[5] = reinterpret_cast<std::size_t>(what.out);
        words[6] = static_cast<std::size_t>(what.in_front);
        std::memcpy(data(), words, sizeof words);
        if (what.in_front == front::start) std::memcpy(data() + start, what.start, layout.what.result_size);
    }
    std::byte* data() { return large_ ? large_.get() : usual_; }

private:
    std::size_t words[7];
    alignas(64) std::byte usual_[512];
    std::unique_ptr<std::byte[]> large_;
};

} // namespace

void combine_partials(const program& kernels, const combination& what, cudaStream_t stream)
{
    combination_block block{kernels.layout, what};
    run(kernels.combine, {what.results}, what.count <= warp_lanes ? warp_lanes : kernels.threads, block.data(), stream);
}

void combine_each(const program& kernels, const combination& what, cudaStream_t stream)
{
    combination_block block{kernels.layout, what};
    run(kernels.combine_each, {divided_up(what.results, kernels.threads)}, kernels.threads, block.data(), stream);
}

} // namespace skelrt::detail::cuda
