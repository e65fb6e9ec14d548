// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/checks/function_check.hpp"

#include "src/function/own/own_operators.hpp"
#include "src/function/shared.hpp"
#include "src/lowering/checks/strict_order.hpp"
#include "src/lowering/run/tasks.hpp"
#include "src/runtime/checks.hpp"
#include "src/runtime/log.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace skelrt::detail
{

namespace
{

/// Bytes of a sample: what a device copies to itself and to the host in some ten microseconds. Who asks for checks has
/// more time.
std::size_t most_sample_bytes()
{
    return wanted_checks().has(check::functions) ? std::size_t{256} << 20 : std::size_t{128} << 10;
}

/// Whether a task has as many elements as a sample takes of a large one.
bool is_large(const work& w)
{
    std::size_t elements = 0;
    for (const segment& s : w.segments) elements += s.rows * s.cols;
    return elements * w.depth >= usual_sample;
}

/// Values that a run on the host does not write are the same each time.
element_memory zeroed(std::size_t bytes)
{
    element_memory m(bytes);
    if (bytes > 0) std::memset(m.data(), 0, bytes);
    return m;
}

/// A start value for kinds whose samples begin where a call does.
const void* start_of(const task_group& g)
{
    const skeleton kind = g.owner->what().kind;
    return kind == skeleton::reduce_rows || is_scan(kind) || kind == skeleton::all_pairs ? g.owner->start : nullptr;
}

/// Where the data of a sample lie: on the host, or in a device's memory. OpenCL's buffers are no addresses: it counts
/// from them.
struct sample_place {
    std::optional<device> kind; ///< none: the host
    device_pointer memory;

    device_pointer at(std::size_t offset) const
    {
        if (kind == device::opencl) return {memory.data, memory.offset + offset};
        return {static_cast<std::byte*>(memory.data) + offset, 0};
    }
};

/// The work that a sample is, with its data at a place.
class placed_sample
{
public:
    placed_sample(const sample& s, const work& task, const task_group& g, const sample_place& place)
        : views_(s.views), hoods_(s.hoods), work_{task.what, task.matrix, s.width, s.segments, views_}
    {
        for (std::size_t v = 0; v < views_.size(); ++v) {
            if (s.places[v] == sample::place::host) continue;
            if (s.places[v] == sample::place::whole && place.kind) {
                views_[v].offset = task.slots[v % task.what.slots.size()].offset;
                continue;
            }
            set(views_[v], place.at(views_[v].offset));
        }
        for (hood_view& h : hoods_)
            for (slot_view* lines : {&h.before, &h.after})
                if (lines->ld > 0) set(*lines, place.at(lines->offset));
        work_.hoods = hoods_;
        work_.start = start_of(g);
        work_.depth = s.depth;
        work_.steps = task.steps;
        work_.color = task.color;
        work_.block = task.block;
        std::copy(s.grid, s.grid + 3, work_.grid);
        if (!s.result) return;
        work_.result = {nullptr, 0, 1, s.result_values, s.result_values, 1};
        set(work_.result, place.at(*s.result));
    }
    placed_sample(const placed_sample&) = delete;
    placed_sample& operator=(const placed_sample&) = delete;
    work& get() { return work_; }

private:
    static void set(slot_view& v, const device_pointer& p)
    {
        v.data = p.data;
        v.offset = p.offset;
    }

    std::vector<slot_view> views_;
    std::vector<hood_view> hoods_;
    work work_;
};

struct difference {
    std::string where, host, device;
};

std::string position_text(const submitted_call& c, const sample_values& v, std::size_t i)
{
    const std::size_t row = v.row0 + i / v.cols, col = v.col0 + i % v.cols;
    if (c.what().kind == skeleton::reduce) return "the value of some elements";
    if (c.what().kind == skeleton::reduce_columns) return fmt::format("column {}", col);
    if (c.what().kind == skeleton::reduce_rows) return fmt::format("row {}", row);
    if (c.what().kind == skeleton::stencil) return fmt::format("element ({}, {}) of a part of the grid", row, col);
    return c.matrix ? fmt::format("element ({}, {})", row, col) : fmt::format("element {}", col);
}

/// A recipe's sample on the host and on the device.
class function_check
{
public:
    function_check(const task_group& g, const work& task, const sample& s, sampled_device& on)
        : group_(g), task_(task), sample_(s), on_(on), here_(zeroed(s.bytes)), there_(s.bytes)
    {
    }

    void run_on_device()
    {
        constexpr std::size_t rounding = 256;
        const std::size_t scratch_at = (sample_.bytes + rounding - 1) / rounding * rounding;
        const std::size_t columns = sample_.segments[0].cols;
        const std::size_t scratch = on_.scratch_bytes(task_, sample_.elements, columns);
        const device_pointer memory = on_.memory(scratch_at + scratch);
        const sample_place place{on_.kind(), memory};
        for (const sample_copy& c : sample_.copies) {
            const slot_view& from = task_.slot(c.segment, c.slot);
            on_.copy_rows(place.at(c.to), shifted(from, c.from), c);
        }
        placed_sample placed(sample_, task_, group_, place);
        const device_pointer behind = place.at(scratch_at);
        placed.get().scratch = {behind.data, behind.offset, 1, 0, 0, 1};
        on_.launch(placed.get());
        on_.read(there_.data(), memory, sample_.bytes);
    }

    /// Of device's operands, the host's results; `pattern`: of operands that are a little off.
    bool run_on_host(element_memory& to, std::optional<unsigned> pattern = {})
    {
        std::memcpy(to.data(), there_.data(), sample_.operand_bytes);
        bool any = false;
        if (pattern)
            for (const sample_values& v : sample_.operands)
                any = nudge(v.type, to.data() + v.offset, v.count, *pattern) || any;
        const sample_place place{{}, {to.data(), 0}};
        placed_sample placed(sample_, task_, group_, place);
        std::vector<element_memory> uniforms;
        if (pattern) any = nudge_uniforms(placed.get(), uniforms, *pattern) || any;
        run_alone(placed.get());
        return any;
    }

    std::optional<difference> find()
    {
        run_on_host(here_);
        look_at_origins();
        if (task_.what.kind == skeleton::filter) compare_kept();
        else
            for (const sample_values& v : sample_.results)
                for (std::size_t i = 0; i < v.count; ++i) {
                    const std::size_t at = v.offset + i * v.type.size;
                    compare(v, i, at, at);
                }
        // Nothing tells how much rounding means to a function that computes floating point of its own constants alone:
        // where only a few elements differ, it may be at an edge there.
        if (found_ && nudged_.empty() && may_round() && 2 * differ_ <= compared_) return {};
        if (found_ && orders_nothing()) return {};
        return found_;
    }

private:
    void look_at_origins()
    {
        for (const sample_values& v : sample_.operands)
            from_.magnitude = std::max(from_.magnitude, magnitude_of(v.type, there_.data() + v.offset, v.count));
        for (const function_call& f : task_.what.calls) add_form(from_, value_type_of(f.result, f.result_size, 1));
    }

    /// Value number i of `v`, which lies at `here` on the host, and at `there` in what the device sent.
    void compare(const sample_values& v, std::size_t i, std::size_t here, std::size_t there)
    {
        ++compared_;
        if (alike(v.type, here_.data() + here, there_.data() + there, from_)) return;
        ++differ_;
        if (!found_ && !is_explained(v.type, here, there))
            found_ = difference{position_text(*group_.owner, v, i), value_text(v.type, here_.data() + here),
                                value_text(v.type, there_.data() + there)};
    }

    /// Of a filter, what is kept: where it lies in its segment, is each side's own affair.
    void compare_kept()
    {
        if (kept(here_) == kept(there_)) {
            for (std::size_t i = 0; i < kept(here_); ++i) {
                const auto [v, at] = kept_value(here_, i);
                compare(sample_.results[v], i, at, kept_value(there_, i).second);
            }
            return;
        }
        ++compared_, ++differ_;
        try_nudged();
        for (const auto& m : nudged_)
            if (kept(m) != kept(here_)) return; // at an edge
        found_ = difference{"the number of elements kept, of some,", std::to_string(kept(here_)),
                            std::to_string(kept(there_))};
    }
    /// Whose it is, of the results, and where.
    std::pair<std::size_t, std::size_t> kept_value(const element_memory& m, std::size_t i) const
    {
        std::size_t s = 0;
        for (; i >= count_at(m, s); ++s) i -= count_at(m, s);
        return {s, sample_.results[s].offset + i * sample_.results[s].type.size};
    }
    const sample_values& counts() const { return sample_.results.back(); }
    std::uint64_t count_at(const element_memory& m, std::size_t s) const
    {
        std::uint64_t n;
        std::memcpy(&n, m.data() + counts().offset + s * sizeof n, sizeof n);
        return n;
    }
    std::size_t kept(const element_memory& m) const
    {
        std::size_t n = 0;
        for (std::size_t s = 0; s < counts().count; ++s) n += count_at(m, s);
        return n;
    }
    static device_pointer shifted(const slot_view& v, std::size_t bytes, bool opencl)
    {
        if (opencl) return {v.data, v.offset + bytes};
        return {static_cast<std::byte*>(v.data) + bytes, 0};
    }
    device_pointer shifted(const slot_view& v, std::size_t bytes) const
    {
        return shifted(v, bytes, on_.kind() == device::opencl);
    }

    /// Uniform values, which lie with the call.
    bool nudge_uniforms(work& w, std::vector<element_memory>& values, unsigned pattern) const
    {
        bool any = false;
        auto* const views = const_cast<slot_view*>(w.slots.data()); // the placed sample's own
        for (std::size_t v = 0; v < w.slots.size(); ++v) {
            const slot_type& t = task_.what.slots[v % task_.what.slots.size()];
            if (sample_.places[v] != sample::place::host || !views[v].data) continue;
            values.emplace_back(t.size);
            std::memcpy(values.back().data(), views[v].data, t.size);
            any = nudge(value_type_of(t), values.back().data(), 1, pattern) || any;
            views[v].data = values.back().data();
        }
        return any;
    }

    /// Only when something differs: the host's results for operands that are a little off.
    void try_nudged()
    {
        if (std::exchange(tried_, true)) return;
        for (unsigned p = 0; p < nudge_patterns; ++p) {
            element_memory m = zeroed(sample_.bytes);
            if (!run_on_host(m, p)) break; // nothing to move
            nudged_.push_back(std::move(m));
        }
    }

    bool is_explained(const value_type& type, std::size_t here, std::size_t there)
    {
        try_nudged();
        std::vector<const std::byte*> others;
        for (const auto& m : nudged_) {
            if (task_.what.kind == skeleton::filter && kept(m) != kept(here_)) return true; // others are kept
            others.push_back(m.data() + here);
        }
        return !others.empty() && explained(type, here_.data() + here, there_.data() + there, others);
    }

    /// Of a comparison that tells no order, what a sort gives is each side's own affair.
    bool orders_nothing()
    {
        if (task_.what.kind != skeleton::sort) return false;
        placed_sample here(sample_, task_, group_, {{}, {here_.data(), 0}});
        const std::optional<std::string> broken = broken_order(here.get());
        if (broken)
            log_warning("{}: its comparison is no order, so what it gives depends on the device: {}", task_.what.name,
                        *broken);
        return broken.has_value();
    }

    /// Whether the functions have floating point in their text.
    bool may_round() const
    {
        const auto rounds = [](const function_source* f) {
            const std::string_view text = f->text;
            for (const std::string_view word : {"float", "double", "sqrt", "random"})
                if (text.find(word) != text.npos) return true;
            for (std::size_t i = text.find('.'); i != text.npos; i = text.find('.', i + 1))
                if (i > 0 && text[i - 1] >= '0' && text[i - 1] <= '9') return true;
            return false;
        };
        return std::ranges::any_of(functions_in(task_.what), rounds);
    }

    const task_group& group_;
    const work& task_;
    const sample& sample_;
    sampled_device& on_;
    element_memory here_, there_;
    std::vector<element_memory> nudged_;
    bool tried_ = false;
    origins from_;
    std::size_t compared_ = 0, differ_ = 0;
    std::optional<difference> found_;
};

/// What the user can do: names that the device's compiler has taken from a SKELRT_SHARED.
std::string advice(const recipe& r)
{
    std::string names;
    const function_source* source = nullptr;
    for (const declaration& d : declarations_for(r)) {
        if (d.kind != declaration_kind::constant && d.kind != declaration_kind::function &&
            d.kind != declaration_kind::enumeration)
            continue;
        for (const std::string_view n : d.names) names += fmt::format("{}{}", names.empty() ? "" : ", ", n);
        if (!source) source = d.source;
    }
    const std::string all_else =
        "whatever it reads beside its arguments (constants, macros, static variables, functions) belongs "
        "into a SKELRT_SHARED, under a name that nothing else has";
    if (names.empty()) return all_else;
    return fmt::format(
        "devices take {} from the SKELRT_SHARED at {}:{}; if that is not what the function means here, put "
        "what it means into a SKELRT_SHARED under a name that nothing else has",
        names, source->file, source->line);
}

/// The first to find out says so; later errors repeat it.
std::string& complaint_of(const recipe& r, device kind)
{
    static auto& all = *new std::map<std::pair<std::uint32_t, device>, std::string>;
    return all[{r.id, kind}];
}
std::mutex& complaints_guard()
{
    static auto& guard = *new std::mutex;
    return guard;
}

void complain(const recipe& r, device kind, const difference& d)
{
    const std::lock_guard lock(complaints_guard());
    std::string& text = complaint_of(r, kind);
    if (!text.empty()) return;
    text = fmt::format(
        "{}: gives other values on {} than on the host, so it does not run there: {} is {} there, and {} on "
        "the host; {}",
        r.name, kind_name(kind), d.where, d.device, d.host, advice(r));
    log_error("{}", text);
}

/// Of operands that functions read at any index.
std::size_t whole_bytes(const work& w)
{
    std::size_t bytes = 0;
    for (std::size_t k = 0; k < w.what.slots.size(); ++k) {
        const slot_view& v = w.slot(0, k);
        const slot_kind kind = w.what.slots[k].kind;
        if (kind == slot_kind::mat) bytes += v.rows * v.ld * w.what.slots[k].size;
        else if (sees_vec(kind) || kind == slot_kind::accumulator) bytes += v.cols * w.what.slots[k].size;
    }
    return bytes;
}

trust trust_after(const task_group& g, const work& w, sampled_device& on)
{
    const auto begin = std::chrono::steady_clock::now();
    const recipe& r = w.what;
    const std::optional<sample> s = make_sample(w, most_sample_bytes());
    if (!s) {
        if (trust_in(r, on.kind()) == trust::unknown)
            log_info("{}: not checked on {}: it reads more than {} KiB as a whole (SKELRT_CHECK=functions checks it)",
                     r.name, kind_name(on.kind()), most_sample_bytes() >> 10);
        return trust::deferred;
    }
    function_check check(g, w, *s, on);
    check.run_on_device();
    std::optional<difference> found;
    try {
        found = check.find();
    } catch (const std::exception& e) { // the function's own
        log_info("{}: not checked on {}: on the host it throws: {}", r.name, kind_name(on.kind()), e.what());
        return trust::sound;
    }
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    log_debug("{}: checked on {} in {:.1f} us: {} elements, {} bytes", r.name, kind_name(on.kind()), took.count(),
              s->elements, s->bytes);
    if (!found) return is_large(w) ? trust::sound : trust::few;
    complain(r, on.kind(), *found);
    return trust::broken;
}

} // namespace

bool may_run_here(const task_group& g, const work& w, sampled_device& on)
{
    const trust known = trust_in(w.what, on.kind());
    if (known == trust::sound || known == trust::broken) return known == trust::sound;
    if (known == trust::few && !is_large(w)) return true;
    const bool once_more = known == trust::few || known == trust::deferred;
    if (once_more && whole_bytes(w) > most_sample_bytes()) return true;
    const trust found = trust_after(g, w, on);
    if (known != trust::few || found != trust::deferred) set_trust(w.what, on.kind(), found);
    return found != trust::broken;
}

void require_other_device(const task_group& g, device kind)
{
    if (g.owner->may_use_cores && !wanted_checks().has(check::functions)) return;
    const std::lock_guard lock(complaints_guard());
    throw function_error(complaint_of(g.owner->what(), kind));
}

void host_copies::find(void* buffers[])
{
    const starpu_task* const task = starpu_task_get_current();
    const auto count = static_cast<unsigned>(STARPU_TASK_GET_NBUFFERS(task));
    all_.resize(count);
    for (unsigned h = 0; h < count; ++h) {
        const starpu_data_access_mode mode = STARPU_TASK_GET_MODE(task, h);
        all_[h].home = static_cast<const std::byte*>(
            starpu_data_handle_to_pointer(STARPU_TASK_GET_HANDLE(task, h), STARPU_MAIN_RAM));
        all_[h].bytes = STARPU_VECTOR_GET_NX(buffers[h]) * STARPU_VECTOR_GET_ELEMSIZE(buffers[h]);
        all_[h].read = (mode & STARPU_R) != 0;
        all_[h].written = (mode & STARPU_W) != 0;
        // What a task writes only may be written by parts: the rest is to stay.
        if (all_[h].written && (mode & STARPU_SCRATCH) == 0) all_[h].read = true;
    }
    place();
}

void host_copies::place()
{
    std::vector<copy*> order;
    for (copy& c : all_) order.push_back(&c);
    std::ranges::stable_sort(order, std::less{}, &copy::home);
    std::vector<std::size_t> at;
    std::size_t end = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool follows = i > 0 && order[i]->home && order[i - 1]->home + order[i - 1]->bytes == order[i]->home;
        if (!follows) end = rounded_to_elements(end);
        at.push_back(end);
        end += order[i]->bytes;
    }
    memory_ = element_memory(end);
    for (std::size_t i = 0; i < order.size(); ++i) order[i]->data = memory_.data() + at[i];
}

