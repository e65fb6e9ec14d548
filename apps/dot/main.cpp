// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "reference.hpp"

#include "apps/shared/trial.hpp"

#include <fmt/format.h>

namespace dot
{
namespace
{

struct options : apps::common_options {
    std::size_t elements = 1 << 24;
    bool from_host = false;
};

/// Relative to the sum of magnitudes: far less than one product of a billion.
apps::comparison compare(double product, const plain_sum& right)
{
    apps::comparison result{1e-12};
    result.add(product, right.value, right.magnitudes, [] { return "the product"; });
    return result;
}

int run(const options& o)
{
    const skelrt::runtime rt;
    apps::trial t("dot", o, rt);
    numbers x = random_numbers(o.elements, 1), y = random_numbers(o.elements, 2);
    skelrt::wait(x);
    skelrt::wait(y);
    plain_sum right{};
    t.reference([&] { right = plain_product(x, y); });
    fmt::print("the dot product of two vectors of {} doubles{}\n\n", o.elements,
               o.from_host ? ", which begin in the host's memory" : "");
    const auto bring_home = [&] {
        if (!o.from_host) return;
        static_cast<void>(skelrt::host(x));
        static_cast<void>(skelrt::host(y));
    };
    double product = 0;
    t.on_each([&](apps::turn& now) {
        now.time(bring_home, [&] { product = dot::product(x, y); });
        now.check([&] { return compare(product, right); });
    });
    fmt::print("x . y = {:.15g}\n\n", product);
    const auto n = static_cast<double>(o.elements);
    return t.report({{"elements", o.elements}, {"from_host", o.from_host}},
                    {{"GFLOP/s", 2e-9 * n, "flops", 1e9}, {"GB/s", 2e-9 * sizeof(double) * n, "bytes_per_s", 1e9}},
                    {"product in long double", "", "the sum of magnitudes"});
}

} // namespace
} // namespace dot

int main(int argc, char** argv)
{
    dot::options o;
    apps::command_line line(
        "dot", "The dot product of two vectors: an sk::map fused into an sk::reduce, on the devices that you choose.",
        {}, o);
    line.range("--elements", o.elements, 1, std::size_t{1} << 32, "of each vector, at random");
    line.flag("--from-host", o.from_host, "each run finds the vectors in the host's memory, and nowhere else");
    return apps::run_program(line, argc, argv, [&] { return dot::run(o); });
}
