// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/faults.hpp"
#include "src/cluster/other_ranks.hpp"
#include "src/cluster/peers.hpp"
#include "src/cluster/trees.hpp"
#include "src/data/faults/foreign_faults.hpp"
#include "src/data/files/array_header.hpp"
#include "src/data/files/file_at_rest.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/parting/held.hpp"
#include "src/data/parting/opened_on_host.hpp"
#include "src/program/of_one_rank.hpp"
#include "src/program/place_text.hpp"
#include "src/runtime/running.hpp"
#include "src/runtime/visit.hpp"

#include <skelrt/error.hpp>
#include <skelrt/files.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Files that all ranks write and read together, each what it holds. One process alone is the only and the first rank.
namespace skelrt::detail
{

namespace
{

/// A call on a file, on this rank.
class file_call
{
public:
    file_call(const file_request& r, std::span<const std::size_t> extents) : request_(r), runtime_(here_.runtime())
    {
        if (!others()) return;
        others()->refuse_other_threads(r.name, r.where);
        std::uint64_t hash = std::hash<std::string_view>()(r.name);
        for (const std::size_t e : extents) hash = hash * 31 + e;
        others()->calls.record(hash, r.name, r.where, extents.empty() ? 0 : extents[0]);
        runtime_->order.flush(); // others may wait for these calls
    }

    peers* others() const noexcept { return other_ranks(runtime_); }
    bool is_first() const noexcept { return !others() || others()->rank() == 0; }

    /// Does its step; no rank goes on before all have done theirs, and what one throws, all do.
    void together(const std::function<void()>& step) const
    {
        if (others()) detail::together(*others(), step);
        else step();
    }
    /// What is wrong with the file names the call and it.
    void with_file(const std::function<void()>& step) const
    {
        try {
            step();
        } catch (const error& e) {
            throw error(
                fmt::format("{}{}: {}: {}", place_text(request_.where), request_.name, request_.file, e.what()));
        }
    }

private:
    const file_request& request_;
    visit here_;
    running* runtime_;
};

/// What this rank holds, on the host for a while.
class held_elements
{
public:
    held_elements(storage* s, access how, const file_request& r) : s_(s)
    {
        if (!s_) return;
        if (how != access::read) content_changes(*s_);
        else check_foreign_faults(*s_);
        here_.emplace(*s_, how, own_part, r.where);
    }

    /// visit(bytes, where they lie among all) for those that follow each other there.
    template <class Visit>
    void for_each_run(Visit visit) const
    {
        if (!s_) return;
        const std::size_t size = s_->element_size;
        for (const numbered_run& r : common_elements(grid_of(*s_), whole_grid(s_->shape_rows, s_->shape_cols)))
            visit(std::span(here_->data() + r.in_one * size, r.count * size), r.in_other * size);
    }

private:
    storage* s_;
    std::optional<opened_on_host> here_;
};

void refuse_orphans(const storage* s, const file_call& call)
{
    if (!s || !s->dealt) return;
    if (is_of_one_rank()) throw_dealt_in_item("its container", {}, s->shape_rows, s->shape_cols);
    if (!call.others())
        throw error(
            "the container was dealt out to several ranks, and their sk::runtime has ended; do this before that");
}

/// Goes when the call ends, if it has not got its name by then. The first rank's.
class unfinished_file
{
public:
    explicit unfinished_file(const file_request& r) : name_(r.file + ".unfinished"), wanted_(r.file) {}
    ~unfinished_file()
    {
        if (made_) std::remove(name_.c_str());
    }
    unfinished_file(const unfinished_file&) = delete;
    unfinished_file& operator=(const unfinished_file&) = delete;

