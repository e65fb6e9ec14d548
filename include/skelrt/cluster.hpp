// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/api.hpp"
#include "detail/caller.hpp"

#include <cstddef>
#include <type_traits>

/// A program on several nodes of a cluster: `mpirun -n 4 ./app` starts four ranks, which make the same calls on whole
/// containers; each holds a part of them and does its share. docs/cluster.md says how to write such programs.
namespace skelrt
{

/// This process among those of the program: 0 to ranks() - 1; 0 for one that runs alone. May be asked at any time, also
/// before a runtime lives. Throws error where the environment makes no sense.
SKELRT_API int rank();
/// How many processes run this program; 1: this one alone.
SKELRT_API int ranks();

namespace detail
{
SKELRT_API void agree_on(void* value, std::size_t bytes, int rank, caller where);
}

/// That rank's value, on all ranks: for clocks, random seeds, and files that only one rank reads. All ranks call it;
/// each waits for the value. Throws error if the ranks' calls have parted, and for a rank that is not there.
template <class T>
    requires std::is_trivially_copyable_v<T> T agree(T value, int rank = 0,
                                                     detail::caller where = detail::caller::here())
    {
        detail::agree_on(&value, sizeof value, rank, where);
        return value;
    }

/// Returns when all calls of all ranks are done. All ranks call it.
SKELRT_API void barrier(detail::caller where = detail::caller::here());

} // namespace skelrt
