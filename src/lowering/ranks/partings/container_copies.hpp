// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/ranks/messages/transfer.hpp"

#include <skelrt/detail/call.hpp>

#include <vector>

namespace skelrt::detail
{

/// Copies of a call's containers that are dealt out in another way, for the time of the call.
///
/// Lifetime: the transfer outlives it. Thread safety: the program's thread.
class container_copies
{
public:
    /// What a call does with a container.
    struct use {
        bool read = false, written = false;
    };

    explicit container_copies(transfer& messages) : messages_(messages) {}
    container_copies(const container_copies&) = delete;
    container_copies& operator=(const container_copies&) = delete;

    /// The copy, of which this rank holds that part; one for each container, whatever operands show it.
    storage* of(storage& s, const held_part& here, const use& how);
    /// What is read comes.
    void fill();
    /// What is written goes where it belongs.
    void bring_home();

private:
    struct copy {
        storage* original;
        storage_ref there;
        use how;
    };

    transfer& messages_;
    std::vector<copy> all_;
};

/// Of its container; a result of only some leaves the others as they are.
bool has_all_elements(const operand& o);

} // namespace skelrt::detail
