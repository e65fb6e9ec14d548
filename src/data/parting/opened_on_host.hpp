// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/storage.hpp>

namespace skelrt::detail
{

/// A container in the host's memory while this lives: what open_on_host() shows; or this rank's part, as part of what
/// all ranks do.
class opened_on_host
{
public:
    opened_on_host(storage& s, access how, int seen_by = own_part, const caller& where = {})
        : s_(s), how_(how),
          hold_(seen_by == own_part ? host_hold{s.data, acquire(s, how, where)} : open_on_host(s, how, where, seen_by))
    {
    }
    ~opened_on_host() { close_on_host(s_, how_, hold_); }
    opened_on_host(const opened_on_host&) = delete;
    opened_on_host& operator=(const opened_on_host&) = delete;
    std::byte* data() const noexcept { return hold_.data; }

private:
    storage& s_;
    const access how_;
    const host_hold hold_;
};

} // namespace skelrt::detail
