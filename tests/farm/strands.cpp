// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/faults/use_history.hpp"
#include "src/program/strand.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

/// SKELRT_CHECK=races, as data: which moments of random programs come before which, and who conflicts.

namespace
{

using namespace skelrt::detail;

/// A random program of strands that start works with items, and wait for works. It keeps the moments, and an edge for
/// each reason that there is for one to come before another.
class random_strands
{
public:
    explicit random_strands(unsigned seed) : random_(seed) { strands_.push_back({std::make_shared<strand>()}); }

    void step()
    {
        const std::size_t s = below(strands_.size());
        if (strands_[s].ended) return;
        switch (below(5)) {
        case 0:
            return start(s, below(3));
        case 1:
            return await(s, below(works_.size() + 1));
        case 2:
            return end(s);
        case 3:
            return know_end(s, below(strands_.size()));
        default:
            note(s);
        }
    }
    void compare() const
    {
        const auto reached = closure();
        for (std::size_t a = 0; a < moments_.size(); ++a)
            for (std::size_t b = 0; b < moments_.size(); ++b)
                if (is_before(moments_[a], moments_[b]) != reached[a][b]) FAIL("moments " << a << " and " << b);
    }

private:
    static constexpr std::size_t nothing = ~std::size_t{0};
    struct one_strand {
        std::shared_ptr<strand> it;
        std::size_t last = nothing; ///< moment
        bool ended = false;
    };
    struct work {
        std::shared_ptr<work_order> order;
        std::size_t begun;
        std::vector<std::size_t> items;
    };

    std::size_t below(std::size_t n) { return random_() % n; }

    std::size_t note(std::size_t s)
    {
        const in_strand here(strands_[s].it);
        return add(s, now());
    }
    std::size_t add(std::size_t s, const moment& m)
    {
        moments_.push_back(m);
        after_.emplace_back();
        if (strands_[s].last != nothing) after_.back().push_back(strands_[s].last);
        return strands_[s].last = moments_.size() - 1;
    }
    void start(std::size_t s, std::size_t items)
    {
        work w{std::make_shared<work_order>(), note(s), {}};
        w.order->begun = moments_[w.begun];
        for (std::size_t k = 0; k < items; ++k) {
            w.items.push_back(strands_.size());
            strands_.push_back({std::make_shared<strand>(w.order, "item " + std::to_string(k)), w.begun});
        }
        works_.push_back(std::move(w));
    }
    void end(std::size_t s)
    {
        if (s > 0) strands_[s].ended = true;
    }
    void await(std::size_t s, std::size_t number)
    {
        if (number >= works_.size()) return;
        const work& w = works_[number];
        if (std::ranges::any_of(w.items, [&](std::size_t k) { return !strands_[k].ended; })) return;
        {
            const in_strand here(strands_[s].it);
            note_awaited(w.order);
        }
        const std::size_t then = note(s);
        after_[then].push_back(w.begun);
        for (const std::size_t k : w.items) after_[then].push_back(strands_[k].last);
    }
    void know_end(std::size_t s, std::size_t other)
    {
        if (other == s || !strands_[other].ended) return;
        {
            const in_strand here(strands_[s].it);
            note_end_known(strands_[other].it);
        }
        after_[note(s)].push_back(strands_[other].last);
    }

    std::vector<std::vector<bool>> closure() const
    {
        const std::size_t n = moments_.size();
        std::vector<std::vector<bool>> reached(n, std::vector<bool>(n, false));
        for (std::size_t b = 0; b < n; ++b) { // what comes before it was noted before it
            reached[b][b] = true;
            for (const std::size_t a : after_[b])
                for (std::size_t c = 0; c < n; ++c)
                    if (reached[c][a]) reached[c][b] = true;
        }
        return reached;
    }

    std::mt19937 random_;
    std::vector<one_strand> strands_;
    std::vector<work> works_;
    std::vector<moment> moments_;
    std::vector<std::vector<std::size_t>> after_; ///< of each moment, those right before it
};

use_history::use use_of(const rectangle& part, data_use how, const std::shared_ptr<strand>& by)
{
    const in_strand here(by);
    return {part, how, now(), "it"};
}

} // namespace

TEST_CASE("what comes before what is what forks, waits and strands say", "[races]")
{
    for (unsigned seed = 0; seed < 300; ++seed) {
        random_strands program(seed);
        for (int k = 0; k < 60; ++k) program.step();
        program.compare();
    }
}

TEST_CASE("of threads and of what nobody knows nothing is said", "[races]")
{
    const auto one = std::make_shared<strand>(), other = std::make_shared<strand>();
    use_history h;
    const rectangle all{0, 0, 1, 10};
    CHECK_FALSE(h.add(use_of(all, data_use::writes, one)));
    CHECK_FALSE(h.add(use_of(all, data_use::writes, other)));
    const in_strand nowhere(nullptr);
    CHECK_FALSE(now().on);
}

TEST_CASE("two items conflict where they share elements and one writes", "[races]")
{
    const auto outer = std::make_shared<strand>();
    const auto farm = std::make_shared<work_order>();
    {
        const in_strand here(outer);
        farm->begun = now();
    }
    const auto a = std::make_shared<strand>(farm, "a"), b = std::make_shared<strand>(farm, "b");
    using enum data_use;
    const rectangle left{0, 0, 1, 5}, right{0, 5, 1, 5}, all{0, 0, 1, 10};
    const auto conflict = [&](const rectangle& of_a, data_use by_a, const rectangle& of_b, data_use by_b) {
        use_history h;
        CHECK_FALSE(h.add(use_of(of_a, by_a, a)));
        CHECK_FALSE(h.add(use_of(of_a, by_a, a)));
        return h.add(use_of(of_b, by_b, b)).has_value();
    };
    CHECK(conflict(all, writes, left, reads));
    CHECK(conflict(left, reads, all, writes));
    CHECK(conflict(all, writes, all, writes));
    CHECK(conflict(all, commutes, left, reads));
    CHECK_FALSE(conflict(all, commutes, all, commutes));
    CHECK_FALSE(conflict(all, reads, all, reads));
    CHECK_FALSE(conflict(left, writes, right, writes));
    {
        const in_strand here(outer);
        note_awaited(farm);
    }
    use_history h;
    CHECK_FALSE(h.add(use_of(all, writes, a)));
    CHECK(h.add(use_of(all, writes, b)));
    CHECK_FALSE(h.add(use_of(all, writes, outer)));
}

TEST_CASE("many users: the latest are remembered", "[races]")
{
    const auto outer = std::make_shared<strand>();
    const auto farm = std::make_shared<work_order>();
    {
        const in_strand here(outer);
        farm->begun = now();
    }
    use_history h;
    const rectangle all{0, 0, 1, 10};
    for (std::size_t k = 0; k < 3 * use_history::most; ++k)
        CHECK_FALSE(h.add(use_of(all, data_use::reads, std::make_shared<strand>(farm, std::to_string(k)))));
    const auto found = h.add(use_of(all, data_use::writes, std::make_shared<strand>(farm, "writer")));
    REQUIRE(found);
    CHECK(found->when.on->name() == std::to_string(2 * use_history::most));
}
