// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/record_call.hpp"

#include "src/cluster/peers.hpp"
#include "src/cluster/trees.hpp"
#include "src/data/parting/parting.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/hash_combine.hpp"
#include "src/lowering/place/storages_of.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace skelrt::detail
{

namespace
{

/// Structs have padding, whose bits differ where nothing is wrong.
bool is_number(std::string_view type)
{
    constexpr std::string_view numbers[] = {"bool",  "char",   "short",  "int",     "long",
                                            "float", "double", "signed", "unsigned"};
    const auto begins_it = [&](std::string_view word) {
        return type.starts_with(word) && (type.size() == word.size() || type[word.size()] == ' ');
    };
    return std::ranges::any_of(numbers, begins_it) && type != "long double";
}

std::uint64_t bits_of(const void* value, std::size_t bytes)
{
    std::uint64_t bits = 0;
    std::memcpy(&bits, value, std::min(bytes, sizeof bits));
    return bits;
}

std::uint64_t hash_of(const call& c)
{
    const recipe& r = c.site->what;
    std::uint64_t hash = r.key;
    const auto add = [&](std::uint64_t value) { hash = hash_combine(hash, value); };
    for (const std::size_t n : {c.rows, c.cols, c.depth, std::size_t{c.steps}}) add(n);
    for (std::size_t k = 0; k < r.slots.size(); ++k)
        if (const operand& o = c.operands[k]; !o.data && o.value && is_number(r.slots[k].type))
            add(bits_of(o.value, r.slots[k].size));
    for_each_container(c, [&](const operand& o, bool) {
        for (const std::size_t n : {o.offset, o.rows, o.cols, o.ld, o.stride}) add(n);
        for (const std::size_t n : {o.data->shape_rows, o.data->shape_cols}) add(n);
        if (const parting* const p = o.data->dealt)
            for (const axis_split* a : {&p->rows, &p->cols}) add(a->parts), add(a->block);
    });
    return hash;
}

} // namespace

void record_call(engine& e, const call& c)
{
    peers& others = *e.cluster;
    const recipe& r = c.site->what;
    others.refuse_other_threads(r.name.c_str(), r.first_at);
    others.calls.record(hash_of(c), r.name.c_str(), r.first_at, c.rows, c.cols);
    if (!e.wanted.compares_each_call) return;
    e.order.flush(); // others may wait for earlier calls
    const std::byte here{1};
    all_gather(others, {&here, 1}); // values say what was called before them
}

} // namespace skelrt::detail
