// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/needs/messages.hpp"

#include <fmt/format.h>

#include <numeric>

namespace skelrt::detail
{

namespace
{

double bytes_of(std::size_t elements, std::size_t size) { return static_cast<double>(elements * size); }

double bytes_of(const std::vector<message>& all)
{
    return std::accumulate(all.begin(), all.end(), 0.0, [](double sum, const message& m) { return sum + m.bytes; });
}

} // namespace

std::vector<message> messages_from(unsigned rank, const exchange& x, std::size_t element_size)
{
    std::vector<message> all;
    for (const rank_piece& p : x.out) all.push_back({rank, p.rank, bytes_of(p.elements.count, element_size)});
    return all;
}

std::vector<message> messages_from(unsigned rank, const passage& x, std::size_t element_size)
{
    std::vector<message> all;
    for (const outgoing_elements& o : x.out) all.push_back({rank, o.rank, bytes_of(count_of(o.held), element_size)});
    return all;
}

std::vector<message> messages_to(unsigned rank, const exchange& x, std::size_t element_size)
{
    std::vector<message> all;
    for (const rank_piece& p : x.in) all.push_back({p.rank, rank, bytes_of(p.elements.count, element_size)});
    return all;
}

std::vector<message> messages_to(unsigned rank, const passage& x, std::size_t element_size)
{
    std::vector<message> all;
    for (const incoming_elements& i : x.in) all.push_back({i.rank, rank, bytes_of(i.count, element_size)});
    return all;
}

std::string describe_messages(unsigned ranks, std::vector<message> out, const std::vector<message>& in,
                              const network_peaks& n)
{
    const std::string text = fmt::format("sends {} messages of {:.0f} bytes, gets {} of {:.0f}", out.size(),
                                         bytes_of(out), in.size(), bytes_of(in));
    if (n.message_us.value <= 0) return text + ", on a network that nobody has measured";
    out.insert(out.end(), in.begin(), in.end());
    return fmt::format("{}, promised in {:.1f} us", text, busiest_us(cost_of_messages(n), ranks, out));
}

} // namespace skelrt::detail
