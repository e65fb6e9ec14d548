#include "src/model/link.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>

namespace skelrt::detail
{

namespace
{

struct rates {
    double best = 0, second = 0;
};

constexpr std::size_t most_workers = 512;
std::mutex guard;
std::array<rates, most_workers> all;

bool is_known(int worker) { return worker >= 0 && static_cast<std::size_t>(worker) < most_workers; }

} // namespace

void note_copies(int worker, double bytes, double us) noexcept
{
    if (!is_known(worker) || !(bytes > 0) || !(us > 0)) return;
    const double rate = bytes / us;
    const std::lock_guard lock(guard);
    rates& r = all[static_cast<std::size_t>(worker)];
    r.second = std::max(r.second, std::min(r.best, rate));
    r.best = std::max(r.best, rate);
}

double seen_rate(int worker) noexcept
{
    if (!is_known(worker)) return 0;
    const std::lock_guard lock(guard);
    return all[static_cast<std::size_t>(worker)].second;
}

void forget_links() noexcept
{
    const std::lock_guard lock(guard);
    all.fill({});
}

} // namespace skelrt::detail
