#include "src/lowering/call_state.hpp"

#include "src/runtime/engine.hpp"

#include <cstring>

namespace skelrt::detail
{

namespace
{

std::size_t value_bytes(const call& c)
{
    std::size_t bytes = c.start ? c.site->what.result_size + c.site->what.result_align : 0;
    for (std::size_t k = 0; k < c.site->what.slots.size(); ++k)
        if (c.operands[k].value) bytes += c.site->what.slots[k].size + c.site->what.slots[k].align;
    return bytes;
}

} // namespace

call_state::call_state(const call& c, std::uint64_t call_number)
    : number(call_number), matrix(c.matrix), rows(c.rows), cols(c.cols), width(c.width), depth(c.depth),
      result(c.result), steps(c.steps), color(c.color), site_(c.site)
{
    const std::size_t slots = what().slots.size();
    values_.reserve(value_bytes(c)); // addresses must stay
    operands.assign(c.operands, c.operands + slots);
    const auto keep = [&](storage* s) {
        if (!s) return;
        s->references.fetch_add(1, std::memory_order_relaxed);
        kept.emplace_back(s);
    };
    for (std::size_t k = 0; k < slots; ++k) {
        if (operands[k].value)
            operands[k].value = keep_value(operands[k].value, what().slots[k].size, what().slots[k].align);
        keep(operands[k].data);
    }
    keep(result.data);
    if (c.start) start = keep_value(c.start, what().result_size, what().result_align);
    ++engine::current()->calls_in_flight;
}

call_state::~call_state()
{
    free_block(partials);
    if (promise.us > 0 && promise.end_us > 0)
        note_outcome(promise.what, promise.who, (promise.end_us - promise.begin_us) / promise.us);
    if (engine* e = engine::current()) --e->calls_in_flight;
}

const void* call_state::keep_value(const void* value, std::size_t size, std::size_t align)
{
    const auto end = reinterpret_cast<std::uintptr_t>(values_.data()) + values_.size();
    values_.resize(values_.size() + (align - end % align) % align);
    const std::size_t at = values_.size();
    values_.resize(at + size);
    std::memcpy(values_.data() + at, value, size);
    return values_.data() + at;
}

void call_state::drop() noexcept
{
    if (holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

void call_state::task_done(std::shared_ptr<const running_work> left) noexcept
{
    tasks->task_done(std::move(left));
    drop();
}

void call_state::fail(const std::exception_ptr& error) noexcept
{
    {
        std::lock_guard lock(guard_);
        if (!fault_) fault_ = error;
    }
    for (const auto& log : written_logs) log->add(number, error);
}

std::exception_ptr call_state::fault() noexcept
{
    std::lock_guard lock(guard_);
    return fault_;
}

std::exception_ptr call_state::operand_fault() noexcept
{
    if (!any_fault()) return nullptr;
    for (const fault_window& w : read_windows)
        if (std::exception_ptr what = w.log->find(w.from, w.before)) return what;
    return nullptr;
}

void call_state::combine_partials(void* to) const
{
    const recipe& r = what();
    const std::size_t size = r.result_size;
    auto* const out = static_cast<std::byte*>(to);
    const auto* from = static_cast<const std::byte*>(partials.data);
    std::size_t g = 0;
    if (r.kind == skeleton::accumulate) {
        // What is there already stays.
    } else if (start) {
        for (std::size_t i = 0; i < result_values; ++i) std::memcpy(out + i * size, start, size);
    } else {
        std::memcpy(out, from, result_values * size);
        g = 1;
    }
    for (; g < groups.size(); ++g) r.cpu.combine(out, from + g * partial_stride, result_values);
}

} // namespace skelrt::detail
