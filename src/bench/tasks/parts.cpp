// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/tasks/costs.hpp"

#include <fmt/core.h>
#include <skelrt/host.hpp>
#include <skelrt/task.hpp>
#include <skelrt/vector.hpp>

#include <algorithm>
#include <span>
#include <stdexcept>
#include <vector>

namespace bench
{
namespace
{

namespace sk = skelrt;

constexpr std::size_t part = 64; ///< elements

void count(const sk::view1<float>& of)
{
    sk::task([](std::span<float> x) { x[0] += 1; }, sk::inout(of));
}

template <class Submit>
double seconds(sk::runtime& rt, const Submit& submit_all)
{
    const double begin = now();
    submit_all();
    rt.wait();
    return now() - begin;
}

/// Vectors of one part each.
std::vector<sk::vector<float>> separate(std::size_t n) { return std::vector(n, sk::vector<float>(part, 0.0f)); }

void expect(float got, std::size_t tasks)
{
    if (got != static_cast<float>(tasks))
        throw std::runtime_error(fmt::format("parts: {} of {} tasks ran", got, tasks));
}

void measure_stable(report& out, const task_options& o, sk::runtime& rt)
{
    constexpr std::size_t parts = 64;
    sk::vector<float> one(parts * part, 0.0f);
    auto many = separate(parts);
    const auto on_parts = [&] {
        for (std::size_t k = 0; k < o.tasks; ++k) count(one.range(k % parts * part, part));
    };
    const auto on_others = [&] {
        for (std::size_t k = 0; k < o.tasks; ++k) count(many[k % parts].range(0, part));
    };
    out.heading(fmt::format("{} tasks on {} parts of one vector, which stay the same", o.tasks, parts));
    const auto t = alternate({{"parts of one", [&] { return seconds(rt, on_parts); }},
                              {"vectors of their own", [&] { return seconds(rt, on_others); }}},
                             1, o.repeat);
    out.row("stable parts", "parts of one", t[0]);
    out.row("stable parts", "vectors of their own", t[1]);
    expect(sk::host_read(one)[part], static_cast<std::size_t>(sk::host_read(many[1])[0]));
    out.figure("parts_stable_us", (t[0].median - t[1].median) / static_cast<double>(o.tasks) * 1e6);
}

/// One vector, as a whole and in parts by turns: the whole merges them, and all but one of them have to be cut out.
/// They are more than a task on a core takes without a merge.
void measure_cuts(report& out, const task_options& o, sk::runtime& rt)
{
    constexpr std::size_t parts = 32, changes = parts;
    const std::size_t turns = std::max<std::size_t>(o.tasks / 1000, 1);
    sk::vector<float> one(parts * part, 0.0f), whole(parts * part, 0.0f);
    auto many = separate(parts);
    const auto changing = [&] {
        for (std::size_t turn = 0; turn < turns; ++turn) {
            count(one.range(0, one.size()));
            for (std::size_t k = 0; k < parts; ++k) count(one.range(k * part, part));
        }
    };
    const auto staying = [&] {
        for (std::size_t turn = 0; turn < turns; ++turn) {
            count(whole.range(0, whole.size()));
            for (auto& x : many) count(x.range(0, part));
        }
    };
    out.heading(fmt::format("a vector as a whole and in {} parts by turns, {} times", parts, turns));
    const auto t = alternate({{"parts that change", [&] { return seconds(rt, changing); }},
                              {"vectors of their own", [&] { return seconds(rt, staying); }}},
                             1, o.repeat);
    out.row("changing parts", "parts that change", t[0]);
    out.row("changing parts", "vectors of their own", t[1]);
    expect(sk::host_read(one)[part], static_cast<std::size_t>(sk::host_read(many[1])[0]));
    out.figure("parts_cut_us", (t[0].median - t[1].median) / static_cast<double>(turns * changes) * 1e6);
}

} // namespace

void measure_parts(report& out, const task_options& o, sk::runtime& rt)
{
    measure_stable(out, o, rt);
    measure_cuts(out, o, rt);
}

} // namespace bench
