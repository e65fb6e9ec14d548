// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/times/curve.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

/// The runs of all codelets of a machine, as data. Pure.
namespace skelrt::detail
{

/// What runs a task. A model is of one codelet on one of these.
enum class executor : std::uint8_t { core, team, cuda, opencl };
constexpr std::array all_executors{executor::core, executor::team, executor::cuda, executor::opencl};
const char* name_of(executor e) noexcept;

struct codelet_runs {
    std::string name; ///< for people: skeleton and place in the program, of those that share the key the last that ran
    std::array<curve, all_executors.size()> on;
    curve& operator[](executor e) { return on[static_cast<std::size_t>(e)]; }
    const curve& operator[](executor e) const { return on[static_cast<std::size_t>(e)]; }
    std::int64_t newest() const noexcept;
};

/// By recipe::key.
using history = std::map<std::uint64_t, codelet_runs>;

/// Adds what `from` knows; in any order, any number of times: the same comes out.
void merge(history& to, const history& from);

/// Keeps the `most` codelets that ran last.
void prune(history& h, std::size_t most);

/// As files write it: 16 hexadecimal digits.
std::string key_text(std::uint64_t key);
/// Throws error for anything else.
std::uint64_t key_from_text(const std::string& text);

} // namespace skelrt::detail
