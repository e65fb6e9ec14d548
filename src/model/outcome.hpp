#pragma once

#include <cstddef>
#include <cstdint>

/// How calls turned out against what was promised of them. Models know kernels and links one by one; what a processor's caches
/// do to copies, or two devices to each other, shows in whole calls only.
namespace skelrt::detail
{

/// Whom a call was given to: one device alone, by its number among those that could have it, or several.
inline constexpr unsigned shared_out = 15;

/// A kind of call.
struct call_kind {
    std::uint32_t recipe;
    std::size_t elements, bytes; ///< bytes: of all operands
};

/// Time over what the models said, of calls of this recipe and about this size; where none was seen, of any calls on about as
/// many bytes; 1 while nobody knows. What is not tried again is believed less and less. Thread-safe.
double turned_out(const call_kind& what, unsigned who) noexcept;
/// A call took `ratio` times as long as the models said.
void note_outcome(const call_kind& what, unsigned who, double ratio) noexcept;
void forget_outcomes() noexcept;

} // namespace skelrt::detail
