// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/caller.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

/// What a rank has called: all ranks make the same calls, and where they do not, both sides can say where they parted.
namespace skelrt::detail
{

/// A call, as errors name it. Goes to other ranks as it is.
struct past_call {
    std::uint64_t number = 0; ///< 1, 2, ...; 0: none
    std::uint64_t hash = 0;   ///< of all calls up to this one
    std::uint64_t rows = 0, cols = 0;
    std::int32_t line = 0;
    char name[24] = {};
    char file[36] = {}; ///< its end; copied, for a plug-in that made the call may be closed
};

/// The calls so far as one number, and the last ones as they were. One thread's, but for copy_newest(). Some twenty
/// nanoseconds a call.
class call_history
{
public:
    static constexpr std::size_t kept = 64;
    using ring = std::array<past_call, kept>;

    /// `what` hashes all that must be the same on all ranks.
    void record(std::uint64_t what, const char* name, caller where, std::size_t rows = 0,
                std::size_t cols = 0) noexcept;

    constexpr std::uint64_t calls() const noexcept { return calls_; }
    constexpr std::uint64_t hash() const noexcept { return hash_; }
    /// Call n at n % kept.
    const ring& last() const noexcept { return last_; }
    const past_call& newest() const noexcept { return last_[calls_ % kept]; }
    /// Any thread, while the program makes calls.
    past_call copy_newest() const;

private:
    mutable std::mutex guard_; ///< of record() against copy_newest()
    std::uint64_t calls_ = 0, hash_ = 0;
    ring last_{};
};

/// "call 118, reduce (app.cpp:41) of 1000 elements".
std::string text_of(const past_call& c);

/// How the calls of two ranks differ, for an error. `a` waits for a value from `b`, or `b` for one from `a`.
std::string difference(int rank_a, const call_history::ring& a, int rank_b, const call_history::ring& b);
/// The same where b says no more than how many it made.
std::string difference(int rank_a, const call_history::ring& a, int rank_b, std::uint64_t b_calls);

} // namespace skelrt::detail
