// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/caller.hpp"
#include "detail/storage.hpp"
#include "runtime.hpp"
#include "view.hpp"

#include <cstddef>
#include <vector>

namespace skelrt
{

/// What one device has of a container, or of the part of it that this rank holds.
struct residence {
    device kind;
    int number;           ///< as device_info's; the cores, whose memory is the host's, are number 0
    std::size_t tiles;    ///< with a valid copy there
    std::size_t bytes;    ///< of these
    std::size_t arriving; ///< tiles whose copy is on its way
};

namespace detail
{

SKELRT_API void prefetch(const storage_ref& data, const placement& part, device kind, int number, const caller& where);
SKELRT_API void evict(const storage_ref& data, const placement& part, const caller& where);
SKELRT_API std::vector<residence> residences(const storage_ref& data, const placement& part);

template <class X>
concept has_storage = requires(const X& x)
{
    x.storage();
};

/// Of an sk::scalar: its one element.
template <has_storage X>
placement place_in_storage(const X& x)
{
    if constexpr (requires { x.place(); }) return x.place();
    else return {0, 1, 1, 1, 1};
}

} // namespace detail

/// Copies a container, a view or an sk::scalar to a device once the calls made so far are done with it, and before a
/// call there asks for it. Asynchronous; other valid copies stay, and no result depends on it.
///
/// A wish: where a device has no memory for a tile, it does not go there. A view's tiles go as a whole. Over ranks each
/// one says it for what it holds, and sends nothing. O(tiles). Errors (sk::error): no such device, see
/// runtime::devices(); no runtime; a host view that may write is open.
template <detail::has_storage X>
void prefetch(const X& x, device kind, int number = 0, detail::caller where = detail::caller::here())
{
    detail::prefetch(x.storage(), detail::place_in_storage(x), kind, number, where);
}
template <detail::has_storage X>
void prefetch(const X& x, const device_info& to, detail::caller where = detail::caller::here())
{
    detail::prefetch(x.storage(), detail::place_in_storage(x), to.kind, to.number, where);
}

/// Brings a container, a view or an sk::scalar to the host's memory, and gives the memory that it has on other devices
/// back to them, once the calls made so far are done with it. Asynchronous; calls that come later fetch it again.
///
/// A view's tiles go as a whole. Over ranks as sk::prefetch. O(tiles). Errors (sk::error): a host view of it is open;
/// inside a task.
template <detail::has_storage X>
void evict(const X& x, detail::caller where = detail::caller::here())
{
    detail::evict(x.storage(), detail::place_in_storage(x), where);
}

/// Where valid copies of a container, a view or an sk::scalar lie: one entry for each device that has some, or gets
/// some, the host's memory first. Nothing for no elements.
///
///     for (const sk::residence& r : sk::where(x)) std::printf("device %d: %zu bytes\n", r.number, r.bytes);
///
/// Waits for the calls made so far on x, as sk::wait does, unless a host view that may write is open. O(tiles).
/// Errors (sk::error): those of calls that should have written x.
template <detail::has_storage X>
[[nodiscard]] std::vector<residence> where(const X& x)
{
    return detail::residences(x.storage(), detail::place_in_storage(x));
}

} // namespace skelrt
