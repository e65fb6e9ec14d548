// SPDX-License-Identifier: BSD-3-Clause
/// random_tasks [count [first]]
///
/// Runs programs of tasks, skeleton calls, farms, pipelines, trees, host views and waits number first, first + 1, ...
/// on a few containers, and compares all that they read with plain sequential code. A number is a seed: the same
/// program in every run. Prints the figure random_graphs: how many came out right. If none ends for half a minute, it
/// says which one hangs, and stops.

#include "tests/tasks/add_kernel.hpp"
#include "tests/tasks/checked_matrix.hpp"
#include "tests/tasks/constructs_of_tasks.hpp"
#include "tests/tasks/own_memory_kernels.hpp"
#include "tests/watchdog.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace sk = skelrt;
using add_kernel::add_all;
using namespace constructs_of_tasks;

namespace
{

void fill(sk::block<int> x, int n)
{
    for (std::size_t r = 0; r < x.rows(); ++r)
        for (std::size_t c = 0; c < x.cols(); ++c) x(r, c) = n;
}

class random_program
{
public:
    random_program(unsigned seed, sk::device_set other_device) : random_(seed), other_device_(other_device)
    {
        const int count = 2 + below(2);
        for (int m = 0; m < count; ++m)
            data_.emplace_back(m == 0 ? 1 : 1 + static_cast<std::size_t>(below(20)),
                               1 + static_cast<std::size_t>(below(40)));
        if (below(4) == 0) data_[0].real.set_tiles(1 + static_cast<std::size_t>(below(5)));
        for (auto& s : totals_) s = sk::scalar<int>(0);
    }

    /// Throws std::logic_error with what is wrong.
    void run()
    {
        for (int steps = 20 + below(60); steps > 0; --steps) step();
        for (std::size_t m = 0; m < data_.size(); ++m) compare(m);
        for (std::size_t k = 0; k < totals_.size(); ++k) require(totals_[k].get(), right_totals_[k], "a total");
        for (const auto& [future, value] : promised_) require(future.get(), value, "a task's value");
    }

private:
    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    std::size_t below(std::size_t n) { return random_() % n; }

    area draw(const checked_matrix& m)
    {
        const int shape = below(6);
        if (shape == 0) return {0, 0, m.rows, m.cols};
        const std::size_t row = below(m.rows), col = below(m.cols);
        const std::size_t rows = 1 + below(m.rows - row), cols = 1 + below(m.cols - col);
        if (shape == 1) return {row, 0, rows, m.cols};
        if (shape == 2) return {0, col, m.rows, 1};
        if (shape == 3) { // of a grid, so that parts come again
            const std::size_t r = row / 4 * 4, c = col / 8 * 8;
            return {r, c, std::min<std::size_t>(4, m.rows - r), std::min<std::size_t>(8, m.cols - c)};
        }
        return {row, col, rows, cols};
    }

    void compare(std::size_t number)
    {
        checked_matrix& m = data_[number];
        const auto h = sk::host_read(m.real);
        for (std::size_t r = 0; r < m.rows; ++r)
            for (std::size_t c = 0; c < m.cols; ++c)
                require(h(r, c), m.at(r, c),
                        "element (" + std::to_string(r) + ", " + std::to_string(c) + ") of matrix " +
                            std::to_string(number));
    }

    sk::how how()
    {
        sk::how h;
        if (below(3) == 0) h.priority = below(5) - 2;
        if (below(6) == 0 && !promised_.empty()) h.after = {promised_.back().first};
        return h;
    }

    /// On the other device, if there is one, half of the times: what a kernel leaves there calls on cores must find.
    sk::how how_and_where()
    {
        sk::how h = how();
        if (below(2) == 0) h.on = other_device_;
        return h;
    }

    std::vector<band> draw_bands(const checked_matrix& m)
    {
        std::vector<band> bands;
        for (const area& where : bands_of(m, 1 + below(std::size_t{4}))) bands.push_back({where, how_and_where()});
        return bands;
    }

