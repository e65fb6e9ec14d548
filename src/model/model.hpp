#pragma once

#include <skelrt/detail/recipe.hpp>

#include <cstddef>
#include <cstdint>

/// Time of a codelet on a kind of device against the number of elements, learnt from every run.
namespace skelrt::detail
{

enum class executor : std::uint8_t { core, team, cuda, opencl };

/// A run of `elements` took `us` microseconds, copies not counted. Thread-safe, O(1).
void observe(const recipe& r, executor on, std::size_t elements, double us) noexcept;

/// a + b * elements, microseconds.
struct estimate {
    double fixed_us = 0, element_us = 0;
    bool measured = false; ///< false: a guess from the bytes moved and the cost on one core
    double at(std::size_t elements) const { return fixed_us + element_us * static_cast<double>(elements); }
};

/// `core_ns`: measured time of one element on one core, negative if unknown. `cores`: size of the team.
/// Near `elements`, from the runs of the nearest size; one wild run does not move it (medians).
estimate predict(const recipe& r, executor on, std::size_t elements, double core_ns, unsigned cores) noexcept;

} // namespace skelrt::detail
