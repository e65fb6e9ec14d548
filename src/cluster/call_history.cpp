// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/call_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace skelrt::detail
{

namespace
{

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) noexcept
{
    std::uint64_t x = (a ^ (b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2))) * 0xbf58476d1ce4e5b9u;
    return x ^ (x >> 31);
}

/// Of "map (x.cpp:12)" and "reduce (sk::plus, first at x.cpp:12)" what is in front of the place, which is told apart.
std::string_view without_place(std::string_view name)
{
    if (const std::size_t at = name.find(", first at "); at != name.npos) return name.substr(0, at);
    const std::size_t colon = name.rfind(':'), open = name.rfind(" (");
    if (colon == name.npos || open == name.npos || colon < open || !name.ends_with(')')) return name;
    const std::string_view line = name.substr(colon + 1, name.size() - colon - 2);
    const bool is_line = !line.empty() && std::ranges::all_of(line, [](char c) { return c >= '0' && c <= '9'; });
    return is_line ? name.substr(0, open) : name;
}

/// With a bracket that its place took along.
template <std::size_t N>
void copy_name(char (&to)[N], std::string_view name) noexcept
{
    constexpr std::size_t bracket = 1;
    name = name.substr(0, N - 1 - bracket);
    std::memcpy(to, name.data(), name.size());
    std::size_t n = name.size();
    if (name.find('(') != name.npos && !name.ends_with(')')) to[n++] = ')';
    to[n] = '\0';
}

template <std::size_t N>
void copy_end(char (&to)[N], std::string_view text) noexcept
{
    text.remove_prefix(text.size() - std::min(text.size(), N - 1));
    std::memcpy(to, text.data(), text.size());
    to[text.size()] = '\0';
}

std::string_view without_folders(std::string_view path) { return path.substr(path.rfind('/') + 1); }

const past_call& newest(const call_history::ring& calls)
{
    return *std::ranges::max_element(calls, {}, &past_call::number);
}

const past_call& at(const call_history::ring& calls, std::uint64_t number)
{
    return calls[number % call_history::kept];
}

/// The first call that both remember and that was not the same; 0: there is none.
std::uint64_t first_unlike(const call_history::ring& a, const call_history::ring& b)
{
    const std::uint64_t last = std::min(newest(a).number, newest(b).number);
    for (std::uint64_t n = last > call_history::kept ? last - call_history::kept + 1 : 1; n <= last; ++n)
        if (at(a, n).number == n && at(b, n).number == n && at(a, n).hash != at(b, n).hash) return n;
    return 0;
}

std::string what_was_the_same(const call_history::ring& a, const call_history::ring& b, std::uint64_t before)
{
    const bool known = before > 1 && at(a, before - 1).number == before - 1 && at(b, before - 1).number == before - 1;
    return known ? fmt::format("; call {} was the same on both", before - 1) : "";
}

std::string text_of_both(int rank_a, const past_call& a, int rank_b, const past_call& b)
{
    const std::string made_by_a = text_of(a), made_by_b = text_of(b);
    if (made_by_a == made_by_b)
        return fmt::format("ranks {} and {} made {}, with other numbers or of other operands", rank_a, rank_b,
                           made_by_a);
    return fmt::format("rank {} made {}, rank {} made {}", rank_a, made_by_a, rank_b, made_by_b);
}

constexpr std::string_view way_out =
    ". All ranks must make the same calls; a value that steers them must be the same on all: see sk::agree";

} // namespace

void call_history::record(std::uint64_t what, const char* name, caller where, std::size_t rows,
                          std::size_t cols) noexcept
{
    const std::lock_guard lock(guard_);
    hash_ = mixed(hash_, what);
    past_call& c = last_[++calls_ % kept];
    c.number = calls_;
    c.hash = hash_;
    c.rows = rows;
    c.cols = cols;
    c.line = where.line;
    copy_name(c.name, where.line > 0 ? without_place(name) : name);
    copy_end(c.file, without_folders(where.file));
}

past_call call_history::copy_newest() const
{
    const std::lock_guard lock(guard_);
    return newest();
}

std::string text_of(const past_call& c)
{
    if (c.number == 0) return "no call yet";
    std::string text = fmt::format("call {}, {}", c.number, c.name);
    if (c.line > 0) text += fmt::format(" ({}:{})", c.file, c.line);
    if (c.rows > 0 && c.cols > 1) text += fmt::format(" of {} x {} elements", c.rows, c.cols);
    else if (c.rows > 0) text += fmt::format(" of {} elements", c.rows);
    return text;
}

std::string difference(int rank_a, const call_history::ring& a, int rank_b, const call_history::ring& b)
{
    if (const std::uint64_t n = first_unlike(a, b))
        return fmt::format("ranks diverged: {}{}{}", text_of_both(rank_a, at(a, n), rank_b, at(b, n)),
                           what_was_the_same(a, b, n), way_out);
    return fmt::format("ranks diverged: a value went between rank {} after {}, and rank {} after {}, so one of them "
                       "waits where the other does not{}",
                       rank_a, text_of(newest(a)), rank_b, text_of(newest(b)), way_out);
}

std::string difference(int rank_a, const call_history::ring& a, int rank_b, std::uint64_t b_calls)
{
    return fmt::format("ranks diverged: rank {} has made {}, and rank {} has made {} calls, not the same ones{}",
                       rank_a, text_of(newest(a)), rank_b, b_calls, way_out);
}

} // namespace skelrt::detail
