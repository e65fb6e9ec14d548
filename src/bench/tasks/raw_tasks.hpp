// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// The rival of tasks: what one writes who knows StarPU.
namespace bench
{

/// Values with a handle each.
class raw_values
{
public:
    /// Of 0, 1, 2, ...
    explicit raw_values(std::size_t n);
    ~raw_values();
    raw_values(const raw_values&) = delete;
    raw_values& operator=(const raw_values&) = delete;

    starpu_data_handle_t operator[](std::size_t i) const { return handles_[i]; }
    /// After all tasks: StarPU's copy at home is this one.
    std::uint32_t value(std::size_t i) const { return values_[i]; }

private:
    std::vector<std::uint32_t> values_;
    std::vector<starpu_data_handle_t> handles_;
};

/// Reads all of its values but the last, which it writes.
starpu_codelet raw_codelet(void (*function)(void**, void*), std::size_t values, starpu_data_access_mode last);
/// Submits one; `argument` outlives it.
void submit_raw(starpu_codelet& codelet, std::span<const starpu_data_handle_t> values, void* argument = nullptr);

} // namespace bench
