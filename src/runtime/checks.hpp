// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

/// What SKELRT_CHECK asks the library to check while a program runs. Nothing by default: then no check costs anything.
namespace skelrt::detail
{

enum class check : std::uint8_t {
    functions = 1, ///< a user function that gives other values on a device than on the host is an error, not a warning
    devices = 2,   ///< every user function is compiled for CUDA and OpenCL, here or not; a table at the program's end
    bounds = 4,    ///< every index that a user function or a host view makes
    unwritten = 8, ///< what calls and host views read has been written before
    parts = 16,    ///< tasks write all that they say
    races = 32,    ///< items of farms do not use the same data in an order that nothing decides
};

class check_set
{
public:
    constexpr check_set() = default;
    constexpr bool has(check c) const noexcept { return (bits_ & static_cast<std::uint8_t>(c)) != 0; }
    constexpr bool empty() const noexcept { return bits_ == 0; }
    constexpr void add(check c) noexcept { bits_ = static_cast<std::uint8_t>(bits_ | static_cast<std::uint8_t>(c)); }

private:
    std::uint8_t bits_ = 0;
};

/// What SKELRT_CHECK says now. Throws error for a word that it does not know.
check_set read_checks();
/// The same, read once in a process.
check_set wanted_checks();

} // namespace skelrt::detail