    void step()
    {
        const std::size_t number = below(data_.size());
        checked_matrix& m = data_[number];
        const area a = draw(m);
        const int k = below(100);
        switch (below(21)) {
        case 0:
            sk::later_task(how(), add_kernel::add_number(), sk::inout(m.part(a)), k)();
            return m.each(a, [&](int& v) { v += k; });
        case 1:
            sk::task(how_and_where(), add_kernel::add_number(), sk::inout(m.part(a)), k);
            return m.each(a, [&](int& v) { v += k; });
        case 2:
            sk::task(
                how(), [](sk::block<int> x, int n) { fill(x, n); }, sk::out(m.part(a)), k);
            return m.each(a, [&](int& v) { v = k; });
        case 3:
        case 4:
            return add_from_another(m, a);
        case 5:
            return read_two_parts(m, a);
        case 6:
            for (int i = 0; i < 3; ++i) sk::task(how(), add_kernel::add_number(), sk::commute(m.part(a)), k + i);
            return m.each(a, [&](int& v) { v += 3 * k + 3; });
        case 7:
            return reduce(m, a);
        case 8:
            promised_.emplace_back(sk::task(
                                       how(), [](sk::block<const int> x) { return sum_of(x); }, sk::in(m.part(a))),
                                   m.sum(a));
            return;
        case 9:
            return use_promised(m, a);
        case 10:
            m.real = add_one(m.real);
            return m.each({0, 0, m.rows, m.cols}, [](int& v) { ++v; });
        case 11:
            m.part(a) = add_one(m.part(a));
            return m.each(a, [](int& v) { ++v; });
        case 12:
            return use_on_host(number, a, k);
        case 13:
            return fail_and_heal(m, a, k);
        case 14:
            return copy(number);
        case 15:
            return farm_of_tasks(m, draw_bands(m), k);
        case 16:
            return tree_of_tasks(m, k);
        case 17:
            return cancel_and_heal(m, a, k);
        case 18:
            return pipeline_of_tasks(m, draw_bands(m), 1 + below(std::size_t{6}), k);
        case 19:
            return break_off_and_heal(m, k);
        default:
            return use_scratch(m, a, k);
        }
    }

    void add_from_another(checked_matrix& m, const area& a)
    {
        checked_matrix& other = data_[below(data_.size())];
        const area b = draw(other);
        if (&other == &m && overlap(a, b)) return;
        const bool first = below(2) == 0;
        const int k = first ? other.at(b.row, b.col) : other.sum(b);
        if (first) sk::task(how(), add_kernel::add_first(), sk::in(other.part(b)), sk::inout(m.part(a)));
        else
            sk::task(
                how(), [](sk::block<const int> x, sk::block<int> y) { add_all(y, sum_of(x)); }, sk::in(other.part(b)),
                sk::inout(m.part(a)));
        m.each(a, [&](int& v) { v += k; });
    }

    void read_two_parts(checked_matrix& m, const area& a)
    {
        const area b = draw(m);
        const int right = m.sum(a) + m.sum(b);
        promised_.emplace_back(sk::task(
                                   how(),
                                   [](sk::block<const int> x, sk::block<const int> y) { return sum_of(x) + sum_of(y); },
                                   sk::in(m.part(a)), sk::in(m.part(b))),
                               right);
    }

    void reduce(checked_matrix& m, const area& a)
    {
        const std::size_t t = below(totals_.size());
        sk::task(how_and_where(), own_memory_kernels::sum_into(), sk::in(m.part(a)),
                 sk::reduction(sk::plus, totals_[t]));
        right_totals_[t] += m.sum(a);
    }

    void use_promised(checked_matrix& m, const area& a)
    {
        if (promised_.empty()) return;
        const auto& [future, value] = promised_[below(promised_.size())];
        sk::task(
            how(), [](const int& n, sk::block<int> x) { add_all(x, n); }, future, sk::inout(m.part(a)));
        m.each(a, [v = value](int& e) { e += v; });
    }

    void use_on_host(std::size_t number, const area& a, int k)
    {
        checked_matrix& m = data_[number];
        if (below(3) == 0) return compare(number);
        if (below(2) == 0) return sk::wait(m.part(a));
        if (below(2) == 0) return use_part_on_host(m, a, k);
        const auto h = sk::host(m.real);
        for (std::size_t c = a.col; c < a.col + a.cols; ++c) h(a.row, c) += k;
        m.each({a.row, a.col, 1, a.cols}, [&](int& v) { v += k; });
    }

    /// While the view is open tasks use what lies beside it.
    void use_part_on_host(checked_matrix& m, const area& a, int k)
    {
        const auto h = sk::host(m.part(a));
        for (int i = 0; i < 2; ++i) {
            const area b = draw(m);
            if (overlap(a, b)) continue;
            const auto t = sk::task(how(), add_kernel::add_number(), sk::inout(m.part(b)), k);
            m.each(b, [&](int& v) { v += k; });
            if (below(2) == 0) t.wait();
        }
        for (std::size_t r = 0; r < a.rows; ++r)
            for (std::size_t c = 0; c < a.cols; ++c) {
                require(h(r, c), m.at(a.row + r, a.col + c), "an element of a part");
                h(r, c) -= k;
            }
        m.each(a, [&](int& v) { v -= k; });
    }

