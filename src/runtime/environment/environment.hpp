// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The one place that knows every environment variable: what the library reads, `skelrt env` explains.
namespace skelrt::detail
{

struct variable {
    std::string_view name, default_text, meaning;
};

/// The project's own variables, SKELRT_*.
std::span<const variable> skelrt_variables() noexcept;
/// Variables of StarPU, OpenMP, CUDA and OpenCL that matter for programs with skelrt.
std::span<const variable> other_variables() noexcept;

/// The variable's value; nothing if it is unset or empty.
std::optional<std::string> env_text(std::string_view name);

/// Throws the error that says so.
[[noreturn]] void throw_bad_value(std::string_view name, std::string_view value, const std::string& allowed);

// The following throw error for a bad value; the message names the variable, the value, and what is allowed.

std::optional<long> env_number(std::string_view name, long min, long max);
/// 0 or 1.
std::optional<bool> env_flag(std::string_view name);
/// The position of the value in `allowed`.
std::optional<std::size_t> env_choice(std::string_view name, std::initializer_list<std::string_view> allowed);
/// A comma list of different words, each as its position in `allowed`.
std::optional<std::vector<std::size_t>> env_choices(std::string_view name,
                                                    std::initializer_list<std::string_view> allowed);

/// One sentence for each SKELRT_ variable that is set and that nobody reads, with the nearest name that exists.
std::vector<std::string> environment_complaints();

} // namespace skelrt::detail
