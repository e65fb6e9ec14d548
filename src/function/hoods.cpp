// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/shared.hpp"
#include "src/function/tokens.hpp"

#include <skelrt/detail/hoods.hpp>
#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>

namespace skelrt::detail
{

namespace
{

using tokens = std::span<const token>;

/// The position behind the bracket that closes the one at `open`.
std::size_t behind_bracket(tokens all, std::size_t open)
{
    int depth = 0;
    for (std::size_t i = open; i < all.size(); ++i) {
        depth += opens(all[i]) ? 1 : closes(all[i]) ? -1 : 0;
        if (depth == 0) return i + 1;
    }
    return all.size();
}

/// The parts between commas, of brackets' contents; commas within brackets and template arguments do not count.
std::vector<tokens> parts_of(tokens inside)
{
    std::vector<tokens> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < inside.size(); ++i) {
        const token& t = inside[i];
        depth += opens(t) || t.is("<") ? 1 : closes(t) || t.is(">") ? -1 : t.is(">>") ? -2 : 0;
        if (depth == 0 && t.is(",")) {
            parts.push_back(inside.subspan(begin, i - begin));
            begin = i + 1;
        }
    }
    if (begin < inside.size()) parts.push_back(inside.subspan(begin));
    return parts;
}

/// -1, 2, +3, and nothing else.
std::optional<long> literal(tokens part)
{
    bool negative = false;
    while (!part.empty() && (part[0].is("-") || part[0].is("+"))) {
        negative ^= part[0].is("-");
        part = part.subspan(1);
    }
    if (part.size() != 1 || part[0].kind != token_kind::number) return std::nullopt;
    const std::string text(part[0].text);
    char* end = nullptr;
    const long value = std::strtol(text.c_str(), &end, 0);
    while (*end == 'u' || *end == 'U' || *end == 'l' || *end == 'L') ++end;
    if (*end != 0) return std::nullopt;
    return negative ? -value : value;
}

/// Name of a parameter: its last identifier, behind the type; empty if it has none.
std::string_view name_of(tokens parameter)
{
    if (parameter.size() < 2 || !parameter.back().is_identifier() || parameter[parameter.size() - 2].is("::"))
        return {};
    return parameter.back().text;
}

/// u(k, 0): as it is written, but for its spaces.
std::string words_as_written(tokens all)
{
    std::string text;
    for (const token& t : all) {
        text += t.text;
        if (t.is(",")) text += ' ';
    }
    return text;
}

/// A use whose place cannot be read; the first is kept.
void add_unclear(hood_uses& uses, tokens use)
{
    if (uses.literal) uses.unclear = words_as_written(use);
    uses.literal = false;
}

/// `use`: name, opening bracket, arguments, closing bracket.
void add_use(hood_uses& uses, tokens use, int rank)
{
    const std::vector<tokens> parts = parts_of(use.subspan(2, use.size() - 3));
    if (parts.size() != static_cast<std::size_t>(rank)) {
        add_unclear(uses, use);
        return;
    }
    long away = 0;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const auto value = literal(parts[k]);
        if (!value) add_unclear(uses, use);
        else uses.low[k] = std::min(uses.low[k], *value), uses.high[k] = std::max(uses.high[k], *value);
        away += value ? std::clamp(std::abs(*value), 0L, 2L) : 0;
    }
    uses.cross = uses.cross && away <= 1;
}

/// Every use of the hood `name` in a function's body.
void scan_body(hood_uses& uses, tokens body, std::string_view name, int rank)
{
    for (std::size_t i = 0; i < body.size(); ++i) {
        if (!body[i].is(name) || !body[i].is_identifier()) continue;
        if (i > 0 && (body[i - 1].is(".") || body[i - 1].is("->") || body[i - 1].is("::")))
            continue; // somebody's member
        if (i + 1 < body.size() && (body[i + 1].is("(") || body[i + 1].is("["))) {
            const std::size_t end = behind_bracket(body, i + 1);
            add_use(uses, body.subspan(i, end - i), rank);
        } else {
            add_unclear(uses, body.subspan(i, 1)); // handed on
        }
    }
}

