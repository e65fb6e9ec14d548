// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace skelrt::detail
{

/// What programs do with the data of a call, by the number of its recipe: they mostly do the same again, as earlier
/// runs of a program did. Guarded by the order's lock.
class usage
{
public:
    /// Of one recipe.
    struct habit {
        float home = 0.5f;                ///< how often the results went home, the last times most
        std::optional<bool> usually_home; ///< none: nobody knows
        std::array<std::size_t, 3> runs{};
        std::size_t seen = 0; ///< runs
        /// The last runs that are known.
        std::size_t kept_runs() const noexcept { return seen < runs.size() ? seen : runs.size(); }
    };

    /// What earlier processes found of a recipe; asked once for each.
    using recall = std::function<std::optional<habit>(std::uint32_t recipe)>;
    explicit usage(recall earlier = {}) : earlier_(std::move(earlier)) {}

    /// How likely the host reads the results of this recipe before another call uses them where they are: in [0, 1].
    double goes_home(std::uint32_t recipe, double until_known = 0.5);
    /// Whether that is the habit. It takes several of the other kind in a row to change it: a recipe may make what is
    /// read and what is not, in turn.
    bool usually_goes_home(std::uint32_t recipe);
    /// That is what happened, or it did not.
    void note_home(std::uint32_t recipe, bool home);

    /// How many calls in a row, the first of which is of this recipe, use data before the host does; 0: nobody knows.
    /// The fewest of the last few times: too few costs another copy, too many a copy for nothing.
    std::size_t usual_run(std::uint32_t recipe);
    void note_run(std::uint32_t recipe, std::size_t calls);
    /// The data is gone, and the host never looked: no fewer calls use such data than have used this. Any thread, with
    /// the order's lock or without: containers end anywhere.
    void note_end_of_run(std::uint32_t recipe, std::size_t calls);

    /// Of all recipes, by number.
    const std::vector<habit>& all();
    void forget();

private:
    /// Calls that have used data which is gone.
    struct ended_run {
        std::uint32_t recipe;
        std::size_t calls;
    };

    habit& of(std::uint32_t recipe);
    void take_ended();

    recall earlier_;
    std::vector<habit> habits_;
    std::mutex ended_guard_;
    std::vector<ended_run> ended_; ///< the longest of each recipe, until somebody asks
};

} // namespace skelrt::detail
