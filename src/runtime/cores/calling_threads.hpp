// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

namespace skelrt::detail
{

/// Threads of a higher floor that make calls: a runtime's end stops them before it lets nobody in.
class calling_threads
{
public:
    /// Whether the calling thread runs something of theirs: the runtime cannot end there.
    virtual bool has_calling_thread() const noexcept = 0;
    /// Returns when all that they had begun has ended, but for what the calling thread is in. False: that took longer,
    /// for some of it waits for the calling thread, maybe.
    virtual bool stop() noexcept = 0;

    /// Null: there are none. Never destroyed.
    static std::atomic<calling_threads*> all;

protected:
    ~calling_threads() = default;
};

} // namespace skelrt::detail
