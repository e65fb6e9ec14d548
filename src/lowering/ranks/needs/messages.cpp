#include "src/lowering/ranks/needs/messages.hpp"

#include <fmt/format.h>

#include <numeric>

namespace skelrt::detail
{

namespace
{

double bytes_of(const rank_piece& p, std::size_t element_size)
{
    return static_cast<double>(p.elements.count * element_size);
}

double bytes_of(const std::vector<message>& all)
{
    return std::accumulate(all.begin(), all.end(), 0.0, [](double sum, const message& m) { return sum + m.bytes; });
}

} // namespace

std::vector<message> messages_from(unsigned rank, const exchange& x, std::size_t element_size)
{
    std::vector<message> all;
    for (const rank_piece& p : x.out) all.push_back({rank, p.rank, bytes_of(p, element_size)});
    return all;
}

std::vector<message> messages_to(unsigned rank, const exchange& x, std::size_t element_size)
{
    std::vector<message> all;
    for (const rank_piece& p : x.in) all.push_back({p.rank, rank, bytes_of(p, element_size)});
    return all;
}

std::string describe_exchange(unsigned rank, unsigned ranks, const exchange& x, std::size_t element_size,
                              const network_peaks& n)
{
    std::vector<message> all = messages_from(rank, x, element_size);
    const std::vector<message> in = messages_to(rank, x, element_size);
    const std::string text = fmt::format("sends {} messages of {:.0f} bytes, gets {} of {:.0f}", all.size(),
                                         bytes_of(all), in.size(), bytes_of(in));
    if (n.message_us.value <= 0) return text + ", on a network that nobody has measured";
    all.insert(all.end(), in.begin(), in.end());
    return fmt::format("{}, promised in {:.1f} us", text, busiest_us(cost_of_messages(n), ranks, all));
}

} // namespace skelrt::detail