std::string place_of(const function_source& f) { return fmt::format("stencil ({}:{})", f.file, f.line); }

constexpr std::size_t absurd = std::size_t{1} << 20;

} // namespace

hood_uses scan_hoods(const function_source& f, const int* ranks, std::size_t parameters)
{
    const std::vector<token> all = tokenize(code_of(f));
    hood_uses uses;
    if (all.empty() || !all[0].is("(")) return uses;
    const std::size_t body = behind_bracket(all, 0);
    const std::vector<tokens> named = parts_of(tokens(all).subspan(1, body - 2));
    for (std::size_t k = 0; k < std::min(parameters, named.size()); ++k)
        if (ranks[k] > 0)
            if (const std::string_view name = name_of(named[k]); !name.empty())
                scan_body(uses, tokens(all).subspan(body), name, ranks[k]);
    return uses;
}

stencil_shape make_shape(const function_source& f, const hood_uses& uses, const reach& given, int rank, bool down,
                         border_rule border)
{
    stencil_shape shape;
    shape.rank = rank;
    shape.down = down;
    shape.border = border;
    shape.cross = uses.literal && uses.cross;
    if (!uses.literal && given.axes == 0)
        throw error(fmt::format(
            "{}: how far its hoods reach cannot be read from the function's text, because the place in {} is no "
            "integer literal; say it: sk::stencil(f, border, sk::reach({})), each the largest distance "
            "at which the function reads{}",
            place_of(f), uses.unclear,
            rank == 1   ? "n"
            : rank == 2 ? "rows, columns"
                        : "planes, rows, columns",
            rank == 1 ? " (for (int k = -2; k <= 2; ++k) u(k) reaches 2)" : ""));
    if (given.axes > 1 && given.axes != rank)
        throw error(fmt::format("{}: sk::reach has {} axes, but its hoods have {}", place_of(f), given.axes, rank));
    for (int k = 0; k < rank; ++k) {
        const std::size_t axis = static_cast<std::size_t>(down ? 1 : 3 - rank + k);
        const long low = uses.low[k], high = uses.high[k];
        if (given.axes == 0) {
            shape.before[axis] = static_cast<unsigned>(-low);
            shape.after[axis] = static_cast<unsigned>(high);
            continue;
        }
        const sides& g = given.along[given.axes == 1 ? 0 : k];
        if (g.before > absurd || g.after > absurd)
            throw error(fmt::format("{}: sk::reach({}, {}) is out of range", place_of(f), g.before, g.after));
        if (static_cast<std::size_t>(-low) > g.before || static_cast<std::size_t>(high) > g.after)
            throw error(
                fmt::format("{}: axis {} of its hoods is used from {} to {}, but sk::reach allows -{} to {}; give a "
                            "larger reach, or none where all uses are literals",
                            place_of(f), k + 1, low, high, g.before, g.after));
        shape.before[axis] = static_cast<unsigned>(g.before);
        shape.after[axis] = static_cast<unsigned>(g.after);
    }
    return shape;
}

void join_shape(stencil_shape& all, const stencil_shape& one)
{
    if (all.rank == 0) {
        all = one;
        return;
    }
    if (all.rank != one.rank || all.down != one.down || all.border != one.border)
        throw error(
            "stencil: two stencils nest in one call, but differ in their border, or in the rank or direction of "
            "their hoods; assign one of them to a container first");
    all.cross = all.cross && one.cross;
    for (int k = 0; k < 3; ++k) {
        all.before[k] = std::max(all.before[k], one.before[k]);
        all.after[k] = std::max(all.after[k], one.after[k]);
    }
}

} // namespace skelrt::detail
