// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../with_neighbours.hpp"
#include "expression.hpp"

/// What maps of all trees do alike once their operands are collected: it is compiled with the library, not with each
/// call of each program.
namespace skelrt::detail
{

/// A map, and what its tree says of the call: a collected_map.
struct map_call {
    call_site& site;
    operand* operands; ///< `inputs` of them, and room for the result behind
    std::size_t inputs;
    unsigned indices; ///< which its functions ask for: asked_indices
    const plan* use;
    const void* start = nullptr;
    std::size_t depth = 1;
    grid_part part{};
};

/// The shape of a call whose operands have told theirs, and which goes to a container of that rank. Throws if there is
/// none, or it does not fit.
SKELRT_API void complete_shape(extent& x, const storage* to, int rank, const placement& p, std::size_t argument,
                               const recipe& r);

/// Runs it into elements that `to` places in `data`.
SKELRT_API void run_map(const map_call& m, int rank, storage* data, const placement& to);

/// Runs it over x into new data, which is returned.
SKELRT_API storage_ref run_map_to_new(const map_call& m, const extent& x, std::uint32_t element_size);

/// The same for what another call reads, and nobody else.
SKELRT_API storage_ref run_map_to_temporary(const map_call& m, const extent& x, std::uint32_t element_size);

/// Runs it over x into a container's data, if there is some of that shape and no operand forbids it: null. Else new
/// data is returned, which is to take its place.
SKELRT_API storage_ref run_map_to(storage* data, const placement& to, const map_call& m, const extent& x,
                                  std::uint32_t element_size);

/// The plan of a call's outermost skeleton; those of fused calls have no say.
template <class N>
const plan* plan_of(const N& e)
{
    if constexpr (requires { e.use(); }) return e.use();
    else if constexpr (requires { e.source(); }) return e.source().use;
    else return nullptr;
}

/// Where the part lies that all hoods of a tree look around in.
template <class N>
grid_part part_of(const N& e, const recipe& r)
{
    common_part all;
    collect_part(e, all, r);
    return all.get();
}

/// A map of rows of so many columns, with its operands.
template <class N>
class collected_map : public map_call
{
public:
    collected_map(call_site& s, const N& e, std::size_t cols)
        : map_call{s, operands_, leaf_count<N>::value, asked_indices<N>, plan_of(e)}
    {
        operand* out = operands_;
        collect_operands(e, out);
        if constexpr (requires { e.start(); }) start = e.start();
        if constexpr (requires { e.depth(cols); }) depth = e.depth(cols);
        if constexpr (sees_parts<N>) part = part_of(e, s.what);
    }
    collected_map(const collected_map&) = delete;

private:
    operand operands_[leaf_count<N>::value + 1];
};

} // namespace skelrt::detail
