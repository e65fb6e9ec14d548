// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/runtime/checks.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// SKELRT_CHECK=races: what comes before what, whatever the threads do: an item comes after what its farm was started
/// after, and before what follows a wait for the farm. Thread-safe: all is under one lock.
namespace skelrt::detail
{

/// Whether SKELRT_CHECK asks for it; else there are no strands.
inline bool watches_races()
{
    static const bool watched = wanted_checks().has(check::races);
    return watched;
}

class strand;

/// A place in a strand. Times grow all over the process.
struct moment {
    std::shared_ptr<strand> on; ///< null: nobody knows
    std::uint64_t time = 0;
};

/// What is known of a farm's run, a task or whatever else was started.
struct work_order {
    moment begun;
    std::vector<moment> awaited; ///< when somebody knew that it had ended
};

/// What is done one after the other: an item of a farm, or a thread of the user's.
///
/// Lifetime: as long as somebody remembers what it did, or what it was before; strands that wait for each other stay.
class strand
{
public:
    /// A thread of the user's.
    strand() = default;
    /// An item; `name`: "item 3 of main.cpp:12: farm frames".
    strand(std::shared_ptr<work_order> of, std::string name);

    /// Empty: it is no item.
    const std::string& name() const noexcept { return name_; }

private:
    friend moment now();
    friend bool is_before(const moment& a, const moment& b);
    friend bool have_one_root(const moment& a, const moment& b);
    friend void note_end_known(const std::shared_ptr<strand>& of);
    friend void note_awaited(const std::shared_ptr<work_order>& work);

    struct edge {
        std::uint64_t from;
        moment to;
    };
    static void tell(moment from, const moment& to);
    static bool leads_to(const strand& from, std::uint64_t time, const moment& to);
    static bool is_within(const strand& from, std::uint64_t time, const moment& to);

    const std::shared_ptr<work_order> of_; ///< null: a thread
    const std::string name_;
    std::vector<edge> known_to_; ///< others that know what it did until then
};

/// The calling thread's; its strand is null where nobody knows the order: in trees and pipelines.
moment now();
/// Whether what happened at `a` has been done, or is ordered before, by the time of `b`, as far as b's strand can know.
bool is_before(const moment& a, const moment& b);
/// Of threads of the user's nobody knows how they wait for each other: only what one of them started can be compared.
bool have_one_root(const moment& a, const moment& b);

/// For what is started now; null: nobody asks.
std::shared_ptr<work_order> order_of_new_work();
/// The calling thread knows that it has ended; null is fine.
void note_awaited(const std::shared_ptr<work_order>& work);
/// The calling thread knows that the item has ended; null is fine.
void note_end_known(const std::shared_ptr<strand>& of);

/// What the calling thread does while this lives is the strand's; null: nobody knows.
class in_strand
{
public:
    explicit in_strand(std::shared_ptr<strand> s);
    ~in_strand();
    in_strand(const in_strand&) = delete;
    in_strand& operator=(const in_strand&) = delete;

private:
    std::shared_ptr<strand> outer_;
    bool outer_known_;
};

} // namespace skelrt::detail
