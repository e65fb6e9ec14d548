// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>
#include <skelrt/runtime.hpp>

#include <cstdint>
#include <optional>
#include <string>

/// What the process has learnt of a recipe's functions on a kind of device that is not the host: whether its compiler
/// takes them, and whether they give what they give on the host. Thread-safe; what is usual (all is well) costs one
/// load.
namespace skelrt::detail
{

enum class trust : std::uint8_t {
    unknown,  ///< the first run there is to be checked
    sound,    ///< checked
    deferred, ///< could not be checked, for what it reads as a whole: the next run that reads less is
    few,      ///< checked on fewer elements than a check usually sees: the next run with more is
    broken,   ///< gave other values than on the host: never again there
};

trust trust_in(const recipe& r, device kind) noexcept;

/// Remembers what came of a check; broken stays broken.
void set_trust(const recipe& r, device kind, trust what) noexcept;

/// "CUDA", "OpenCL", "cores".
const char* kind_name(device kind) noexcept;

/// One way of running a recipe on a device, with kernels of its own.
struct device_way {
    std::uint32_t recipe;
    device kind;
    int number; ///< of the device within its kind
    unsigned steps = 1;
    bool colored = false;
    unsigned block = 0;
    friend auto operator<=>(const device_way&, const device_way&) = default;
};

/// Why it was refused; nothing: it was not. Does not lock unless some way of the recipe was.
std::optional<std::string> find_refusal(const recipe& r, const device_way& way);

/// Remembers it, and warns: once a recipe and kind of device.
void note_refusal(const recipe& r, const device_way& way, const std::string& reason);

} // namespace skelrt::detail
