// SPDX-License-Identifier: BSD-3-Clause
#include "src/farm/ranks/outcome.hpp"

#include "src/cluster/faults.hpp"
#include "src/cluster/peers.hpp"
#include "src/cluster/trees.hpp"
#include "src/data/parting/axis_split.hpp"
#include "src/program/as_item_error.hpp"

#include <skelrt/detail/items/items.hpp>
#include <skelrt/detail/items/travelling.hpp>
#include <skelrt/item_error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

namespace skelrt::detail
{

namespace
{

using bytes = std::vector<std::byte>;

/// What the ranks tell each other first.
struct summary {
    std::uint64_t ran = 0, failed = 0, stopped = 0;
    std::uint64_t size = 0; ///< of what follows: results, or errors
};

position_run items_of(const dealt_farm& f, const peers& others, int rank)
{
    const axis_split split{f.count, static_cast<unsigned>(others.size())};
    return split.run(static_cast<unsigned>(rank), 0);
}

bytes results_as_bytes(const dealt_farm& f, position_run mine)
{
    bytes all;
    for (std::size_t item = mine.first; item < mine.end(); ++item) f.items->write_result(item, all);
    return all;
}

using told_error = std::tuple<std::size_t, std::string, std::string>; // item, name, text

bytes errors_as_bytes(const item_errors& errors)
{
    constexpr std::size_t longest = 1000;
    std::vector<told_error> told;
    for (const item_errors::one& e : errors.all())
        told.emplace_back(e.item, e.name, text_of(e.what).substr(0, longest));
    bytes all;
    write_value(told, all);
    return all;
}

/// visit(rank, what it sent).
template <class Visit>
void exchange(peers& others, const std::vector<summary>& all, const bytes& mine, Visit visit)
{
    std::vector<std::size_t> sizes;
    for (const summary& s : all) sizes.push_back(s.size);
    const bytes come = all_gather(others, mine, sizes);
    std::size_t begin = 0;
    for (int rank = 0; const std::size_t size : sizes) {
        visit(rank++, std::span(come).subspan(begin, size));
        begin += size;
    }
}

void read_results(peers& others, const dealt_farm& f, const std::vector<summary>& all, const bytes& mine)
{
    exchange(others, all, mine, [&](int rank, std::span<const std::byte> come) {
        if (rank == others.rank()) return;
        const position_run theirs = items_of(f, others, rank);
        for (std::size_t item = theirs.first; item < theirs.end(); ++item) f.items->read_result(item, come);
    });
}

/// Errors of other ranks are known by their texts.
[[noreturn]] void throw_errors(peers& others, const dealt_farm& f, const std::vector<summary>& all, const bytes& told,
                               const item_errors& mine)
{
    item_errors together;
    together.add_all_of(mine);
    std::vector<std::size_t> first(all.size(), SIZE_MAX);
    exchange(others, all, told, [&](int rank, std::span<const std::byte> come) {
        if (come.empty()) return; // none there
        for (auto& [item, name, text] : read_value<std::vector<told_error>>(come)) {
            first[static_cast<std::size_t>(rank)] = std::min(first[static_cast<std::size_t>(rank)], item);
            if (rank != others.rank()) together.add(item, name, std::make_exception_ptr(error(text)));
        }
    });
    const auto rank = static_cast<int>(std::ranges::min_element(first) - first.begin());
    const std::string of = rank == others.rank() ? f.title : fmt::format("rank {}: {}", rank, f.title);
    std::rethrow_exception(together.together(of));
}

/// Results, or errors, for the others. What goes wrong here stops the farm on all ranks.
bytes message_of(const dealt_farm& f, position_run items, outcome& mine)
{
    if (mine.errors.any()) return errors_as_bytes(mine.errors);
    if (mine.why_stopped || mine.ran < items.count) return {};
    try {
        return results_as_bytes(f, items);
    } catch (...) {
        mine.why_stopped = std::current_exception();
        return {};
    }
}

} // namespace

void bring_together(peers& others, const dealt_farm& f, outcome& mine)
{
    const position_run items = items_of(f, others, others.rank());
    bytes message = message_of(f, items, mine);
    const summary here{mine.ran, mine.errors.any(), mine.why_stopped != nullptr, message.size()};
    std::vector<summary> all = gather_values<summary>(others, {&here, 1});
    const auto any = [&](std::uint64_t summary::*what) {
        return std::ranges::any_of(all, [&](const summary& s) { return s.*what > 0; });
    };
    if (any(&summary::stopped)) throw_together(others, mine.why_stopped);
    if (any(&summary::failed)) {
        for (summary& s : all)
            if (s.failed == 0) s.size = 0; // results that nobody needs
        if (here.failed == 0) message.clear();
        throw_errors(others, f, all, message, mine.errors);
    }
    std::size_t ran = 0;
    for (const summary& s : all) ran += s.ran;
    if (ran < f.count) throw cancelled(fmt::format("{}: cancelled after {} of {} items", f.title, ran, f.count));
    or_tell([&] { read_results(others, f, all, message); });
}

} // namespace skelrt::detail
