// SPDX-License-Identifier: BSD-3-Clause
/// Every piece of code in docs/farm.md, compiled, run and checked. The page quotes this file: quoted.sh compares.

#include "expect.hpp"

#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace sk = skelrt;

namespace
{

const auto blur =
    sk::stencil(SKELRT_FN((sk::hood1<float> h) { return (h(-1) + h(0) + h(1)) / 3; }), sk::border::nearest());
const auto sum = sk::reduce(sk::plus, 0.0f);
const auto saxpy = sk::map(SKELRT_FN((float a, float x, float y) { return a * x + y; }));

void first_program()
{
    sk::vector<float> left(1000, 1.0f), right(1000, 2.0f);
    auto [l, r] = sk::farm(
        [&] {
            left = blur(left);
            return float(sum(left));
        },
        [&] {
            right = blur(right);
            return float(sum(right));
        })();
    expect(l > 990 && r > 1990, "two items with calls");
}

float render(int scene) { return static_cast<float>(scene); }

void forms()
{
    sk::vector<float> x(10, 1.0f), y(10, 1.0f);
    const auto simulate = [] { return 1; };
    const auto check = [] { return 2; };
    auto all = sk::farm(sk::item("simulation", simulate), sk::into(y, saxpy(2.0f, x, y)), sk::farm(check, simulate));
    auto [simulated, assigned, inner] = all();
    expect(simulated == 1 && std::get<0>(inner) == 2 && float(sum(y)) == 30, "items of all kinds");

    const std::vector<int> scenes{3, 1, 2};
    auto trace = sk::farm([](int scene) { return render(scene); }).named("trace");
    std::vector<float> pictures = trace(scenes);
    expect(pictures == std::vector<float>{3, 1, 2}, "results in order");

    double total = 0;
    trace.each(std::views::iota(0), [&](std::size_t frame, float picture) {
        total += picture;
        return frame < 99;
    });
    expect(total == 4950, "each");

    auto running = trace.start(scenes);
    expect(running.get().size() == 3, "started");

    sk::group g("assembly");
    for (int part = 0; part < 10; ++part) g.run([part] { return render(part); });
    g.wait();
}

void errors()
{
    auto trace = sk::farm([](int scene) { return scene == 2 ? throw std::runtime_error("no light") : render(scene); });
    bool seen = false;
    try {
        trace.named("trace")(std::vector<int>{1, 2, 3});
    } catch (const sk::item_error& e) {
        std::printf("%s\n", e.what()); // main.cpp:12: farm trace, item 1: no light
        seen = e.count() == 1;
    }
    expect(seen, "an error names the item");
}

void pipelines()
{
    int next = 0;
    std::vector<float> written;
    const auto read = [&]() -> std::optional<sk::vector<float>> {
        if (next == 20) return std::nullopt;
        return sk::vector<float>(1000, static_cast<float>(++next));
    };
    auto film = sk::pipeline(sk::source(read),
                             sk::parallel(
                                 "blur", [](sk::vector<float> f) { return f = blur(f), f; }, 4),
                             sk::in_order([&](sk::vector<float> f) { written.push_back(float(sum(f)) / 1000); }));
    const std::size_t frames = film.window(8)();
    expect(frames == 20 && written.front() == 1 && written.back() == 20, "a pipeline in order");
}

void trees()
{
    const auto quicksort =
        sk::divide_and_conquer([](std::span<int> part) { return part.size() < 1000; },
                               [](std::span<int> part) {
                                   const int pivot = part[part.size() / 2];
                                   const auto below = std::ranges::partition(part, [=](int x) { return x < pivot; });
                                   const auto equal = std::ranges::partition(below, [=](int x) { return x == pivot; });
                                   return std::array{std::span(part.begin(), below.begin()), std::span(equal)};
                               },
                               [](std::span<int> part) { std::ranges::sort(part); });
    std::vector<int> numbers(100'000);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i * 7919 % 100'003);
    quicksort(std::span(numbers));
    expect(std::ranges::is_sorted(numbers), "divide and conquer");

    const auto halves_of = [](std::span<const int> part) {
        return std::array{part.first(part.size() / 2), part.subspan(part.size() / 2)};
    };
    const auto largest = sk::divide_and_conquer(
        sk::size_of([](std::span<const int> part) { return part.size(); }), halves_of,
        [](std::span<const int> part) { return std::ranges::max(part); },
        [](std::span<int> both) { return std::max(both[0], both[1]); });
    expect(largest(std::span<const int>(numbers)) == numbers.back(), "problems with sizes");
}

void waits()
{
    const auto read = [](const std::string& name) {
        const sk::blocking here; // another item computes meanwhile
        std::ifstream file(name);
        return std::string(std::istreambuf_iterator<char>(file), {});
    };
    const auto texts = sk::farm(read)(std::vector<std::string>{"no such file"});
    expect(texts.at(0).empty(), "a blocking item");
}

} // namespace

int main()
{
    const sk::runtime rt;
    first_program();
    forms();
    errors();
    pipelines();
    trees();
    waits();
    std::printf("%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
