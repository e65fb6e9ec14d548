// SPDX-License-Identifier: BSD-3-Clause
#include <skelrt/skelrt.hpp>

#include "../stderr_of.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace sk = skelrt;

namespace
{

const auto twice = sk::map(SKELRT_FN((float a) { return 2 * a; }));
const auto sum = sk::reduce(sk::plus, 0.0f);

struct row {
    double ms = 0, share = 0, us_a_call = 0;
    std::size_t calls = 0, tasks = 0;
    std::string call;
};

/// The table's rows whose call begins so.
std::vector<row> rows_of(const std::string& text, const std::string& name)
{
    std::vector<row> found;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        row r;
        std::string percent;
        std::istringstream words(line);
        if (!(words >> r.ms >> r.share >> percent >> r.calls >> r.tasks >> r.us_a_call)) continue;
        const std::size_t at = line.find(name);
        if (at == std::string::npos) continue;
        r.call = line.substr(at);
        found.push_back(r);
    }
    return found;
}

std::size_t calls_of(const std::string& text, const std::string& name)
{
    std::size_t n = 0;
    for (const row& r : rows_of(text, name)) n += r.calls;
    return n;
}

bool is_set_to(const char* variable, std::string_view value)
{
    const char* const set = std::getenv(variable);
    return set && set == value;
}

void some_calls()
{
    const sk::runtime rt;
    std::optional<sk::only> cores;
    if (is_set_to("SKELRT_DEVICES", "cpu,opencl")) cores.emplace(sk::device::cpu);
    const sk::vector<float> x(100000, 1.0f);
    sk::vector<float> y;
    for (int i = 0; i < 5; ++i) y = twice(x);
    const float all = sum(y);
    CHECK(all == 200000.0f);
    sk::scalar<float> first;
    sk::task([](std::span<const float> v, float& f) { f = v.front(); }, sk::in(x), sk::out(first));
    CHECK(first.get() == 1.0f);
}

} // namespace

TEST_CASE("the summary tells of each call once, wherever it ran")
{
    ::setenv("SKELRT_SUMMARY", "1", 1);
    const std::string text = stderr_of(some_calls);
    INFO(text);
    CHECK(calls_of(text, "map (") == 5);
    CHECK(calls_of(text, "reduce (") == 1);
    CHECK(calls_of(text, "task (summed_calls.cpp:") == 1);
    for (const row& r : rows_of(text, "map (")) {
        CHECK(r.ms > 0);
        CHECK(r.call.find("summed_calls.cpp:") != std::string::npos);
        if (is_set_to("SKELRT_INLINE_US", "0")) CHECK(r.tasks >= r.calls);
        if (!std::getenv("SKELRT_INLINE_US")) CHECK(r.tasks == 0);
    }
    const bool opencl = is_set_to("SKELRT_DEVICES", "opencl");
    CHECK((text.find("OpenCL 0") != std::string::npos) == opencl);
    CHECK((text.find("copied from") != std::string::npos) == opencl);
}

TEST_CASE("nobody asked for a summary")
{
    ::setenv("SKELRT_SUMMARY", "0", 1);
    CHECK(stderr_of(some_calls).empty());
}
