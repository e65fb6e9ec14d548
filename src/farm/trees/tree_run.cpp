// SPDX-License-Identifier: BSD-3-Clause
#include "src/farm/trees/tree_run.hpp"

#include "src/farm/errors.hpp"
#include "src/farm/grain.hpp"
#include "src/farm/pool.hpp"
#include "src/program/as_item_error.hpp"
#include "src/trace/timeline.hpp"

#include <skelrt/item_error.hpp>

#include <fmt/format.h>

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace skelrt::detail
{

namespace
{

using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;

/// "0.2.1": part 1 of part 2 of the root.
std::string name_of(const std::vector<std::uint32_t>& path)
{
    constexpr std::size_t most = 12;
    std::string name = "0";
    for (std::size_t k = 0; k < std::min(path.size(), most); ++k) name += fmt::format(".{}", path[k]);
    return path.size() > most ? fmt::format("{}... at depth {}", name, path.size()) : name;
}

std::vector<std::uint32_t> path_to(const tree_node& node)
{
    std::vector<std::uint32_t> path;
    for (const tree_node* n = &node; n->in; n = n->in->node) path.push_back(n->place);
    std::ranges::reverse(path);
    return path;
}

/// Another part of its frame has ended. True: it was the last one.
bool was_last(tree_frame& frame) noexcept
{
    return frame.open.load(std::memory_order_acquire) == 1 || frame.open.fetch_sub(1) == 1;
}

constexpr std::size_t most_nodes = 1 << 14; ///< before a thread looks whether others want its core

} // namespace

tree_run::tree_run(std::string title, std::shared_ptr<tree_source> source, int priority)
    : started_run(std::move(title), priority), source_(std::move(source)), frame_room_(source_->frame_room()),
      stop_(stop_token()), alone_(item_pool::get().is_sequential()),
      traced_name_(names_items() ? &kept_name(started_run::title()) : nullptr)
{
}

tree_run::~tree_run()
{
    follow_nobody();
    if (!told_errors_ && !errors_.empty()) warn_of(error());
    for (const desk* s = desks_; s;) delete std::exchange(s, s->next);
}

void tree_run::open(tree_begins when)
{
    desk& first = sit_down();
    first.nodes.push(&source_->root());
    leave(first);
    follow_outer(); // from here on it may be cancelled, and has what can be dropped
    if (when == tree_begins::at_once) begin();
}

bool tree_run::can_begin() const noexcept
{
    for (const desk* s = desks_; s; s = s->next)
        if (!s->nodes.is_empty()) return true;
    return false;
}

void tree_run::cancel() noexcept
{
    stopped_ = true;
    request_stop();
    drop_what_nobody_began();
}

/// Who runs nodes drops those that it left, too; in desks where nobody sits it is for whoever cancels, or left them.
void tree_run::drop_what_nobody_began() noexcept
{
    while (can_begin())
        if (tree_node* const node = stolen_from_others(nullptr)) end_node(nullptr, node);
}

std::exception_ptr tree_run::error() noexcept
{
    told_errors_ = true;
    const std::lock_guard lock(guard_);
    if (errors_.empty()) {
        if (source_->root().is_solved) return nullptr;
        return std::make_exception_ptr(cancelled(fmt::format("{}: cancelled", title())));
    }
    std::ranges::stable_sort(errors_, {}, &node_error::path);
    std::vector<std::exception_ptr> all;
    for (const node_error& e : errors_) all.push_back(e.what);
    return as_item_error(fmt::format("{}, node {}", title(), name_of(errors_.front().path)), "node", std::move(all));
}

/// With the exception under way.
void tree_run::note_error(const tree_node& node) noexcept
{
    try {
        throw;
    } catch (const cancelled&) {
        if (stopped_) return; // its own calls were cancelled with it
    } catch (...) {
    }
    {
        const std::lock_guard lock(guard_);
        errors_.push_back({path_to(node), std::current_exception()});
    }
    cancel();
}

/// Null: all are taken.
tree_run::desk* tree_run::take_free_desk() noexcept
{
    const auto take = [](desk& s) { return !s.taken.load(std::memory_order_relaxed) && !s.taken.exchange(true); };
    for (desk* s = desks_; s; s = s->next)
        if (!s->nodes.is_empty() && take(*s)) return s;
    for (desk* s = desks_; s; s = s->next)
        if (take(*s)) return s;
    return nullptr;
}

tree_run::desk& tree_run::sit_down()
{
    if (desk* const s = take_free_desk()) return *s;
    auto* const s = new desk(frame_room_);
    s->next = desks_.load();
    while (!desks_.compare_exchange_weak(s->next, s)) {}
    return *s;
}

void tree_run::leave(desk& mine) noexcept { mine.taken = false; }

bool tree_run::run_next() noexcept
{
    desk& mine = sit_down();
    tree_node* node = next_of(mine);
    const bool any = node;
    const traced_time traced(traced::item, any ? traced_name_ : nullptr, traced_name_ ? traced_turns_++ : 0);
    const auto begun = steady::now();
    while (node && !(node = run_grain(mine, node))) node = look_for_more(mine, begun);
    if (node) mine.nodes.push(node);
    leave(mine);
    if (stopped_) drop_what_nobody_began();
    else if (any && can_begin()) tell_others();
    return any;
}

/// Returns the next node when others may want the core; null if there is none.
tree_node* tree_run::run_grain(desk& mine, tree_node* node) noexcept
{
    const auto begun = steady::now();
    for (std::size_t left = mine.grain; left > 0 || stopped_; --left)
        if (!(node = run_one(mine, *node)) && !(node = next_of(mine))) return nullptr;
    const std::chrono::duration<double, std::micro> took = steady::now() - begun;
    mine.grain = next_grain(mine.grain, took.count(), most_nodes);
    return node;
}

tree_node* tree_run::next_of(desk& mine) noexcept
{
    tree_node* const own = mine.nodes.pop();
    return own ? own : stolen_from_others(&mine);
}

/// `mine`: where not to look, and where to begin; null: everywhere.
tree_node* tree_run::stolen_from_others(const desk* mine) noexcept
{
    desk* const all = desks_;
    for (desk* s = mine ? mine->next : all; s; s = s->next)
        if (tree_node* const node = s->nodes.steal()) return node;
    for (desk* s = all; mine && s != mine; s = s->next)
        if (tree_node* const node = s->nodes.steal()) return node;
    return nullptr;
}

/// For as long as it takes to wake a thread up: then nobody has to, while parts come often.
tree_node* tree_run::look_for_more(desk& mine, steady::time_point begun) noexcept
{
    constexpr auto awake = 50us, longest = 500us;
    if (alone_ || item_pool::get().cores() == 1) return nullptr;
    const auto until = std::min(steady::now() + awake, begun + longest);
    for (; !done() && steady::now() < until; sched_yield())
        if (tree_node* const node = stolen_from_others(&mine)) return node;
    return nullptr;
}

/// Returns its first part, if it was split. The others are left in the deque.
tree_node* tree_run::run_one(desk& mine, tree_node& node) noexcept
{
    tree_frame* frame = nullptr;
    if (!stopped_.load(std::memory_order_relaxed)) {
        try {
            frame = source_->begin(node, mine.frames.next(), stop_);
        } catch (...) {
            note_error(node);
        }
    }
    if (frame) return go_into(mine, *frame);
    end_node(&mine, &node);
    return nullptr;
}

tree_node* tree_run::go_into(desk& mine, tree_frame& frame) noexcept
{
    mine.frames.take();
    frame.home = &mine.frames;
    const std::uint32_t count = frame.count;
    if (count == 0) {
        tree_node* const node = frame.node;
        end_frame(&mine, frame);
        end_node(&mine, node);
        return nullptr;
    }
    frame.open.store(count, std::memory_order_relaxed);
    tree_node* const parts = frame.parts;
    for (std::uint32_t k = count - 1; k > 0; --k) mine.nodes.push(parts + k);
    if (count > 1 && !offered.load(std::memory_order_relaxed)) tell_others();
    return parts;
}

/// Where nobody looks for nodes, somebody shall. (A thread that has just given up may be missed; then the next parts
/// are told of, or these stay with the thread that split them.)
void tree_run::tell_others() noexcept
{
    if (alone_) return;
    item_pool::get().offer(shared_from_this());
    note_change();
}

/// And those around it of which it was the last part.
void tree_run::end_node(desk* mine, tree_node* node) noexcept
{
    while (tree_frame* const frame = node->in) {
        if (!was_last(*frame)) return;
        node = frame->node;
        end_frame(mine, *frame);
    }
    set_done();
}

void tree_run::end_frame(desk* mine, tree_frame& frame) noexcept
{
    const tree_node& node = *frame.node;
    auto& home = *static_cast<frame_memory*>(frame.home);
    try {
        source_->end(frame, stopped_.load(std::memory_order_relaxed) ? tree_ending::dropped : tree_ending::merged);
    } catch (...) {
        note_error(node);
    }
    if (mine && &mine->frames == &home) home.give_back(&frame);
    else home.give_back_from_afar(&frame);
}

} // namespace skelrt::detail
