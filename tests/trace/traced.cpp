// SPDX-License-Identifier: BSD-3-Clause
// What SKELRT_TRACE writes down: a program that does one thing, by its first argument.
#include <skelrt/skelrt.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace sk = skelrt;

namespace
{

const auto twice = sk::map(SKELRT_FN((float a) { return 2 * a; }));
const auto thrice = sk::map(SKELRT_FN((float a) { return 3 * a; }));
const auto sum = sk::reduce(sk::plus, 0.0f);

bool made_right(int maps)
{
    const sk::vector<float> x(100000, 1.0f);
    sk::vector<float> y;
    for (int i = 0; i < maps; ++i) y = twice(x);
    const float all = sum(y);
    return all == 200000.0f;
}

bool made_short(int maps)
{
    const sk::vector<float> x(100, 1.0f);
    sk::vector<float> y(100), z(100);
    for (int i = 0; i < maps; ++i) {
        y = twice(x);
        z = thrice(x);
    }
    for (int i = 0; i < maps; ++i) y = twice(x);
    const auto h = sk::host(z);
    return h[99] == 3.0f;
}

bool made_by_threads(int threads)
{
    std::vector<int> right(static_cast<std::size_t>(threads));
    {
        std::vector<std::jthread> all;
        for (int& r : right) all.emplace_back([&r] { r = made_right(20); });
    }
    return std::reduce(right.begin(), right.end()) == threads;
}

bool made_by_items()
{
    const auto worker = sk::farm([](int) { return made_right(1); }).named("studies");
    const std::vector<int> inputs(10, 0);
    int right = 0;
    for (const bool r : worker(inputs)) right += r;
    return right == 10;
}

bool made_by_tasks()
{
    sk::vector<float> x(1000, 1.0f);
    for (int i = 0; i < 10; ++i)
        sk::task(
            [](std::span<float> part) {
                for (float& a : part) a += 1;
            },
            sk::inout(x));
    const auto h = sk::host(x);
    return h[0] == 11.0f;
}

volatile std::sig_atomic_t heard = 0;

void say(const char* word)
{
    std::puts(word);
    std::fflush(stdout);
}

[[noreturn]] void go_on_for_ever()
{
    say(made_right(5) ? "ready" : "wrong");
    while (true) made_right(1);
}

} // namespace

int main(int argc, char** argv)
{
    const std::string what = argc > 1 ? argv[1] : "calls";
    if (what == "own handler") std::signal(SIGINT, [](int) { heard = 1; });
    auto* const rt = new sk::runtime;
    bool right = true;
    if (what == "interrupted") go_on_for_ever();
    else if (what == "short") right = made_short(20000);
    else if (what == "threads") right = made_by_threads(8);
    else if (what == "items") right = made_by_items();
    else if (what == "tasks") right = made_by_tasks();
    else right = made_right(5);
    if (what == "throws") throw std::runtime_error("nobody catches this");
    if (what == "exits") std::exit(right ? 0 : 1);
    if (what == "own handler") {
        std::raise(SIGINT);
        right = right && heard == 1;
    }
    delete rt;
    if (what == "twice") {
        const sk::runtime again;
        right = right && made_right(5);
    }
    return right ? 0 : 1;
}
