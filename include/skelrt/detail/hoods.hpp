// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../border.hpp"
#include "../hood.hpp"
#include "call.hpp"
#include "recipe.hpp"

#include <cstddef>
#include <string>

/// Hoods without their element type: what a stencil's text and a user's sk::reach say about its shape.
namespace skelrt::detail
{

template <class T>
inline constexpr int hood_rank = 0;
template <class T>
inline constexpr int hood_rank<hood1<T>> = 1;
template <class T>
inline constexpr int hood_rank<hood2<T>> = 2;
template <class T>
inline constexpr int hood_rank<hood3<T>> = 3;

template <class T, int Rank>
struct hood_of;
template <class T>
struct hood_of<T, 1> {
    using type = hood1<T>;
};
template <class T>
struct hood_of<T, 2> {
    using type = hood2<T>;
};
template <class T>
struct hood_of<T, 3> {
    using type = hood3<T>;
};

/// What the text of a user function says about its hoods' reach.
struct hood_uses {
    bool literal = true;            ///< every use has integer literals
    bool cross = true;              ///< if so: at most one of them is not 0, and that is 1 or -1
    long low[3] = {}, high[3] = {}; ///< smallest and largest literal of each place; of no use: 0
    std::string unclear;            ///< the first use that has no literals, as it is written
};

/// Reads the uses of hood parameters from a function's text; `ranks`: of each parameter, 0 where it is no hood.
/// Linear in the text: a caller keeps the answer.
SKELRT_API hood_uses scan_hoods(const function_source& f, const int* ranks, std::size_t parameters);

/// The shape of a stencil whose function was scanned. Throws error, with the function's place, where neither text nor
/// `given` say how far it reaches, where a literal lies outside `given`, and where `given` has too many axes or is
/// absurd.
SKELRT_API stencil_shape make_shape(const function_source& f, const hood_uses& uses, const reach& given, int rank,
                                    bool down, border_rule border);

/// The smallest shape that holds both. Throws error if they differ in more than reach.
SKELRT_API void join_shape(stencil_shape& all, const stencil_shape& one);

/// The call sites of one expression type, by shape: kernels are specialised on it. Entries live as long as the process.
class shaped_sites
{
public:
    call_site* find(const stencil_shape& shape) const noexcept
    {
        for (const entry* e = first_.load(std::memory_order_acquire); e; e = e->next)
            if (e->shape == shape) return e->site;
        return nullptr;
    }
    /// Two threads may add the same shape at the same time: one of the sites is then used less.
    call_site& add(const stencil_shape& shape, call_site& site)
    {
        auto* e = new entry{shape, &site, first_.load(std::memory_order_relaxed)};
        while (!first_.compare_exchange_weak(e->next, e, std::memory_order_release)) {}
        return site;
    }

private:
    struct entry {
        stencil_shape shape;
        call_site* site;
        entry* next;
    };
    std::atomic<entry*> first_{nullptr};
};

/// How an iteration goes on: `c` is one step, whose operand number 0 is the grid.
struct iteration {
    std::size_t times = 0;
    bool red_black = false;   ///< every step in two halves, one color each
    storage* spare = nullptr; ///< may be overwritten: the grid itself, if its container gets the result
    std::size_t first = 0;    ///< steps that were made before: each draws random numbers of its own
};

/// The grid after the steps; asynchronous. The shape of the grid is c.rows x c.cols. Several steps may be done in one
/// pass over the data. Throws as execute() does.
SKELRT_API storage_ref iterate(const call& c, const iteration& how);

} // namespace skelrt::detail
