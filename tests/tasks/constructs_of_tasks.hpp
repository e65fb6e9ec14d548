// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/tasks/add_kernel.hpp"
#include "tests/tasks/checked_matrix.hpp"

#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

/// Farms, pipelines and trees whose functions make tasks and calls, each on elements of a matrix of its own.
namespace constructs_of_tasks
{

namespace sk = skelrt;

const auto add_one = sk::map(SKELRT_FN((int a) { return a + 1; }));

inline int sum_of(sk::block<const int> b)
{
    unsigned s = 0;
    for (std::size_t r = 0; r < b.rows(); ++r)
        for (std::size_t c = 0; c < b.cols(); ++c) s += static_cast<unsigned>(b(r, c));
    return static_cast<int>(s);
}

inline void require(int is, int right, const std::string& what)
{
    if (is != right)
        throw std::logic_error(what + " is " + std::to_string(is) + " instead of " + std::to_string(right));
}

template <class Error, class Future>
void require_error(const Future& f)
{
    try {
        static_cast<void>(f.get());
    } catch (const Error&) {
        return;
    }
    throw std::logic_error("a task did not fail");
}

/// Rows of a matrix that an item of a farm, a token or a leaf of a tree has for itself.
struct band {
    area where;
    sk::how how;
};

inline void add_twice(const checked_matrix& m, const band& b, int k)
{
    for (int i = 0; i < 2; ++i) sk::task(b.how, add_kernel::add_number(), sk::inout(m.part(b.where)), k);
}
inline void add_twice_or_throw(const checked_matrix& m, const band& b, const band* bad, int k)
{
    add_twice(m, b, k);
    if (&b == bad) throw std::runtime_error("on purpose");
}

/// What sequential code makes of bands to each element of which so much is added: their sums.
inline std::vector<int> added_to_bands(checked_matrix& m, const std::vector<band>& bands, int k)
{
    std::vector<int> sums;
    for (const band& b : bands) {
        m.each(b.where, [&](int& v) { v += k; });
        sums.push_back(m.sum(b.where));
    }
    return sums;
}

inline void require_sums(const std::vector<int>& sums, const std::vector<int>& right)
{
    require(static_cast<int>(sums.size()), static_cast<int>(right.size()), "the number of sums");
    for (std::size_t i = 0; i < right.size(); ++i) require(sums[i], right[i], "a band's sum");
}

/// Each item on rows of its own, with tasks and a call.
inline void farm_of_tasks(checked_matrix& m, const std::vector<band>& bands, int k)
{
    const std::vector<int> right = added_to_bands(m, bands, 2 * k + 1);
    const auto sums = sk::farm([&](const band& b) {
        const auto part = m.part(b.where);
        add_twice(m, b, k);
        m.part(b.where) = add_one(part);
        return sk::task([](sk::block<const int> x) { return sum_of(x); }, sk::in(part)).get();
    })(bands);
    require_sums(sums, right);
}

inline auto source_of(const std::vector<band>& bands)
{
    return sk::source([&bands, next = std::size_t{0}]() mutable {
        return next < bands.size() ? std::optional(&bands[next++]) : std::nullopt;
    });
}

/// Each token on rows of its own: tasks, then a call whose result travels on.
inline void pipeline_of_tasks(checked_matrix& m, const std::vector<band>& bands, std::size_t window, int k)
{
    const std::vector<int> right = added_to_bands(m, bands, 2 * k + 1);
    std::vector<int> sums;
    const auto tasks = [&](const band* b) { return add_twice(m, *b, k), b; };
    const auto call = [&](const band* b) {
        sk::matrix<int> more = add_one(m.part(b->where));
        m.part(b->where) = more.sub(0, 0, more.rows(), more.cols());
        return more;
    };
    const auto add_up = [](sk::matrix<int> more) {
        return sk::task([](sk::block<const int> x) { return sum_of(x); }, sk::in(more));
    };
    sk::pipeline(source_of(bands), sk::parallel(tasks), sk::serial(call), sk::parallel(add_up, 2),
                 sk::in_order([&](const sk::future<int>& sum) { sums.push_back(sum.get()); }))
        .window(window)();
    require_sums(sums, right);
}

template <class Future>
void end_early(const Future& running, bool throws)
{
    if (throws) return require_error<sk::item_error>(running);
    running.cancel();
    try {
        static_cast<void>(running.get());
    } catch (const sk::cancelled&) { // or it was done
    }
}

/// A pipeline and a tree that one of their functions ends early, or that are cancelled: some of their tasks run. `bad`:
/// the band that throws, or null.
inline void break_off_pipeline(checked_matrix& m, const std::vector<band>& bands, const band* bad, int k)
{
    const auto work = [&](const band* b) { return add_twice_or_throw(m, *b, bad, k), b; };
    end_early(sk::pipeline(source_of(bands), sk::parallel(work), sk::in_order([](const band*) {})).start(),
              bad != nullptr);
}
inline void break_off_tree(checked_matrix& m, const std::vector<band>& bands, const band* bad, int k)
{
    using some = std::span<const band>;
    const auto halves = [](some b) {
        const std::size_t middle = b.size() / 2;
        return std::array{b.first(middle), b.subspan(middle)};
    };
    const auto work = [&m, bad, k](some b) { add_twice_or_throw(m, b[0], bad, k); };
    end_early(sk::divide_and_conquer([](some b) { return b.size() == 1; }, halves, work).start(some(bands)),
              bad != nullptr);
}

/// Areas are halved until they are small; each leaf makes a task.
inline void tree_of_tasks(checked_matrix& m, int k)
{
    const auto is_small = [](const area& a) { return a.rows * a.cols <= 8; };
    const auto split = [](const area& a) {
        if (a.rows > 1)
            return std::array{area{a.row, a.col, a.rows / 2, a.cols},
                              area{a.row + a.rows / 2, a.col, a.rows - a.rows / 2, a.cols}};
        return std::array{area{a.row, a.col, 1, a.cols / 2}, area{a.row, a.col + a.cols / 2, 1, a.cols - a.cols / 2}};
    };
    const auto solve = [&](const area& a) {
        sk::task(add_kernel::add_number(), sk::inout(m.part(a)), k);
        return sk::task([](sk::block<const int> x) { return sum_of(x); }, sk::in(m.part(a))).get();
    };
    const auto merge = [](const area&, std::span<int> sums) { return std::accumulate(sums.begin(), sums.end(), 0); };
    const area all{0, 0, m.rows, m.cols};
    m.each(all, [&](int& v) { v += k; });
    require(sk::divide_and_conquer(is_small, split, solve, merge)(all), m.sum(all), "a tree's sum");
}

} // namespace constructs_of_tasks
