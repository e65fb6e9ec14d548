// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "reference.hpp"

#include "apps/shared/trial.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace blackscholes
{
namespace
{

struct options : apps::common_options {
    std::size_t contracts = 4'000'000, show = 5;
};

using floats = skelrt::vector<float>;

/// Prices relative to the spot, and how far puts and calls are from parity.
apps::comparison compare(const floats& calls, const floats& puts, double parity, const std::vector<plain_prices>& right)
{
    apps::comparison result{3e-6};
    const auto call = skelrt::host_read(calls), put = skelrt::host_read(puts);
    for (std::size_t i = 0; i < right.size(); ++i) {
        const plain_prices& p = right[i];
        result.add(static_cast<double>(call[i]), p.call, p.spot, [&] { return fmt::format("call {}", i); });
        result.add(static_cast<double>(put[i]), p.put, p.spot, [&] { return fmt::format("put {}", i); });
    }
    result.add(parity, 0.0, 1.0, [] { return "the largest distance from parity"; });
    return result;
}

void print_first(const skelrt::vector<contract>& contracts, const floats& calls, const floats& puts, std::size_t count)
{
    const auto c = skelrt::host_read(contracts);
    const auto call = skelrt::host_read(calls), put = skelrt::host_read(puts);
    fmt::print("{:>8} {:>8} {:>6} {:>7} {:>10} {:>9} {:>9}\n", "spot", "strike", "years", "rate", "volatility", "call",
               "put");
    for (std::size_t i = 0; i < std::min(count, c.size()); ++i)
        fmt::print("{:>8.2f} {:>8.2f} {:>6.2f} {:>6.2f}% {:>9.1f}% {:>9.4f} {:>9.4f}\n", c[i].spot, c[i].strike,
                   c[i].years, 100 * c[i].rate, 100 * c[i].volatility, call[i], put[i]);
    fmt::print("\n");
}

int run(const options& o)
{
    const skelrt::runtime rt;
    apps::trial t("blackscholes", o, rt);
    const skelrt::vector<contract> contracts = random_contracts(o.contracts);
    std::vector<plain_prices> right;
    t.reference([&] { right = plain_worth(contracts); });
    fmt::print("{} contracts, a call and a put of each\n\n", o.contracts);
    t.on_each([&](apps::turn& now) {
        floats calls(o.contracts, skelrt::uninitialized), puts(o.contracts, skelrt::uninitialized);
        now.time([&] {
            price(calls, puts, contracts);
            skelrt::wait(calls);
            skelrt::wait(puts);
        });
        const double parity = parity_error(calls, puts, contracts);
        fmt::print("{}: put-call parity holds to {:.1e} of the spot\n", now.device(), parity);
        now.check([&] { return compare(calls, puts, parity, right); });
        if (o.show > 0 && now.last()) print_first(contracts, calls, puts, o.show);
    });
    const auto n = static_cast<double>(o.contracts);
    return t.report({{"contracts", o.contracts}},
                    {{"Mcontracts/s", 1e-6 * n, "contracts_per_s", 1e6},
                     {"GB/s", 1e-9 * n * (sizeof(contract) + sizeof(prices)), "bytes_per_s", 1e9}},
                    {"prices in double precision, and parity", "", "the spot"});
}

} // namespace
} // namespace blackscholes

int main(int argc, char** argv)
{
    blackscholes::options o;
    apps::command_line line("blackscholes",
                            "European options by Black's and Scholes' formula: one sk::map with two results, on the "
                            "devices that you choose.",
                            {}, o);
    line.range("--contracts", o.contracts, 1, std::size_t{1} << 32, "how many, at random");
    line.option("--show", o.show, "so many of them are printed");
    return apps::run_program(line, argc, argv, [&] { return blackscholes::run(o); });
}