void host_copies::compute(task_group& g)
{
    submitted_call& c = *g.owner;
    std::vector<slot_view> views;
    std::vector<hood_view> hoods;
    const auto at = [&](std::uint32_t h) { return device_pointer{all_[h].data, 0}; };
    fill_views(g, at, false, views);
    fill_hoods(g, at, false, hoods);
    work w = work_of(g, views, hoods);
    if (g.carry_handle >= 0) w.carry.data = all_[static_cast<std::size_t>(g.carry_handle)].data;
    const auto result = [&](std::size_t s) {
        const slot_ref& to = g.result_refs[s];
        return static_cast<std::byte*>(at(to.handle).data) + to.offset;
    };
    if (c.what().kind == skeleton::reduce_rows) {
        const std::size_t slots = c.what().slots.size();
        for (std::size_t s = 0; s < g.count; ++s) {
            work one = w;
            one.segments = w.segments.subspan(s, 1);
            one.slots = w.slots.subspan(s * slots, slots);
            one.result = {result(s), 0, 1, one.segments[0].rows, 0, 1};
            run_alone(one);
        }
        return;
    }
    if (c.direct && c.result.data) w.result = {result(0), 0, 1, c.result_values, c.result_values, 1};
    else if (c.partials.data) w.result = {c.partial(g.number), 0, 1, c.result_values, c.result_values, 1};
    run_alone(w);
}

} // namespace skelrt::detail