    void make(std::string_view header)
    {
        const auto file = file_at_rest::to_make(name_);
        made_ = true;
        file.write(std::as_bytes(std::span(header)), 0);
    }
    /// The first element of the whole container lies at `begin`.
    void write(const held_elements& mine, std::size_t begin) const
    {
        auto file = file_at_rest::to_write(name_);
        mine.for_each_run([&](std::span<std::byte> run, std::size_t at) { file.write(run, begin + at); });
        file.close();
    }
    void take_name()
    {
        if (std::rename(name_.c_str(), wanted_.c_str()) != 0)
            throw error(fmt::format("{} cannot take its name", name_));
        made_ = false;
    }

private:
    std::string name_, wanted_;
    bool made_ = false;
};

/// With where its elements begin.
array_header read_header(const file_at_rest& file, std::size_t& begin)
{
    const auto first = [&](std::size_t bytes) {
        std::string text(std::min(bytes, file.size()), ' ');
        file.read(std::as_writable_bytes(std::span(text)), 0);
        return text;
    };
    begin = elements_at(first(preamble_bytes));
    const std::string text = first(begin);
    if (text.size() < begin) throw error("its header is cut off");
    return parse_header(text);
}

void compare(const array_header& h, const file_request& r, std::size_t axes)
{
    if (h.element != r.element)
        throw error(fmt::format("its elements are {}, and the container's {}; save array.astype('{}')",
                                type_text(h.element), type_text(r.element), type_text(r.element)));
    if (h.extents.size() != axes)
        throw error(fmt::format("its array has {} axes {}, and the container {}", h.extents.size(),
                                extents_text(h.extents), axes));
}

/// Before memory is taken for what is not there.
void check_length(const array_header& h, std::size_t bytes)
{
    std::size_t wanted = h.element.size;
    bool too_many = false;
    for (const std::size_t e : h.extents) too_many |= __builtin_mul_overflow(wanted, e, &wanted);
    if (too_many || bytes < wanted)
        throw error(fmt::format("it is cut off: an array of {} takes {} bytes, and {} are there",
                                extents_text(h.extents), too_many ? "too many" : std::to_string(wanted), bytes));
}

/// All ranks are to see the same file.
void compare_with_first(const file_call& call, std::span<const std::size_t> mine)
{
    if (!call.others()) return;
    std::vector<std::size_t> of_first(mine.begin(), mine.end());
    broadcast(*call.others(), std::as_writable_bytes(std::span(of_first)));
    call.together([&] {
        call.with_file([&] {
            if (!std::ranges::equal(of_first, mine))
                throw error(fmt::format("an array of {} here, and of {} on rank 0; all ranks must see one file",
                                        extents_text(mine), extents_text(of_first)));
        });
    });
}

} // namespace

void write_file(storage* s, std::span<const std::size_t> extents, const file_request& r)
{
    const file_call call(r, extents);
    const std::string header = header_text(r.element, extents);
    unfinished_file file(r);
    call.together([&] {
        call.with_file([&] {
            refuse_orphans(s, call);
            if (call.is_first()) file.make(header);
        });
    });
    call.together([&] {
        if (!call.is_first() && !(s && s->dealt)) return; // the first has all of it, too
        const held_elements mine(s, access::read, r);
        call.with_file([&] { file.write(mine, header.size()); });
    });
    call.together([&] {
        if (call.is_first()) call.with_file([&] { file.take_name(); });
    });
}

void look_into_file(std::span<std::size_t> extents, const file_request& r)
{
    const file_call call(r, {});
    call.together([&] {
        call.with_file([&] {
            const auto file = file_at_rest::to_read(r.file);
            std::size_t begin = 0;
            const array_header h = read_header(file, begin);
            compare(h, r, extents.size());
            check_length(h, file.size() - begin);
            std::ranges::copy(h.extents, extents.begin());
        });
    });
    compare_with_first(call, extents);
}

void read_file(storage* s, std::span<const std::size_t> extents, const file_request& r)
{
    const file_call call(r, extents);
    call.together([&] {
        call.with_file([&] { refuse_orphans(s, call); });
        const held_elements mine(s, access::write, r);
        call.with_file([&] {
            const auto file = file_at_rest::to_read(r.file);
            std::size_t begin = 0;
            if (!std::ranges::equal(read_header(file, begin).extents, extents))
                throw error("it was written while it was read");
            mine.for_each_run([&](std::span<std::byte> run, std::size_t at) { file.read(run, begin + at); });
        });
    });
}

} // namespace skelrt::detail
