// SPDX-License-Identifier: BSD-3-Clause
#include "edge_list.hpp"

#include "apps/shared/error.hpp"
#include "apps/shared/text.hpp"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

namespace pagerank
{
namespace
{

constexpr double most_vertices = 1 << 30;

unsigned vertex_of(std::string_view word, const apps::text_place& place)
{
    const double number = apps::number(word, "a vertex", place);
    if (number < 1 || number > most_vertices || number != static_cast<unsigned>(number))
        place.fail(fmt::format("a vertex is a whole number from 1, not {}", word));
    return static_cast<unsigned>(number) - 1;
}

} // namespace

edge_list read_edges(const std::filesystem::path& file, bool both_ways)
{
    std::ifstream in(file);
    if (!in) throw apps::input_error(fmt::format("{}: cannot be read", file.string()));
    const std::string name = file.string();
    edge_list result;
    std::string text;
    for (std::size_t line = 1; std::getline(in, text); ++line) {
        const apps::text_place place{name, line};
        const auto words = apps::words(text);
        if (words.empty() || words[0].starts_with('#')) continue;
        if (words.size() != 2) place.fail("an edge is two numbers");
        const unsigned source = vertex_of(words[0], place), target = vertex_of(words[1], place);
        result.edges.push_back({source, target});
        if (both_ways) result.edges.push_back({target, source});
        result.vertices = std::max<std::size_t>(result.vertices, std::max(source, target) + 1);
    }
    if (result.edges.empty()) throw apps::input_error(fmt::format("{}: no edge is in it", name));
    return result;
}

} // namespace pagerank
