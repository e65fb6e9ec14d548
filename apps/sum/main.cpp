// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "reference.hpp"

#include "apps/shared/trial.hpp"

#include <fmt/format.h>

namespace sum
{
namespace
{

struct options : apps::common_options {
    std::size_t elements = 1 << 24;
    bool from_host = false;
};

/// Relative to the sum of magnitudes: far less than one element of a billion.
apps::comparison compare(double sum, const plain_sum& right)
{
    apps::comparison result{1e-12};
    result.add(sum, right.value, right.magnitudes, [] { return "the sum"; });
    return result;
}

int run(const options& o)
{
    const skelrt::runtime rt;
    apps::trial t("sum", o, rt);
    numbers x = random_numbers(o.elements, 1);
    skelrt::wait(x);
    plain_sum right{};
    t.reference([&] { right = plain_sum_of(x); });
    fmt::print("the sum of {} doubles{}\n\n", o.elements, o.from_host ? ", which begin in the host's memory" : "");
    const auto bring_home = [&] {
        if (o.from_host) static_cast<void>(skelrt::host(x));
    };
    double found = 0;
    t.on_each([&](apps::turn& now) {
        now.time(bring_home, [&] { found = sum_of(x); });
        now.check([&] { return compare(found, right); });
    });
    fmt::print("the sum is {:.15g}\n\n", found);
    const auto n = static_cast<double>(o.elements);
    return t.report({{"elements", o.elements}, {"from_host", o.from_host}},
                    {{"GFLOP/s", 1e-9 * n, "flops", 1e9}, {"GB/s", 1e-9 * sizeof(double) * n, "bytes_per_s", 1e9}},
                    {"sum in long double", "", "the sum of magnitudes"});
}

} // namespace
} // namespace sum

int main(int argc, char** argv)
{
    sum::options o;
    apps::command_line line("sum", "The sum of a vector: an sk::reduce, on the devices that you choose.", {}, o);
    line.range("--elements", o.elements, 1, std::size_t{1} << 32, "of the vector, at random");
    line.flag("--from-host", o.from_host, "each run finds the vector in the host's memory, and nowhere else");
    return apps::run_program(line, argc, argv, [&] { return sum::run(o); });
}
