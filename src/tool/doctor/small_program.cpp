// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/doctor/small_program.hpp"

#include "src/lowering/engine.hpp"
#include "src/model/files/plan_file.hpp"
#include "src/tool/calibrate/measure.hpp"

#include <skelrt/error.hpp>
#include <skelrt/skelrt.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>

namespace skelrt::tool::doctor
{

namespace
{

using detail::target;
using json = nlohmann::ordered_json;

const target& find(const detail::engine& e, const std::string& name)
{
    for (const target& t : e.devices().targets())
        if (e.devices().available().has(t.kind) &&
            (t.kind == device::cpu ? name == "cpu" : name == fmt::format("{} {}", detail::kind_text(t.kind), t.number)))
            return t;
    throw error(fmt::format("the runtime has no device {} in this process", name));
}

/// No power of two, so that some block of every kernel is cut short.
constexpr std::size_t elements = 100'003;

/// In whole numbers and in floating point that is exact: all devices agree.
unsigned element(std::size_t i) { return static_cast<unsigned>(i % 1000); }

std::string differing_element(const vector<float>& y)
{
    const auto h = host_read(y);
    for (std::size_t i = 0; i < elements; ++i) {
        const float right = 0.5f * static_cast<float>(element(i)) + 3.0f;
        if (h[i] != right) return fmt::format("element {} of a map is {} and not {}", i, h[i], right);
    }
    return {};
}

/// Empty: all is as it should be.
std::string what_differs(const plan& there, double& first_call_ms)
{
    auto half = map(SKELRT_FN((unsigned x) { return 0.5f * x + 3.0f; }));
    auto total = reduce(SKELRT_FN((unsigned a, unsigned b) { return a + b; }), 0u);
    half.use(there);
    total.use(there);
    vector<unsigned> x(elements);
    unsigned right = 0;
    {
        auto h = host_write(x);
        for (std::size_t i = 0; i < elements; ++i) h[i] = element(i), right += element(i);
    }
    vector<float> y(elements);
    const auto begin = std::chrono::steady_clock::now();
    y = half(x);
    skelrt::wait(y);
    first_call_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    if (std::string differs = differing_element(y); !differs.empty()) return differs;
    const unsigned sum = total(x);
    return sum == right ? "" : fmt::format("a sum is {} and not {}", sum, right);
}

/// In a fraction of a second each.
json measure(const target& t)
{
    json rates = {{"memory", memory_rate(t)}};
    if (t.kind == device::cpu) return rates;
    rates["to"] = link_rate(t, direction::to_device);
    rates["from"] = link_rate(t, direction::from_device);
    return rates;
}

} // namespace

json run_small_program(const std::string& name)
{
    const runtime rt;
    const target& t = find(*detail::engine::current(), name);
    double first_call_ms = 0;
    const std::string differs =
        what_differs(plan({{t.kind, 1, t.number, t.kind == device::cpu ? 1u : 0u}}), first_call_ms);
    json answer = {{"differs", differs}, {"first_call_ms", first_call_ms}};
    if (!differs.empty()) return answer;
    try {
        answer.update(measure(t));
    } catch (const error& e) {
        answer["not_measured"] = e.what();
    }
    return answer;
}

} // namespace skelrt::tool::doctor
