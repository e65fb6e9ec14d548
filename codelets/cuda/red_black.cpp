#include "launchers.hpp"

#include <vector>

/// All half steps of a red-black iteration on a matrix: the first one goes from the grid as it is given to the result, the
/// others are made there. No half step reads what it writes but at the position itself, since hoods see only the other
/// color around it; so it does not matter in which order positions are updated.
namespace skelrt::detail::cuda
{
namespace
{

/// The half steps after the first: hoods lie in the result.
class in_place
{
public:
    explicit in_place(const work& first)
        : slots_(first.slots.begin(), first.slots.end()), hoods_(first.hoods.begin(), first.hoods.end()), work_(first)
    {
        const std::size_t count = first.segments.size(), slots = first.what.slots.size(),
                          hood = first_hood(first.what);
        for (std::size_t s = 0; s < count; ++s) {
            slots_[s * slots + hood].data = first.slot(s, slots - 1).data;
            // Where there was a line in front of the segment, or behind it, another segment has it: the first one, beyond a
            // cyclic edge.
            if (hoods_[s].before.data) hoods_[s].before.data = last_line(first, (s + count - 1) % count);
            if (hoods_[s].after.data) hoods_[s].after.data = first.slot((s + 1) % count, slots - 1).data;
        }
        work_.slots = slots_;
        work_.hoods = hoods_;
    }
    const work& half_step(int color)
    {
        work_.color = color;
        return work_;
    }

private:
    static void* last_line(const work& w, std::size_t s)
    {
        const slot_view& lines = w.slot(s, w.what.slots.size() - 1);
        return static_cast<std::byte*>(lines.data) + (w.segments[s].rows - 1) * lines.ld * w.what.result_size;
    }

    std::vector<slot_view> slots_;
    std::vector<hood_view> hoods_;
    work work_;
};

} // namespace

void launch_red_black(const work& what, const program& kernels, cudaStream_t stream)
{
    work first = what;
    first.steps = 1;
    launch_stencil(first, kernels, stream);
    in_place others(first);
    for (unsigned t = 1; t < what.steps; ++t)
        launch_stencil(others.half_step((what.color + static_cast<int>(t)) % 2), kernels, stream);
}

} // namespace skelrt::detail::cuda
