// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/trace/deeds.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace skelrt::detail
{

/// What takes long, out of looks that follow each other, and when to say so: once a deed is as old as patience has it,
/// then each time that it has become twice as old. Pure.
class long_deeds
{
public:
    using clock = std::chrono::steady_clock;

    explicit long_deeds(std::chrono::duration<double> patience, clock::time_point begun)
        : patience_(patience), begun_(begun), said_(begun)
    {
    }

    /// StarPU's, by number: "core 0", "CUDA 0".
    void name_workers(std::vector<std::string> names) { workers_ = std::move(names); }
    /// One line; empty: there is nothing to say. `tasks`: that are still to end.
    std::string look(const std::vector<seen_deed>& seen, int tasks, clock::time_point now);

private:
    struct age {
        std::uint32_t number;
        clock::time_point since;
        double told_s = 0; ///< how old it was when it was said
    };
    /// Those of one text.
    struct line {
        std::vector<std::string> who;
        double seconds = 0;
    };

    void follow(const std::vector<seen_deed>& seen, clock::time_point now);
    bool is_due(clock::time_point now) const;
    std::string who(const seen_deed& s) const;
    std::map<std::string, line> lines(const std::vector<seen_deed>& seen, clock::time_point now);

    const std::chrono::duration<double> patience_;
    const clock::time_point begun_;
    clock::time_point said_;
    std::vector<std::string> workers_;
    std::map<const void*, age> ages_; ///< by who does it
};

} // namespace skelrt::detail
