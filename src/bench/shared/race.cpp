#include "src/bench/shared/race.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

namespace bench
{
namespace
{

constexpr std::size_t mi = std::size_t{1} << 20;

std::string text(std::size_t n) { return n % mi == 0 ? fmt::format("{} Mi", n / mi) : std::to_string(n); }

} // namespace

void declare_race(CLI::App& app, race_options& o, const char* rivals, const char* what_n_is)
{
    app.add_option("--device", o.device, rivals)->check(CLI::IsMember({"cpu", "cuda"}))->capture_default_str();
    app.add_option("--n", o.n, fmt::format("{}; default {}, on cuda {}", what_n_is, text(o.cpu_n), text(o.cuda_n)));
    app.add_option("--repeat", o.repeat, "rounds")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--batch", o.batch, fmt::format("calls per wait; default 1, on cuda {}", o.cuda_batch))
        ->check(CLI::PositiveNumber);
}

void complete_race(race_options& o)
{
    if (o.n == 0) o.n = o.on_gpu() ? o.cuda_n : o.cpu_n;
    if (o.batch == 0) o.batch = o.on_gpu() ? o.cuda_batch : 1;
}

} // namespace bench
