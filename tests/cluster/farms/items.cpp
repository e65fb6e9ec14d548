// SPDX-License-Identifier: BSD-3-Clause
#include "check.hpp"

#include <skelrt/farm.hpp>
#include <skelrt/operators.hpp>
#include <skelrt/reduce.hpp>
#include <skelrt/vector.hpp>

#include <array>
#include <memory>
#include <optional>
#include <random>
#include <ranges>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

/// Who runs which item, and what comes back.
namespace test
{

namespace
{

namespace sk = skelrt;

std::vector<std::size_t> numbers(std::size_t n)
{
    std::vector<std::size_t> all(n);
    for (std::size_t k = 0; k < n; ++k) all[k] = k;
    return all;
}

struct place {
    std::size_t item;
    int rank;
};

/// Blocks that differ by one at most, the longer ones first.
int owner(std::size_t item, std::size_t items)
{
    const auto ranks = static_cast<std::size_t>(sk::ranks());
    std::size_t end = 0;
    for (std::size_t rank = 0;; ++rank) {
        end += items / ranks + (rank < items % ranks ? 1 : 0);
        if (item < end) return static_cast<int>(rank);
    }
}

/// Of sizes and characters that nothing but the item says.
std::vector<std::string> words_of(std::size_t item)
{
    std::vector<std::string> all;
    for (std::size_t k = 0; k < item % 5; ++k) all.emplace_back(item + 7 * k, static_cast<char>('a' + k));
    return all;
}

template <class Worker>
void compare_with_plain(const char* what, Worker worker)
{
    const auto inputs = numbers(23);
    const auto results = sk::farm(worker)(inputs);
    expect(what, results.size() == inputs.size());
    for (const std::size_t k : inputs) expect(what, results[k] == worker(k));
}

} // namespace

void items_are_dealt_out()
{
    const auto where = sk::farm([](std::size_t item) { return place{item, sk::rank()}; });
    const auto ranks = static_cast<std::size_t>(sk::ranks());
    for (const std::size_t n : {std::size_t{0}, std::size_t{1}, ranks - 1, ranks, ranks + 1, std::size_t{1000}}) {
        const auto results = where(numbers(n));
        expect("as many results", results.size() == n);
        for (std::size_t k = 0; k < n; ++k)
            expect("results in order, of balanced blocks", results[k].item == k && results[k].rank == owner(k, n));
    }
    const auto [left, right, nothing, inner] = sk::farm(
        sk::item("left", [] { return sk::rank(); }), [] { return std::string("right"); }, [] {},
        sk::farm([] { return sk::rank(); }, [] { return 2.5; }))();
    expect("the first item", left == 0 && right == "right");
    expect("the last item", std::get<0>(inner) == owner(3, 4) && std::get<1>(inner) == 2.5);
    static_cast<void>(nothing);
}

void results_of_many_types()
{
    compare_with_plain("numbers", [](std::size_t k) { return 1.5 * static_cast<double>(k); });
    compare_with_plain("truth values", [](std::size_t k) { return k % 3 == 0; });
    compare_with_plain("strings", [](std::size_t k) { return std::string(k, 'x'); });
    compare_with_plain("vectors", [](std::size_t k) { return std::vector<float>(k, static_cast<float>(k)); });
    compare_with_plain("vectors of truth values", [](std::size_t k) { return std::vector<bool>(k, k % 2 == 0); });
    compare_with_plain("vectors of strings", words_of);
    compare_with_plain("pairs", [](std::size_t k) { return std::pair(words_of(k), k); });
    compare_with_plain("optionals", [](std::size_t k) { return k % 2 ? std::optional(words_of(k)) : std::nullopt; });
    compare_with_plain("arrays", [](std::size_t k) { return std::array{std::string(k, 'y'), std::string(2, 'z')}; });
    compare_with_plain("tuples", [](std::size_t k) {
        return std::tuple(k, std::string(k, 't'), std::vector{std::tuple<int, std::string>(1, "one")});
    });
    std::vector<int> seen(20, 0);
    sk::farm([&](std::size_t k) { seen[k] = 1; })(numbers(seen.size()));
    for (std::size_t k = 0; k < seen.size(); ++k)
        expect("items of nothing run once", seen[k] == (owner(k, seen.size()) == sk::rank() ? 1 : 0));

    // The program goes on, over all ranks, while items run; waits may come in any order that is the same everywhere.
    const auto slow = sk::farm([](std::size_t k) { return std::vector<std::size_t>(1000 * k, k); });
    const auto first = slow.start(numbers(9)), second = slow.start(numbers(5));
    const sk::vector<int> x(1000, 2);
    expect("calls meanwhile", static_cast<int>(sk::reduce(sk::plus, 0)(x)) == 2000);
    expect("the second", second.get()[4] == std::vector<std::size_t>(4000, 4));
    expect("the first", first.get().size() == 9 && first.get()[8] == std::vector<std::size_t>(8000, 8));
    expect("are done", first.done() && second.done() && !first.error());
}

void results_are_passed_on()
{
    const auto square = [](std::size_t k) { return std::to_string(k * k); };
    const auto count_up_to = [&](auto farm, auto&& inputs, std::size_t most) {
        std::size_t taken = 0;
        farm.each(inputs, [&](std::size_t k, const std::string& s) {
            expect("passed on in order", k == taken && s == square(k));
            return ++taken < most;
        });
        return taken;
    };
    constexpr std::size_t all = 1'000'000;
    for (const std::size_t window : {0, 1, 3, 100}) {
        const auto farm = sk::farm(square).window(window);
        expect("inputs at hand", count_up_to(farm, numbers(57), all) == 57);
        expect("no inputs", count_up_to(farm, numbers(0), all) == 0);
        auto odd_or_even =
            std::views::iota(std::size_t{0}, std::size_t{41}) | std::views::filter([](auto) { return true; });
        expect("inputs that come one by one", count_up_to(farm, odd_or_even, all) == 41);
        expect("endless inputs", count_up_to(farm, std::views::iota(std::size_t{0}), 50) == 50);
        expect("results that are collected", farm(odd_or_even).size() == 41);
    }
    std::vector<std::unique_ptr<std::size_t>> owned;
    for (const std::size_t k : numbers(10)) owned.push_back(std::make_unique<std::size_t>(k));
    std::size_t sum = 0;
    sk::farm([](const std::unique_ptr<std::size_t>& k) { return *k; })
        .in_any_order()
        .each(owned, [&](std::size_t, std::size_t k) { sum += k; });
    expect("inputs that cannot be copied", sum == 45);
    std::size_t even = 0, ended = 0;
    sk::farm([](std::size_t k) { return k % 2 == 0; }).each(numbers(9), [&](std::size_t, bool is) { even += is; });
    expect("truth values are passed on", even == 5);
    sk::farm([](std::size_t) {}).each(numbers(33), [&](std::size_t k) { ended += k == ended ? 1 : 0; });
    expect("items of nothing are passed on", ended == 33);
}

void many_small_farms()
{
    std::mt19937 random(2029); // the same on all ranks
    const auto twice = sk::farm([](std::size_t k) { return 2 * k; });
    const auto words = sk::farm(words_of);
    for (int turn = 0; turn < 800; ++turn) {
        const auto inputs = numbers(random() % 13);
        if (turn % 3 == 0) {
            const auto results = words(inputs);
            for (const std::size_t k : inputs) expect("many farms of words", results[k] == words_of(k));
        } else {
            const auto results = twice(inputs);
            for (const std::size_t k : inputs) expect("many farms", results[k] == 2 * k);
        }
    }
}

} // namespace test
