// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/shared/race/race.hpp"
#include "apps/shared/program/option_list.hpp"

#include <fmt/core.h>

namespace bench
{
namespace
{

constexpr std::size_t mi = std::size_t{1} << 20;

std::string text(std::size_t n) { return n % mi == 0 ? fmt::format("{} Mi", n / mi) : std::to_string(n); }

} // namespace

void declare_race(apps::option_list& line, race_options& o, const char* rivals, const char* what_n_is)
{
    line.one_of("--device", o.device, {"cpu", "cuda"}, rivals);
    line.without_default("--n", o.n,
                         fmt::format("{}; default {}, on cuda {}", what_n_is, text(o.cpu_n), text(o.cuda_n)));
    line.positive("--repeat", o.repeat, "rounds");
    line.positive("--batch", o.batch, fmt::format("calls per wait; default 1, on cuda {}", o.cuda_batch));
}

void complete_race(race_options& o)
{
    if (o.n == 0) o.n = o.on_gpu() ? o.cuda_n : o.cpu_n;
    if (o.batch == 0) o.batch = o.on_gpu() ? o.cuda_batch : 1;
}

} // namespace bench
