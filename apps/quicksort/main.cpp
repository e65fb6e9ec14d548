// SPDX-License-Identifier: BSD-3-Clause
#include "input.hpp"
#include "kernel.hpp"
#include "options.hpp"

#include "apps/shared/devices.hpp"
#include "apps/shared/error.hpp"
#include "apps/shared/program.hpp"
#include "apps/shared/table.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace quicksort
{
namespace
{

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

void require_cores(const std::string& device, const skelrt::runtime& rt)
{
    const auto devices = apps::devices_for(device, rt);
    if (device != "all" && devices.front() != "cpu")
        throw apps::input_error(fmt::format("--device {}: divide and conquer is for cores, --device cpu", device));
}

apps::measurement measure_cores(const options& o, const skelrt::runtime& rt)
{
    const std::vector<int> input = make_input(o.n, o.input);
    std::vector<int> x;
    auto result = apps::measure(
        "cpu", rt, o.repeat, [&] { x = input; }, [&] { sort(x, o.cutoff); });
    if (o.check) result.check = compare(x, input);
    return result;
}

int run(const options& o)
{
    const skelrt::runtime rt;
    require_cores(o.device, rt);
    const std::string few = o.cutoff == learnt_cutoff ? "as was learnt" : fmt::format("up to {}", o.cutoff);
    fmt::print("{} ints, {}; sorted by one core: {}\n\n", o.n, o.input, few);
    const std::vector rows{measure_cores(o, rt)};
    const std::vector<apps::rate> rates{{"Mints/s", static_cast<double>(o.n) * 1e-6, "ints_per_s", 1e6}};
    fmt::print("{}\n", apps::table_of(rows, rates));
    if (o.check) fmt::print("{}", apps::check_text(rows, {"elements of std::sort's", "", "all of them", "wrong ones"}));
    if (!o.csv.empty())
        apps::write_csv(
            o.csv,
            {{{{"n", std::to_string(o.n)}, {"input", o.input}, {"cutoff", std::to_string(o.cutoff)}}, rows, rates}});
    return apps::all_good(rows) ? apps::all_well : apps::failed;
}

} // namespace
} // namespace quicksort

int main(int argc, char** argv)
{
    return apps::run_program("quicksort", [&] {
        const auto options = quicksort::read_options(argc, argv);
        return options ? quicksort::run(*options) : apps::all_well;
    });
}
