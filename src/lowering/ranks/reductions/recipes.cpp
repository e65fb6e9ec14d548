// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/reductions/recipes.hpp"

#include <cstring>
#include <map>
#include <mutex>

namespace skelrt::detail
{

namespace
{

/// For each recipe one call, once made.
class known_sites
{
public:
    template <class Describe>
    call_site& of(const recipe& r, Describe describe)
    {
        const std::lock_guard lock(guard_);
        call_site*& site = known_[r.id];
        if (site) return *site;
        site = new call_site; // lives as long as the process
        describe(site->what);
        register_recipe(site->what);
        return *site;
    }

private:
    std::mutex guard_;
    std::map<std::uint32_t, call_site*> known_;
};

void take_operator(recipe& r, const recipe& from)
{
    r.first_at = from.first_at;
    r.combine = from.combine;
    r.result = from.result;
    r.result_size = from.result_size;
    r.result_align = from.result_align;
    r.result_bytes = from.result_bytes;
    r.cpu.combine = from.cpu.combine;
}

bool goes_by_column(const recipe& r) { return r.kind == skeleton::scan_columns || r.kind == skeleton::reduce_columns; }

/// Of a block of results, whatever their type: each column, or all.
void fold_columns(const cpu_block& b, void* acc, bool started)
{
    const slot_view& rows = b.slots[0];
    const std::size_t size = b.what->result_size;
    for (std::size_t r = 0; r < b.where.rows; ++r, started = true) {
        const std::byte* const row = static_cast<const std::byte*>(rows.data) + r * rows.ld * size;
        if (started) b.what->cpu.combine(acc, row, b.where.cols);
        else std::memcpy(acc, row, b.where.cols * size);
    }
}

void fold_all(const cpu_block& b, void* acc, bool started)
{
    const slot_view& v = b.slots[0];
    const std::size_t size = b.what->result_size;
    for (std::size_t r = 0; r < b.where.rows; ++r)
        for (std::size_t c = 0; c < b.where.cols; ++c, started = true) {
            const std::byte* const value = static_cast<const std::byte*>(v.data) + (r * v.ld + c * v.stride) * size;
            if (started) b.what->cpu.combine(acc, value, 1);
            else std::memcpy(acc, value, size);
        }
}

/// No function maps them: they cost what the operator does.
void probe_results(const cpu_block&) {}

} // namespace

call_site& reduction_of(const recipe& scan)
{
    static known_sites& known = *new known_sites;
    return known.of(scan, [&](recipe& r) {
        r.kind = goes_by_column(scan) ? skeleton::reduce_columns : skeleton::reduce;
        r.slots.assign(scan.slots.begin(), scan.slots.end() - 1); // the last is the scan's result
        r.calls = scan.calls;
        r.root = scan.root;
        take_operator(r, scan);
        r.cpu.fold = scan.cpu.fold;
        r.cpu.fold_columns = scan.cpu.fold_columns;
        r.cpu.probe = scan.cpu.probe;
    });
}

call_site& reduction_of_results(const recipe& made_by)
{
    static known_sites& known = *new known_sites;
    return known.of(made_by, [&](recipe& r) {
        r.kind = goes_by_column(made_by) ? skeleton::reduce_columns : skeleton::reduce;
        r.slots = {
            {slot_kind::element, made_by.result, made_by.result_size, made_by.result_align, made_by.result_bytes}};
        r.root = {argument_kind::slot, 0};
        take_operator(r, made_by);
        r.cpu.fold = &fold_all;
        r.cpu.fold_columns = &fold_columns;
        r.cpu.probe = &probe_results;
    });
}

} // namespace skelrt::detail
