// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/other_ranks.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/parting/held.hpp"
#include "src/lowering/decide/steps.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/ranks/steps/agreed_steps.hpp"
#include "src/lowering/replay/recorder.hpp"
#include "src/lowering/submit.hpp"
#include "src/runtime/visit.hpp"

#include "codelets/work.hpp"

#include <skelrt/detail/hoods.hpp>
#include <skelrt/random.hpp>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace skelrt::detail
{

namespace
{

storage_ref shared(storage& s)
{
    s.references.fetch_add(1, std::memory_order_relaxed);
    return storage_ref(&s);
}

/// Null: calls go over no other rank.
engine* over_ranks()
{
    const visit here;
    return other_ranks(here.runtime()) ? &engine::of(*here.runtime()) : nullptr;
}

/// For a pass's result. What does not lie in blocks, or is on every rank, would be dealt out anew in each pass.
storage_ref make_grid(const storage& like)
{
    if (like.dealt ? !lies_otherwise(like) : !over_ranks()) return create_like(like);
    storage_ref made(create_result(like.shape_rows, like.shape_cols, like.element_size, like.whole_rows));
    made->inner = like.inner;
    return made;
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
        if (!draws_numbers(c.site->what)) return;
        for (const argument& a : c.site->what.calls[c.site->what.root.which].arguments)
            if (a.kind == argument_kind::random) seeds_.push_back({a.which, key_at(c.operands[a.which]), 0});
    }

    /// `left`: passes, this one included. `number`: of the first step that it makes.
    void step(std::size_t left, unsigned steps, int color, std::size_t number)
    {
        for (seed_of_step& s : seeds_) {
            s.now = random_seed::step_key(s.given, number);
            operands_[s.slot].value = &s.now;
        }
        storage_ref to = free_ && free_.get() != now_.get() ? std::exchange(free_, {}) : make_grid(*now_);
        operands_.front().data = now_.get();
        operand& result = operands_.back();
        result = operands_.front();
        result.value = nullptr;
        result.data = to.get();
        call_.steps = steps;
        call_.color = color;
        execute_first_of(left, call_);
        // What was given stays as it is, unless it is the spare.
        const bool ours = now_.get() != first_;
        if (ours) free_ = std::move(now_);
        now_ = std::move(to);
    }

    storage_ref result() { return std::move(now_); }

private:
    struct seed_of_step {
        unsigned slot;
        std::uint64_t given, now;
    };

    static std::uint64_t key_at(const operand& o)
    {
        std::uint64_t key;
        std::memcpy(&key, o.value, sizeof key);
        return key;
    }

    call call_;
    std::vector<operand> operands_;
    std::vector<seed_of_step> seeds_;
    storage_ref now_, free_;
    storage* first_;
};

/// Calls are written down step by step: how many make a pass of ranks, who replays them decides. Null: they are not.
call_recorder* recorder()
{
    const visit here;
    return here.runtime() ? engine::of(*here.runtime()).recorder() : nullptr;
}

unsigned most_steps(engine* ranks, const call& c)
{
    if (ranks) return ranks->steps().of(*ranks, c);
    return recorder() ? 1 : steps_per_pass(c);
}

} // namespace

storage_ref iterate(const call& c, const iteration& how)
{
    if (how.times == 0) return how.spare ? shared(*how.spare) : storage_ref(clone_storage(*c.operands[0].data));
    grids g(c, how.spare);
    engine* const ranks = over_ranks();
    if (how.red_black) {
        if (const std::size_t most = ranks || recorder() ? 0 : half_steps_in_place(c)) {
            for (std::size_t left = 2 * how.times; left > 0;) {
                const std::size_t now = std::min(left, most);
                g.step((left + most - 1) / most, static_cast<unsigned>(now), 0, how.first);
                left -= now;
            }
            return g.result();
        }
        for (std::size_t i = 0; i < how.times; ++i) {
            g.step(2 * (how.times - i), 1, 0, how.first + i);
            g.step(2 * (how.times - i) - 1, 1, 1, how.first + i);
        }
        return g.result();
    }
    const unsigned most = how.times == 1 ? 1 : most_steps(ranks, c);
    call_recorder* const writer = how.times == 1 ? nullptr : recorder();
    const std::size_t first = writer ? writer->calls() : 0;
    for (std::size_t left = how.times; left > 0;) {
        // Passes of equal depth: 10 steps are 5 and 5, not 8 and 2.
        const std::size_t passes = (left + most - 1) / most, steps = (left + passes - 1) / passes;
        g.step(passes, static_cast<unsigned>(steps), -1, how.first + how.times - left);
        left -= steps;
    }
    if (writer) writer->add_iteration(first, how.times, limits_of_pass(c));
    return g.result();
}

} // namespace skelrt::detail
