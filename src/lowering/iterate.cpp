#include <skelrt/detail/hoods.hpp>

#include <utility>
#include <vector>

namespace skelrt::detail
{

namespace
{

storage_ref grid_like(const storage& s)
{
    storage_ref made(create_storage(s.rows, s.cols, s.element_size));
    made->inner = s.inner;
    made->whole_rows = s.whole_rows;
    made->wanted_tiles = s.wanted_tiles;
    return made;
}

storage_ref shared(storage& s)
{
    s.references.fetch_add(1, std::memory_order_relaxed);
    return storage_ref(&s);
}

/// The grid going from one storage to another and back.
class grids
{
public:
    grids(const call& c, storage* spare)
        : call_(c), operands_(c.operands, c.operands + c.site->what.slots.size()), now_(shared(*c.operands[0].data))
    {
        call_.operands = operands_.data();
        if (spare) free_ = shared(*spare);
        first_ = now_.get();
    }

    void step(unsigned steps, int color)
    {
        storage_ref to = free_ && free_.get() != now_.get() ? std::exchange(free_, {}) : grid_like(*now_);
        operands_.front().data = now_.get();
        operand& result = operands_.back();
        result = operands_.front();
        result.value = nullptr;
        result.data = to.get();
        call_.steps = steps;
        call_.color = color;
        execute(call_);
        // What was given stays as it is, unless it is the spare.
        const bool ours = now_.get() != first_;
        if (ours) free_ = std::move(now_);
        now_ = std::move(to);
    }

    storage_ref result() { return std::move(now_); }

private:
    call call_;
    std::vector<operand> operands_;
    storage_ref now_, free_;
    storage* first_;
};

} // namespace

storage_ref iterate(const call& c, const iteration& how)
{
    if (how.times == 0) return how.spare ? shared(*how.spare) : storage_ref(clone_storage(*c.operands[0].data));
    grids g(c, how.spare);
    for (std::size_t i = 0; i < how.times; ++i) {
        if (how.red_black) {
            g.step(1, 0);
            g.step(1, 1);
        } else {
            g.step(1, -1);
        }
    }
    return g.result();
}

} // namespace skelrt::detail
