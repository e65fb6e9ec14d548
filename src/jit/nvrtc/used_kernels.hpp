// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

/// The kernels that a program has used on GPUs, so that its next process loads them while it begins: the driver takes
/// 0.3 to 0.5 ms for each, which its first call would wait for. Nothing of CUDA is visible here.
namespace skelrt::detail
{

/// Those of one binary of the cache.
struct used_kernels {
    std::string arch, key;
    std::vector<std::string> names; ///< sorted
    bool operator==(const used_kernels&) const = default;
};

/// A line each; what is no such line is left out.
std::string text_of(const std::vector<used_kernels>& all);
std::vector<used_kernels> used_kernels_in(std::string_view text);

/// What this process has used, and of what earlier ones have as much as there is room for.
std::vector<used_kernels> with_earlier(std::vector<used_kernels> now, const std::vector<used_kernels>& earlier,
                                       std::size_t most);

/// Whether earlier processes of this program have used any.
bool knows_used_kernels() noexcept;

/// Loads those onto a device, until it is told to end. What is not loaded is left to the call that wants it.
void load_used_kernels(int device, const std::stop_token& ends) noexcept;

/// Leaves the list of this process to the next one, if it has used any.
void keep_used_kernels() noexcept;

} // namespace skelrt::detail
