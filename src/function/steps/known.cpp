// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/steps/known.hpp"

#include "src/function/steps/record.hpp"

#include <cstring>
#include <mutex>
#include <vector>

namespace skelrt::detail
{
namespace
{

/// What a function was read for, and what it does then. Belongs to a recipe, and stays as long.
struct read_function {
    std::mutex guard;
    std::vector<std::byte> arguments;
    std::shared_ptr<const lockstep_steps> steps;
    bool was_read = false;
};

read_function& read_function_of(const recipe& what)
{
    void* known = what.steps.load(std::memory_order_acquire);
    if (!known) {
        auto made = std::make_unique<read_function>();
        if (what.steps.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel)) known = made.release();
    }
    return *static_cast<read_function*>(known);
}

void append(std::vector<std::byte>& to, const void* from, std::size_t bytes)
{
    const auto* const first = static_cast<const std::byte*>(from);
    to.insert(to.end(), first, first + bytes);
}

/// All that the function sees besides hoods, whose elements stay open.
std::vector<std::byte> arguments_of(const recipe& what, const slot_view* slots, std::size_t pitch)
{
    std::vector<std::byte> all;
    append(all, &pitch, sizeof pitch);
    for (std::size_t k = 0; k < what.slots.size(); ++k) {
        const slot_view& v = slots[k];
        const std::size_t size = what.slots[k].size;
        switch (what.slots[k].kind) {
        case slot_kind::uniform:
        case slot_kind::scalar:
            append(all, v.data, size);
            break;
        case slot_kind::vec:
        case slot_kind::mat: {
            const bool is_vector = what.slots[k].kind == slot_kind::vec;
            const std::size_t rows = is_vector ? 1 : v.rows;
            for (const std::size_t n : {rows, v.cols}) append(all, &n, sizeof n);
            for (std::size_t r = 0; r < rows; ++r)
                append(all, static_cast<const std::byte*>(v.data) + r * v.ld * size, v.cols * size);
            break;
        }
        default:
            break;
        }
    }
    return all;
}

} // namespace

std::shared_ptr<const lockstep_steps> known_steps(const recipe& what, const slot_view* slots, std::size_t pitch)
{
    read_function& known = read_function_of(what);
    const std::lock_guard lock(known.guard); // other shares wait rather than read the same
    if (known.was_read && !known.steps) return nullptr;
    std::vector<std::byte> arguments = arguments_of(what, slots, pitch);
    if (known.was_read && arguments == known.arguments) return known.steps;
    auto found = record_steps(what, slots, pitch);
    known.was_read = true;
    known.arguments = std::move(arguments);
    known.steps = found ? std::make_shared<const lockstep_steps>(std::move(*found)) : nullptr;
    return known.steps;
}

} // namespace skelrt::detail
