// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/overhead/overhead.hpp"
#include "src/bench/shared/devices.hpp"

#include <fmt/core.h>
#include <skelrt/skelrt.hpp>

#include <cmath>
#include <stdexcept>
#include <vector>

namespace bench
{
namespace
{

namespace sk = skelrt;

constexpr int batch = 2000; // calls per sample: about a millisecond, far above the clock's grain

// The plain loops are functions of their own, as a program has them; what the compiler knows of skelrt's loops (no
// overlap, any order) it is told of these, too.

[[gnu::noinline]] void plain_saxpy(float a, const float* x, float* y, std::size_t n)
{
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}

[[gnu::noinline]] float plain_dot(const float* x, const float* y, std::size_t n)
{
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < n; ++i) sum += x[i] * y[i];
    return sum;
}

template <class Call>
double time_batch(const Call& call)
{
    const double start = now();
    for (int i = 0; i < batch; ++i) call();
    return (now() - start) / batch;
}

/// `map` on skelrt's vectors and `loop` on plain ones; returns ns of the one above the other, best against best.
template <class Ours, class Plain>
double compare(report& out, const overhead_options& o, const std::string& work, const Ours& ours, const Plain& plain)
{
    const auto t =
        alternate({{"skelrt", [&] { return time_batch(ours); }}, {"plain loop", [&] { return time_batch(plain); }}}, 3,
                  4 * o.repeat);
    out.row(work, "skelrt", t[0]);
    out.row(work, "plain loop", t[1]);
    return (t[0].best - t[1].best) * 1e9;
}

void require(bool right, const char* what)
{
    if (!right) throw std::runtime_error(fmt::format("overhead, {}: skelrt's result is not the plain loop's", what));
}

} // namespace

void measure_inline(report& out, const overhead_options& o)
{
    const auto rt = start_runtime("cpu");
    sk::vector<float> x(o.n, 1.0f), y(o.n, 2.0f);
    std::vector<float> plain_x(o.n, 1.0f), plain_y(o.n, 2.0f);
    const auto saxpy = sk::map(SKELRT_FN((float a, float x, float y) { return a * x + y; }));
    const auto multiply = sk::map(sk::multiplies);
    const auto sum = sk::reduce(sk::plus, 0.0f);

    out.heading(
        fmt::format("calls on {} floats in host memory, on the calling thread; {} calls per sample", o.n, batch));
    // Signs alternate, so that y stays where it is.
    float a = 0.5f, plain_a = 0.5f;
    const auto map_ours = [&] {
        y = saxpy(a, x, y);
        a = -a;
    };
    const auto map_plain = [&] {
        plain_saxpy(plain_a, plain_x.data(), plain_y.data(), o.n);
        keep(plain_y[0]);
        plain_a = -plain_a;
    };
    const double map_ns = compare(out, o, fmt::format("map, {} floats", o.n), map_ours, map_plain);
    {
        const auto view = sk::host_read(y);
        for (std::size_t i = 0; i < o.n; ++i) require(std::abs(view[i] - plain_y[i]) < 1e-3f, "map");
    }

    float dot = 0, plain = 0;
    const auto dot_ours = [&] {
        dot = sum(multiply(x, y));
        keep(dot);
    };
    const auto dot_plain = [&] {
        plain = plain_dot(plain_x.data(), plain_y.data(), o.n);
        keep(plain);
    };
    const double dot_ns = compare(out, o, fmt::format("dot, {} floats", o.n), dot_ours, dot_plain);
    require(std::abs(dot - plain) <= 1e-4f * std::abs(plain), "dot");
    out.note("figures: best of skelrt less best of the plain loop");
    if (o.n != 1000) return;
    out.figure("inline_map_1000_ns", map_ns);
    out.figure("inline_dot_1000_ns", dot_ns);
}

} // namespace bench
