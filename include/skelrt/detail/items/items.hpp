// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../api.hpp"
#include "../caller.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

/// What farms and groups hand to the library: items as an abstract source, and a handle on what was started.
namespace skelrt::detail
{

class group_state;
class started_work;
class token_stages;
struct token_wishes;
class tree_source;

/// Items that may run at the same time. Alive until its run has ended.
class SKELRT_API item_source
{
public:
    item_source() = default;
    virtual ~item_source();
    item_source(const item_source&) = delete;
    item_source& operator=(const item_source&) = delete;

    /// Any thread, several at once. May throw.
    virtual void run(std::size_t item, const std::stop_token& stop) = 0;
    /// The name that the user gave it, or nothing.
    virtual std::string name_of(std::size_t item) const;
    /// Makes the next input ready: in order, one thread at a time. False: there are no more. May throw. Of runs whose
    /// inputs are pulled.
    virtual bool pull(std::size_t item);
    /// Takes a result, in order, on the thread that waits; may throw. False: no more are wanted. Of runs whose results
    /// are taken.
    virtual bool take(std::size_t item);
    /// An item that threw, or did not run: its place is free. Of runs whose results are taken.
    virtual void pass_over(std::size_t item) noexcept;

    // Results on their way to other ranks, of items that have run.

    /// A type among the results' that cannot go to other ranks; empty: all can.
    virtual std::string stays_here() const;
    virtual void write_result(std::size_t item, std::vector<std::byte>& to);
    /// What write_result() wrote on another rank; takes it from the front of `from`.
    virtual void read_result(std::size_t item, std::span<const std::byte>& from);
};

enum class on_error : std::uint8_t { go_on, stop };
/// Which ranks run the items of a farm that all of them start: each some, or each all.
enum class items_of_ranks : std::uint8_t { dealt_out, all };

/// What the user says of a farm.
struct run_wishes {
    std::string name;
    int priority = 0;
    std::size_t window = 0; ///< 0: as many as keep all cores busy
    on_error after_error = on_error::go_on;
    items_of_ranks ranks = items_of_ranks::dealt_out;
    std::function<void(std::size_t done, std::size_t all)> progress;
};

/// How many items there are, and how they come and go.
struct run_shape {
    static constexpr std::size_t unknown = SIZE_MAX;
    std::size_t count = unknown;
    std::size_t ring = 0;  ///< places for inputs and results that are taken in order; 0: nothing is taken
    std::size_t first = 0; ///< its number, for messages
    bool pulls = false;    ///< inputs come one by one
};

/// Whether a farm started here and now deals its items out to several ranks.
SKELRT_API bool deals_out(const run_wishes& wishes);
/// Of farms over several ranks that pass results on: so many inputs are dealt out at a time. All ranks call it.
SKELRT_API std::size_t inputs_at_a_time(const run_wishes& wishes, caller where);

/// When a tree's work begins: some time, or on the thread that waits for it next, which others then help.
enum class tree_begins : std::uint8_t { at_once, when_waited_for };

/// On something that was started: shared, cheap to copy. Dropping it waits for nothing. Thread-safe.
class SKELRT_API run_handle
{
public:
    run_handle() = default; ///< of nothing

    /// Begins to run items. Throws error where there is no runtime, and in functions and tasks, where nothing may wait.
    static run_handle start(const char* what, caller where, std::shared_ptr<item_source> source, run_shape shape,
                            const run_wishes& wishes);
    /// The same, of a pipeline, and of a tree.
    static run_handle start(const char* what, caller where, std::shared_ptr<token_stages> stages,
                            const token_wishes& wishes);
    static run_handle start_tree(const char* what, caller where, std::shared_ptr<tree_source> source,
                                 const run_wishes& wishes, tree_begins when);
    /// Runs items of its own that nobody has begun, then sleeps until all have ended.
    void wait() const;
    /// As wait(); of a task of several ranks, until all know how it ended and what it gave. These call it alike.
    void join() const;
    /// As wait(), and takes results meanwhile. Of items.
    void take_all() const;
    /// Throws what went wrong. Of what has ended.
    void check() const;
    bool done() const noexcept;
    /// Items that have not begun do not, those that run see it by their stop_token.
    void cancel() const noexcept;
    /// Null, or what check() would throw; null while it runs.
    std::exception_ptr error() const;
    std::string name() const;

    /// For the library.
    explicit run_handle(std::shared_ptr<started_work> run) : run_(std::move(run)) {}
    const std::shared_ptr<started_work>& work() const noexcept { return run_; }

private:
    std::shared_ptr<started_work> run_;
};

/// What a run gives.
template <class R>
class run_result
{
public:
    virtual ~run_result() = default;
    virtual R& result() = 0;
};

} // namespace skelrt::detail
