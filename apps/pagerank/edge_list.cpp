// SPDX-License-Identifier: BSD-3-Clause
#include "edge_list.hpp"

#include "apps/shared/program/error.hpp"
#include "apps/shared/program/text.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace pagerank
{
namespace
{

unsigned vertex_of(std::string_view word, const apps::text_place& place)
{
    const double number = apps::number(word, "a vertex", place);
    if (number < 1 || number > 1 << 30 || number != static_cast<unsigned>(number))
        place.fail(fmt::format("a vertex is a whole number from 1, not {}", word));
    return static_cast<unsigned>(number) - 1;
}

} // namespace

edge_list read_edges(const std::filesystem::path& file, bool both_ways)
{
    std::size_t vertices = 0;
    std::vector<edge> list;
    apps::each_line(file, [&](const std::vector<std::string_view>& words, const apps::text_place& place) {
        if (words.empty() || words[0].starts_with('#')) return;
        if (words.size() != 2) place.fail("an edge is two numbers");
        const unsigned source = vertex_of(words[0], place), target = vertex_of(words[1], place);
        list.push_back({source, target});
        if (both_ways) list.push_back({target, source});
        vertices = std::max<std::size_t>(vertices, std::max(source, target) + 1);
    });
    if (list.empty()) throw apps::input_error(fmt::format("{}: no edge is in it", file.string()));
    return {vertices, edges(list.begin(), list.end())};
}

} // namespace pagerank
