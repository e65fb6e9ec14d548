// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <cstddef>
#include <cstdint>
#include <vector>

/// The data of several calls that become one task. Pure: StarPU is not asked.
namespace skelrt::detail
{

/// How one task uses a handle that its calls use one after the other. What the first writes anew nobody reads as it
/// was; otherwise somebody who reads needs it, and so does somebody who writes a part of it.
constexpr starpu_data_access_mode joined_mode(starpu_data_access_mode first, starpu_data_access_mode next) noexcept
{
    return first == next || first == STARPU_W ? first : STARPU_RW;
}

/// Each handle once: StarPU takes none twice in a task.
class handle_union
{
public:
    /// The calls use the handle next in this mode. Its number among the task's. Searches from the end: calls in a row
    /// work on the same data.
    std::uint32_t add(starpu_data_handle_t handle, starpu_data_access_mode mode)
    {
        for (std::size_t i = handles_.size(); i-- > 0;)
            if (handles_[i] == handle) {
                modes_[i] = joined_mode(modes_[i], mode);
                return static_cast<std::uint32_t>(i);
            }
        handles_.push_back(handle);
        modes_.push_back(mode);
        return static_cast<std::uint32_t>(handles_.size() - 1);
    }
    const std::vector<starpu_data_handle_t>& handles() const noexcept { return handles_; }
    const std::vector<starpu_data_access_mode>& modes() const noexcept { return modes_; }
    std::size_t size() const noexcept { return handles_.size(); }

private:
    std::vector<starpu_data_handle_t> handles_;
    std::vector<starpu_data_access_mode> modes_;
};

} // namespace skelrt::detail
