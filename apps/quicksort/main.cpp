// SPDX-License-Identifier: BSD-3-Clause
#include "input.hpp"
#include "kernel.hpp"

#include "apps/shared/program/devices.hpp"
#include "apps/shared/trial.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace quicksort
{
namespace
{

struct options : apps::common_options {
    std::size_t n = 10'000'000;
    std::size_t cutoff = usual_cutoff;
    std::string input = "random"; ///< random, sorted, equal
};

/// With std::sort's elements.
apps::comparison compare(const std::vector<int>& got, std::vector<int> input)
{
    std::ranges::sort(input);
    apps::comparison result;
    for (std::size_t i = 0; i < got.size(); ++i)
        result.count(got[i] == input[i],
                     [&] { return fmt::format("element {}: {} instead of {}", i, got[i], input[i]); });
    return result;
}

int run(const options& o)
{
    const skelrt::runtime rt;
    const auto devices = apps::devices_for(o.device, rt);
    if (o.device != "all" && devices.front() != "cpu")
        throw apps::input_error(fmt::format("--device {}: divide and conquer is for cores, --device cpu", o.device));
    apps::trial t("quicksort", o, rt, {"cpu"});
    const std::string few = o.cutoff == learnt_cutoff ? "as was learnt" : fmt::format("up to {}", o.cutoff);
    fmt::print("{} ints, {}; sorted by one core: {}\n\n", o.n, o.input, few);
    const std::vector<int> input = make_input(o.n, o.input);
    t.on_each([&](apps::turn& now) {
        std::vector<int> x;
        now.time([&] { x = input; }, [&] { sort(x, o.cutoff); });
        now.check([&] { return compare(x, input); });
    });
    return t.report({{"n", o.n}, {"input", o.input}, {"cutoff", o.cutoff}},
                    {{"Mints/s", 1e-6 * static_cast<double>(o.n), "ints_per_s", 1e6}},
                    {"elements of std::sort's", "", "all of them", "wrong ones"});
}

} // namespace
} // namespace quicksort

int main(int argc, char** argv)
{
    constexpr std::size_t most = std::size_t{1} << 33;
    quicksort::options o;
    apps::command_line line(
        "quicksort", "Sorts ints by divide and conquer: the cores split what is long, and sort what is short.", {}, o);
    line.range("--n", o.n, 1, most, "ints");
    line.choice("--input", o.input, {"random", "sorted", "equal"}, "random, sorted or equal");
    line.range("--cutoff", o.cutoff, 0, most, "so many are sorted by one core; 0: as many as was learnt");
    return apps::run_program(line, argc, argv, [&] { return quicksort::run(o); });
}
