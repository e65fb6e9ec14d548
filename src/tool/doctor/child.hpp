// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// A program that may hang or crash, so that nobody else does.
namespace skelrt::tool::doctor
{

/// What a child writes here is its answer, apart from what it and its libraries say.
constexpr int answer_descriptor = 3;

struct child {
    std::vector<std::string> command;
    std::map<std::string, std::optional<std::string>> environment; ///< changes: no value unsets
    double limit_s = 60;
};

enum class ended : std::uint8_t { by_itself, by_signal, by_limit };

struct ending {
    ended how = ended::by_itself;
    int code = 0;       ///< what it exited with, or the signal
    std::string answer; ///< what it wrote to answer_descriptor
    std::string said;   ///< the end of its stdout and stderr
};

/// Runs it and waits, within its limit: then it and what it started are killed. Throws error if it cannot be started.
ending run(const child& c);

/// "it crashed (signal 11: Segmentation fault)", with the last line that it said; empty: it exited with 0.
std::string problem_of(const ending& e, double limit_s);

} // namespace skelrt::tool::doctor
