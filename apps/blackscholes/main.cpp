// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "options.hpp"
#include "reference.hpp"

#include "apps/shared/devices.hpp"
#include "apps/shared/program.hpp"
#include "apps/shared/report.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace blackscholes
{
namespace
{

using floats = skelrt::vector<float>;

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

apps::problem_rows rows_of(const options& o)
{
    const auto n = static_cast<double>(o.contracts);
    return {{{"contracts", std::to_string(o.contracts)}},
            {},
            {{"Mcontracts/s", n * 1e-6, "contracts_per_s", 1e6},
             {"GB/s", n * (sizeof(contract) + sizeof(prices)) * 1e-9, "bytes_per_s", 1e9}}};
}

int run(const options& o)
{
    const skelrt::runtime rt;
    const auto devices = apps::devices_for(o.device, rt);
    const skelrt::vector<contract> contracts = random_contracts(o.contracts);
    apps::outcome all{"blackscholes", rows_of(o), {"prices in double precision, and parity", "", "the spot"}};
    std::optional<reference> right;
    if (o.check) right.emplace(contracts), all.reference_seconds = right->seconds();
    fmt::print("{} contracts, a call and a put of each\n\n", o.contracts);
    for (const auto& device : devices) {
        const skelrt::only here(apps::set_of(device));
        floats calls(o.contracts, skelrt::uninitialized), puts(o.contracts, skelrt::uninitialized);
        auto& row = all.problem.rows.emplace_back(apps::measure(device, rt, o.repeat, [&] {
            price(calls, puts, contracts);
            skelrt::wait(calls);
            skelrt::wait(puts);
        }));
        const double parity = parity_error(calls, puts, contracts);
        fmt::print("{}: put-call parity holds to {:.1e} of the spot\n", device, parity);
        if (o.check) row.check = right->compare(calls, puts, parity);
        if (o.show > 0 && device == devices.back()) print_first(contracts, calls, puts, o.show);
    }
    return apps::report(o, all);
}

} // namespace
} // namespace blackscholes

int main(int argc, char** argv)
{
    return apps::run_program("blackscholes", [&] {
        const auto options = blackscholes::read_options(argc, argv);
        return options ? blackscholes::run(*options) : apps::all_well;
    });
}
