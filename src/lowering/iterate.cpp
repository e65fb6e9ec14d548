#include "src/data/memory/host_storage.hpp"
#include "src/lowering/decide/usable.hpp"
#include "src/lowering/submit.hpp"
#include "src/runtime/environment/environment.hpp"
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

constexpr float memory_bound_ns = 40;      ///< dearer functions gain nothing from fewer passes over memory
constexpr unsigned most_steps_on_gpus = 8; ///< halos grow with them, and what is computed twice

/// Whether the stencil's own function draws random numbers; maps among its arguments give the same in every step.
bool draws_numbers(const recipe& r)
{
    if (r.root.kind != argument_kind::call) return false;
    const auto drawn = [](const argument& a) { return a.kind == argument_kind::random; };
    return std::ranges::any_of(r.calls[r.root.which].arguments, drawn);
}

/// Whether several steps may be made in one pass: only the grid itself moves with the position, and what lies beyond a
/// cyclic edge is computed at another position. Random numbers have a key for each step, which a pass knows one of;
/// what they cost is far more than passes over memory.
bool may_make_several(const recipe& r)
{
    if (draws_numbers(r)) return false;
    for (std::size_t k = 1; k + 1 < r.slots.size(); ++k)
        if (moves(r.slots[k].kind)) return false;
    if (r.stencil.border != border_rule::cyclic) return true;
    for (const function_call& f : r.calls)
        for (const argument& a : f.arguments)
            if (a.kind != argument_kind::slot && a.kind != argument_kind::call) return false;
    return true;
}

/// On cores: what blocks that fit their caches can afford to compute twice.
unsigned steps_on_cores(const recipe& r)
{
    unsigned reach = 0, axes = 0;
    for (int a = 0; a < 3; ++a) {
        reach = std::max({reach, r.stencil.before[a], r.stencil.after[a]});
        axes += r.stencil.before[a] + r.stencil.after[a] > 0;
    }
    if (reach == 0) return 1;
    constexpr unsigned deep[] = {1, 32, 8, 2}; // by axes
    return std::max(1u, deep[axes] / reach);
}

/// How many steps a pass over the data should make: as many as suit every GPU that may do it, or else the cores.
unsigned steps_per_pass(const call& c)
{
    const recipe& what = c.site->what;
    if (!may_make_several(what) || c.rows == 0 || c.cols == 0) return 1;
    const call_visit visit(what.name.c_str());
    const engine& e = engine::of(visit.runtime());
    const auto wanted = env_number("SKELRT_STEPS", 1, 64);
    if (!wanted && (e.devices().policy_places() || c.site->core.near(evaluations(c)) > memory_bound_ns)) return 1;
    request r = request_of(e, c, 1);
    const auto targets = usable_targets(e, c, r);
    if (wanted) return steps_of_pass(targets, what, static_cast<unsigned>(*wanted), true);
    const bool gpus = std::ranges::any_of(targets, [](const target* t) { return t->kind != device::cpu; });
    return gpus ? steps_of_pass(targets, what, most_steps_on_gpus, false) : steps_on_cores(what);
}

/// Whether a GPU's memory has room for all that such a call touches, and more.
bool has_room(const target& gpu, const call& c)
{
    std::size_t bytes = 0;
    for (const slot_type& s : c.site->what.slots)
        if (moves(s.kind)) bytes += c.rows * c.cols * s.size;
    return gpu.memory == 0 || bytes <= gpu.memory / 3;
}

/// Half steps of a red-black iteration that one task makes in place; 0: it cannot. Cores then share the rows, or a
/// single GPU has them all: several devices would have to wait for each other in each half step.
std::size_t half_steps_in_place(const call& c)
{
    constexpr std::size_t on_cores = 2 << 20, on_gpu = 256; // there, each is a kernel to enqueue
    const call_visit visit(c.site->what.name.c_str());
    const engine& e = engine::of(visit.runtime());
    const request r = request_of(e, c, 1);
    const device_set kinds = r.may_use.kinds;
    if (!sees_other_color(c.site->what) || draws_numbers(c.site->what) || e.devices().policy_places()) return 0;
    if (kinds == device_set(device::cpu)) return on_cores;
    // Beyond a cyclic edge of an odd length colors repeat; and a plan may ask for parts.
    const bool odd = c.site->what.stencil.border == border_rule::cyclic && (c.rows % 2 == 1 || c.cols % 2 == 1);
    const bool narrow = std::max(c.rows, c.cols) < std::size_t{1} << 31; // kernels count in 32 bits
    if (kinds.has(device::opencl) || odd || !narrow || r.obeyed) return 0;
    const auto is_gpu = [](const target& t) { return t.kind == device::cuda; };
    const auto gpu = std::ranges::find_if(e.devices().targets(), is_gpu);
    const bool fits = std::ranges::count_if(e.devices().targets(), is_gpu) == 1 && has_room(*gpu, c);
    return fits ? on_gpu : 0;
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
        storage_ref to = free_ && free_.get() != now_.get() ? std::exchange(free_, {}) : create_like(*now_);
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

} // namespace

storage_ref iterate(const call& c, const iteration& how)
{
    if (how.times == 0) return how.spare ? shared(*how.spare) : storage_ref(clone_storage(*c.operands[0].data));
    grids g(c, how.spare);
    if (how.red_black) {
        if (const std::size_t most = half_steps_in_place(c)) {
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
    const unsigned most = how.times == 1 ? 1 : steps_per_pass(c);
    for (std::size_t left = how.times; left > 0;) {
        // Passes of equal depth: 10 steps are 5 and 5, not 8 and 2.
        const std::size_t passes = (left + most - 1) / most, steps = (left + passes - 1) / passes;
        g.step(passes, static_cast<unsigned>(steps), -1, how.first + how.times - left);
        left -= steps;
    }
    return g.result();
}

} // namespace skelrt::detail