    /// What depends on a failed task does not run; what writes all of its part anew does.
    void fail_and_heal(checked_matrix& m, const area& a, int k)
    {
        const auto bad = sk::task(
            how(), [](sk::block<int>) { throw std::runtime_error("on purpose"); }, sk::inout(m.part(a)));
        const area inner{a.row, a.col, 1 + below(a.rows), 1 + below(a.cols)};
        const auto behind = sk::task(how(), add_kernel::add_number(), sk::inout(m.part(inner)), 1);
        sk::task([](sk::block<int> x, int n) { fill(x, n); }, sk::out(m.part(a)), k);
        m.each(a, [&](int& v) { v = k; });
        require_error<sk::item_error>(bad);
        require_error<sk::skipped>(behind);
    }

    /// What was under way ran in part; what is written anew is right.
    void break_off_and_heal(checked_matrix& m, int k)
    {
        const std::vector<band> bands = draw_bands(m);
        const band* const bad = below(2) == 0 ? &bands[below(bands.size())] : nullptr;
        if (below(2) == 0) break_off_pipeline(m, bands, bad, k);
        else break_off_tree(m, bands, bad, k);
        const area all{0, 0, m.rows, m.cols};
        sk::task([](sk::block<int> x, int n) { fill(x, n); }, sk::out(m.part(all)), k);
        m.each(all, [&](int& v) { v = k; });
    }

    /// It ran or it did not; what is written anew is right.
    void cancel_and_heal(checked_matrix& m, const area& a, int k)
    {
        const auto t = sk::task(how(), add_kernel::add_number(), sk::inout(m.part(a)), k);
        t.cancel();
        sk::task([](sk::block<int> x, int n) { fill(x, n); }, sk::out(m.part(a)), k);
        m.each(a, [&](int& v) { v = k; });
        try {
            static_cast<void>(t.get());
        } catch (const sk::cancelled&) { // one of two ends that are right
        }
    }

    void copy(std::size_t number)
    {
        checked_matrix& m = data_[number];
        const sk::matrix<int> same = m.real;
        if (below(2) == 0) m.real = same;
        const auto sum = sk::reduce(sk::plus, 0)(same);
        require(sum, std::accumulate(m.right.begin(), m.right.end(), 0), "the sum of a copy");
    }

    void use_scratch(checked_matrix& m, const area& a, int k)
    {
        sk::task(how_and_where(), own_memory_kernels::add_by_way(), sk::inout(m.part(a)),
                 sk::scratch<int>(a.rows * a.cols), k);
        m.each(a, [&](int& v) { v += k; });
    }

    std::mt19937 random_;
    const sk::device_set other_device_; ///< all, where there is none
    std::vector<checked_matrix> data_;
    std::array<sk::scalar<int>, 2> totals_;
    std::array<int, 2> right_totals_{};
    std::vector<std::pair<sk::future<int>, int>> promised_;
};

bool comes_out_right(unsigned seed, sk::device_set other_device)
{
    try {
        random_program(seed, other_device).run();
        return true;
    } catch (const std::exception& e) {
        std::printf("program %u: %s\n", seed, e.what());
        return false;
    }
}

sk::device_set other_device(const sk::runtime& rt)
{
    for (const sk::device_info& d : rt.devices())
        if (d.kind != sk::device::cpu) return d.kind;
    return sk::device_set::all();
}

} // namespace

/// Several threads run programs at the same time, each on containers of its own.
int main(int argc, char** argv)
{
    const auto argument = [&](int k, int otherwise) { return argc > k ? std::atoi(argv[k]) : otherwise; };
    const auto count = static_cast<unsigned>(argument(1, 1000)), first = static_cast<unsigned>(argument(2, 0)),
               threads = static_cast<unsigned>(argument(3, 1));
    constexpr unsigned restart = 200; // programs a runtime
    std::atomic<unsigned> right{0};
    watchdog dog;
    for (unsigned begin = 0; begin < count; begin += restart) {
        const sk::runtime rt;
        const sk::device_set elsewhere = other_device(rt);
        const unsigned end = std::min(count, begin + restart);
        const auto run = [&](unsigned thread) {
            for (unsigned k = begin + thread; k < end; k += threads) {
                dog.begins(first + k);
                right += comes_out_right(first + k, elsewhere);
            }
        };
        std::vector<std::jthread> others;
        for (unsigned t = 1; t < threads; ++t) others.emplace_back(run, t);
        run(0);
    }
    std::printf("figure: random_graphs %u\n", right.load());
    return right == count ? 0 : 1;
}
