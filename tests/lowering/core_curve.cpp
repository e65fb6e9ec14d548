// SPDX-License-Identifier: BSD-3-Clause
/// What calls cost the calling thread is tried, remembered, corrected and forgotten: told by how often user functions
/// run, and where.

#include "src/model/knowledge.hpp"
#include "src/runtime/running.hpp"

#include <skelrt/skelrt.hpp>

#include "run_cases.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <thread>

namespace sk = skelrt;
using skelrt::detail::executor;

namespace
{

std::atomic<std::size_t> evaluated{0}, elsewhere{0};
std::thread::id caller;

__attribute__((noinline)) float counted(float x)
{
    evaluated.fetch_add(1, std::memory_order_relaxed);
    if (std::this_thread::get_id() != caller) elsewhere.fetch_add(1, std::memory_order_relaxed);
    return x + 1;
}

__attribute__((noinline)) float waited(float us)
{
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(static_cast<int>(us));
    while (us > 0 && std::chrono::steady_clock::now() < end) continue;
    return counted(us) - 1;
}

/// How often the function of a call is evaluated. Here: on the calling thread alone, which is the test.
template <class Call>
std::size_t evaluations_here(const Call& call)
{
    evaluated = elsewhere = 0;
    call();
    CHECK(elsewhere == 0);
    return evaluated;
}

sk::detail::models& learnt_here() { return sk::detail::running::current()->learnt.models; }

/// Runs of calls of so many elements and more that any core curve has.
std::size_t core_runs_of(double least_elements)
{
    std::size_t n = 0;
    for (const auto& [key, codelet] : learnt_here().runs())
        for (const auto& run : codelet[executor::core].runs()) n += run.elements >= least_elements;
    return n;
}

} // namespace

TEST_CASE("one element does not set the price of a thousand", "[core_curve]")
{
    sk::forget_models();
    const auto more = sk::map(SKELRT_FN((float x) { return counted(x); }));
    sk::vector<float> one(1, 0), many(1000, 0);
    CHECK(evaluations_here([&] { one = more(one); }) > 1); // a trial
    CHECK(core_runs_of(2) == 0);
    CHECK(evaluations_here([&] { many = more(many); }) > 1000);
    CHECK(core_runs_of(64) > 0);
    CHECK(evaluations_here([&] { many = more(many); }) == 1000);
    CHECK(evaluations_here([&] { one = more(one); }) == 1);
}

TEST_CASE("a column's elements are tried as many at a time as a row's", "[core_curve]")
{
    sk::forget_models();
    const auto more = sk::map(SKELRT_FN((float x) { return counted(x); }));
    sk::matrix<float> column(1000, 1, 0), narrow(500, 3, 0);
    column = more(column);
    CHECK(core_runs_of(64) > 0);
    CHECK(evaluations_here([&] { column = more(column); }) == 1000);
    sk::forget_models();
    narrow = more(narrow);
    CHECK(core_runs_of(63) > 0);
    const auto view = sk::host_read(narrow);
    CHECK(view(499, 2) == 1);
}

TEST_CASE("calls that grow are tried a few times only", "[core_curve]")
{
    sk::forget_models();
    const auto more = sk::map(SKELRT_FN((float x) { return counted(x); }));
    std::size_t extra = 0;
    for (std::size_t n = 1; n <= 500; ++n) {
        sk::vector<float> diagonal(n, 0);
        extra += evaluations_here([&] { diagonal = more(diagonal); }) - n;
    }
    CHECK(extra < 1500);
}

TEST_CASE("a function that becomes dear leaves the calling thread", "[core_curve]")
{
    sk::forget_models();
    const auto wait = sk::map(SKELRT_FN((float us) { return waited(us); }));
    sk::vector<float> cheap(1000, 0), dear(1000, 200), y(1000);
    for (int i = 0; i < 200; ++i) evaluations_here([&] { y = wait(cheap); });
    elsewhere = 0;
    for (int i = 0; i < 6; ++i) {
        y = wait(dear);
        sk::wait(y);
    }
    CHECK(elsewhere > 0);
}

TEST_CASE("what was learnt is forgotten, and comes back with the models", "[core_curve]")
{
    sk::forget_models();
    const auto more = sk::map(SKELRT_FN((float x) { return counted(x); }));
    sk::vector<float> x(1000, 0);
    x = more(x);
    CHECK(evaluations_here([&] { x = more(x); }) == 1000);
    const auto learnt = learnt_here().runs();
    CHECK(core_runs_of(1) > 0);
    sk::forget_models();
    CHECK(core_runs_of(1) == 0);
    CHECK(evaluations_here([&] { x = more(x); }) > 1000);
    sk::forget_models();
    learnt_here().learn(learnt);
    CHECK(evaluations_here([&] { x = more(x); }) == 1000);
}

int main(int argc, char** argv)
{
    setenv("SKELRT_INLINE_US", "5000", 1); // a busy machine makes cheap calls long
    caller = std::this_thread::get_id();
    sk::runtime rt;
    return test::run_cases(argc, argv);
}
