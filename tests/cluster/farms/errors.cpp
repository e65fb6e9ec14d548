// SPDX-License-Identifier: BSD-3-Clause
#include "check.hpp"

#include <skelrt/skelrt.hpp>

#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

/// All ranks throw the same, and go on afterwards.
namespace test
{

namespace
{

namespace sk = skelrt;

const auto sum = sk::reduce(sk::plus, 0);

std::vector<int> numbers(int n)
{
    std::vector<int> all(static_cast<std::size_t>(n));
    for (int k = 0; k < n; ++k) all[static_cast<std::size_t>(k)] = k;
    return all;
}

void program_goes_on(const char* after)
{
    const sk::vector<int> x(100, 1);
    expect(after, int(sum(x)) == 100 && sk::farm([](int k) { return k; })(numbers(10))[9] == 9);
}

auto failing(std::function<bool(int)> fails)
{
    return sk::farm([fails](int k) {
               if (fails(k)) throw std::runtime_error("no light in " + std::to_string(k));
               return k;
           })
        .named("trace");
}

} // namespace

void errors_of_items()
{
    const std::string on_last = is_last() ? "errors.cpp" : "rank " + std::to_string(sk::ranks() - 1) + ": ";
    try {
        failing([](int k) { return k == 19; })(numbers(20));
        wrong("an item that throws", "no error");
    } catch (const sk::item_error& e) {
        const std::string text = e.what();
        expect("the rank that failed", text.find(on_last) == 0 || (is_last() && text.find("rank") != 0));
        expect("its text", text.find("farm trace, item 19: no light in 19") != std::string::npos);
        expect("one error", e.count() == 1);
        try {
            std::rethrow_if_nested(e);
        } catch (const std::exception& inner) {
            expect("the original", std::string(inner.what()) == "no light in 19");
        }
    }
    try {
        failing([](int k) { return k % 3 == 2; })(numbers(20));
        wrong("items that throw", "no error");
    } catch (const sk::item_error& e) {
        expect("the first of them",
               std::string(e.what()).find("item 2: no light in 2 (6 items threw)") != std::string::npos);
        expect("all of them", e.count() == 6);
    }
    program_goes_on("after errors");

    expect_error<sk::item_error>("a farm that stops",
                                 [] { failing([](int k) { return k == 0; }).stop_on_error()(numbers(50)); },
                                 {"item 0: no light in 0"});
    expect_error<sk::item_error>(
        "an item of a farm that passes results on",
        [] { failing([](int k) { return k == 13; }).window(5).each(numbers(40), [](int, int) {}); },
        {"item 13: no light in 13"});
    expect_error("a listener",
                 [] {
                     failing([](int) { return false; }).progress([](std::size_t, std::size_t) {
                         throw std::runtime_error("no ear");
                     })(numbers(9));
                 },
                 {"no ear"});
    expect_error<sk::item_error>("an item's function",
                                 [] {
                                     const auto positive = sk::map(SKELRT_FN((int v) {
                                         if (v < 0) throw std::runtime_error("a negative number");
                                         return v;
                                     }));
                                     sk::farm([&](int k) {
                                         sk::vector<int> y = positive(sk::vector<int>(1000, 5 - k));
                                         return sk::host_read(y)[0];
                                     })(numbers(8));
                                 },
                                 {"item 6", "a negative number"});
    program_goes_on("after an item's calls failed");

    if (std::getenv("SKELRT_SEQUENTIAL")) return; // items have run where they were started
    // Cancelled on one rank before its items could begin, or afterwards: all ranks hear the same of it.
    const auto one_by_one = sk::farm([](int, std::stop_token stop) {
        for (int k = 0; k < 200 && !stop.stop_requested(); ++k)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return 0;
    });
    const auto running = one_by_one.start(numbers(50 * sk::ranks()));
    running.cancel();
    expect_error<sk::cancelled>("a cancelled farm", [&] { running.get(); }, {"cancelled after"});
    program_goes_on("after a cancelled farm");
}

void what_items_cannot_do()
{
    if (sk::ranks() == 1) return;
    const sk::vector<int> x(100, 1);
    sk::vector<int> y(100, 1);
    const sk::matrix<int> m(10, 10, 1);
    const auto in_item = [](auto act) {
        return [act] {
            sk::farm([act](int k) {
                if (k == 0) act();
                return k;
            })(numbers(4));
        };
    };
    const auto twice = sk::map(SKELRT_FN((int v) { return 2 * v; }));
    constexpr const char* dealt = "dealt out to the ranks";
    expect_error<sk::item_error>("a sum of the program's", in_item([&] { return int(sum(x)); }),
                                 {"reduce", "errors.cpp", dealt, "sk::host_read before"});
    expect_error<sk::item_error>("a result of the program's", in_item([&] { y = twice(sk::vector<int>(100, 1)); }),
                                 {dealt});
    expect_error<sk::item_error>("a host view of the program's", in_item([&] { return sk::host_read(x)[0]; }),
                                 {"sk::host", dealt});
    expect_error<sk::item_error>("a task on the program's",
                                 in_item([&] { sk::task([](std::span<int>) {}, sk::inout(y)); }), {dealt});
    expect_error<sk::item_error>("agree", in_item([] { sk::agree(1); }), {"sk::agree", "all ranks do this together"});
    expect_error<sk::item_error>("barrier", in_item([] { sk::barrier(); }),
                                 {"sk::barrier", "all ranks do this together"});
    expect_error<sk::item_error>("a view on one rank", in_item([&] { return sk::host_at(0, x)->size(); }),
                                 {"sk::host_at", "all ranks do this together"});
    expect_error<sk::item_error>("a group",
                                 [&] {
                                     sk::group g;
                                     g.run([&] { return int(sum(x)); });
                                     g.wait();
                                 },
                                 {dealt});
    expect("its own part, in an item", sk::farm([&](int) { return sk::local(x).size() <= 50; })(numbers(8))[7]);

    const auto waiting = sk::farm([](int k) { return k; }).start(numbers(5));
    expect_error<sk::item_error>("a wait in an item", in_item([&] { waiting.wait(); }),
                                 {"sk::future::wait", "wait outside of items"});
    std::thread([&] {
        expect_error("a wait in another thread", [&] { waiting.wait(); }, {"called from another thread"});
    }).join();
    expect_error("a task of a farm's results", [&] { sk::task([](const std::vector<int>&) {}, waiting); },
                 {"call wait() before the task"});
    expect("and then", waiting.get()[4] == 4);
    std::thread([] {
        expect_error("a farm in another thread", [] { sk::farm([](int k) { return k; })(numbers(3)); },
                     {"called from another thread"});
    }).join();

    expect_error("containers as results", [] { sk::farm([](int) { return sk::vector<int>(10, 1); })(numbers(4)); },
                 {"dealt out to the ranks", "skelrt::vector<int>", "on_every_rank()"});
    expect_error("pointers as results", [] { sk::farm([](int) { return std::make_unique<int>(1); })(numbers(4)); },
                 {"unique_ptr", "on_every_rank()"});
    expect_error("spans as results", [] { sk::farm([] { return std::span<int>(); }, [] { return 1; })(); },
                 {"span", "on_every_rank()"});
    program_goes_on("after misuse");
}

} // namespace test
