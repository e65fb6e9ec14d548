#include "src/data/habits.hpp"
#include "src/data/host_storage.hpp"
#include "src/data/kept.hpp"
#include "src/data/managed.hpp"
#include "src/runtime/engine.hpp"
#include "src/runtime/flush.hpp"
#include "src/runtime/order.hpp"
#include "src/runtime/waited.hpp"
#include "src/simulation/simulation.hpp"
#include "src/simulation/wait.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <limits>
#include <mutex>
#include <utility>

namespace skelrt::detail
{

namespace
{

std::size_t checked_bytes(std::size_t rows, std::size_t cols, std::size_t element_size)
{
    std::size_t count = 0, bytes = 0;
    if (__builtin_mul_overflow(rows, cols, &count) || __builtin_mul_overflow(count, element_size, &bytes))
        throw error(fmt::format("a container of {} x {} elements of {} bytes is larger than any memory", rows, cols,
                                element_size));
    return bytes;
}

/// Calls in flight hold their operands: a loop that makes new containers faster than tasks finish must not fill the machine.
void wait_while_memory_is_short(std::size_t bytes)
{
    if (bytes_in_use() + bytes <= comfortable_bytes()) return;
    if (engine* e = engine::current(); e && !inside_task()) {
        wait_for_all_tasks(*e);
        reap();
        drop_kept_storages();
    }
}

/// A loop of x = f(x) leaves a container behind with each call, which tasks in flight still read. Fresh memory costs more (pages
/// to clear, to pin, to allocate on devices) than to let the loop be only a few calls ahead. Whether somebody waited.
bool wait_for_earlier_calls(std::size_t bytes)
{
    constexpr std::size_t ahead_bytes = std::size_t{1} << 30, fewest = 4, most = 64, tasks_of_a_policy = 32;
    engine* const e = engine::current();
    if (!e || bytes < worth_keeping || inside_task()) return false;
    const std::size_t calls = std::clamp(ahead_bytes / bytes, fewest, most);
    const auto tasks = static_cast<unsigned>(calls * (e->policy_places() ? tasks_of_a_policy : 1));
    const auto too_many = [&] { return starpu_task_nsubmitted() > static_cast<int>(tasks); };
    // One task may be several calls.
    const auto too_many_calls = [&] { return e->calls_in_flight > static_cast<long>(tasks); };
    if (!too_many() && !too_many_calls()) return false;
    flush(*e);
    if (too_many()) starpu_task_wait_for_n_submitted(tasks);
    for (int left = starpu_task_nsubmitted(); left > 0 && too_many_calls(); --left)
        starpu_task_wait_for_n_submitted(static_cast<unsigned>(left - 1));
    reap();
    return true;
}

[[noreturn]] void throw_view_open(const char* what)
{
    throw error(fmt::format("{}: a host view of this container is open; let it go out of scope first", what));
}

void open_view(storage& s, access how)
{
    if (how == access::read) {
        if (s.writers > 0) throw_view_open("sk::host");
        ++s.readers;
    } else {
        if (s.writers > 0 || s.readers > 0) throw_view_open("sk::host");
        ++s.writers;
    }
}

void close_view(storage& s, access how) noexcept
{
    if (how == access::read) --s.readers;
    else --s.writers;
}

starpu_data_access_mode mode_of(access how)
{
    switch (how) {
    case access::read:
        return STARPU_R;
    case access::write:
        return STARPU_W;
    default:
        return STARPU_RW;
    }
}

/// While it lives, a container's tiles stay as they are, although this thread does not hold the lock.
class watching
{
public:
    explicit watching(managed_state& m) : watched_(m)
    {
        add(1);
        flush(*engine::current()); // this thread will wait for the tiles
    }
    ~watching() { add(-1); }
    watching(const watching&) = delete;
    watching& operator=(const watching&) = delete;

private:
    void add(int n)
    {
        const std::lock_guard lock(engine::current()->submission);
        watched_.watched += n;
    }
    managed_state& watched_;
};

/// Counts the tiles that have not arrived.
struct arrivals {
    std::mutex guard;
    std::condition_variable done;
    std::size_t missing;
};

void on_arrival(void* p)
{
    auto& a = *static_cast<arrivals*>(p);
    if constexpr (simulated) {
        if (--a.missing == 0) ring();
        return;
    }
    std::lock_guard lock(a.guard); // notified under the lock: the waiter's stack holds `a`
    if (--a.missing == 0) a.done.notify_one();
}

/// All tiles are asked for at once, in the order of submission: each travels as soon as its last writer is done.
void acquire_tiles(managed_state& m, access how)
{
    const watching tiles(m);
    if (m.tile_count() == 1) {
        starpu_data_acquire_on_node(m.tiles[0], STARPU_MAIN_RAM, mode_of(how));
    } else {
        arrivals a{{}, {}, m.tile_count()};
        for (starpu_data_handle_t h : m.tiles)
            starpu_data_acquire_on_node_cb(h, STARPU_MAIN_RAM, mode_of(how), &on_arrival, &a);
        if constexpr (simulated) wait_until([&] { return a.missing == 0; });
        std::unique_lock lock(a.guard);
        a.done.wait(lock, [&] { return a.missing == 0; });
    }
    const std::lock_guard lock(engine::current()->submission); // released before `tiles` takes it again
    const node_mask home = node_mask{1} << STARPU_MAIN_RAM;
    if (how != access::write && m.producer != m.nobody) note_home(m.producer, true);
    if (m.run.calls > 0 && m.run.free) note_run(m.run.first, m.run.calls);
    m.producer = m.nobody;
    m.run = {m.nobody, 0};
    for (node_mask& v : m.valid) v = how == access::read ? v | home : home;
    if (how != access::read) {
        ++m.version;
        m.moves = {};
    }
    ++m.acquired;
}

/// The calling thread's part of an access ends; at the runtime's end the rest has been done already.
void end_access(managed_state& m) noexcept
{
    std::lock_guard lock(engine::current()->submission);
    if (m.acquired == 0) return;
    release_tiles(m);
    --m.acquired;
}

} // namespace

void release_tiles(managed_state& m) noexcept
{
    for (starpu_data_handle_t h : m.tiles) starpu_data_release_on_node(h, STARPU_MAIN_RAM);
}

storage* create_storage(std::size_t rows, std::size_t cols, std::uint32_t element_size)
{
    const std::size_t bytes = checked_bytes(rows, cols, element_size);
    reap();
    wait_while_memory_is_short(bytes);
    auto* s = new host_storage;
    s->rows = rows;
    s->cols = cols;
    s->element_size = element_size;
    if (bytes == 0) return s;
    try {
        s->memory = allocate_block(bytes);
    } catch (...) {
        delete s;
        throw;
    }
    s->data = static_cast<std::byte*>(s->memory.data);
    return s;
}

storage* create_result(std::size_t rows, std::size_t cols, std::uint32_t element_size, bool whole_rows)
{
    reap();
    if (storage* s = take_kept_storage(rows, cols, element_size, whole_rows)) return s;
    if (wait_for_earlier_calls(checked_bytes(rows, cols, element_size)))
        if (storage* s = take_kept_storage(rows, cols, element_size, whole_rows)) return s;
    storage* s = create_storage(rows, cols, element_size);
    s->whole_rows = whole_rows;
    return s;
}

storage_ref create_like(const storage& s)
{
    storage_ref made(s.wanted_tiles == 0 ? create_result(s.rows, s.cols, s.element_size, s.whole_rows)
                                         : create_storage(s.rows, s.cols, s.element_size));
    made->inner = s.inner;
    made->whole_rows = s.whole_rows;
    made->wanted_tiles = s.wanted_tiles;
    return made;
}

storage* borrow_storage(void* data, std::size_t rows, std::size_t cols, std::uint32_t element_size)
{
    const std::size_t bytes = checked_bytes(rows, cols, element_size);
    if (!data && bytes > 0) throw error(fmt::format("sk::borrow: null pointer for {} elements", rows * cols));
    auto* s = new host_storage;
    s->rows = rows;
    s->cols = cols;
    s->element_size = element_size;
    s->data = static_cast<std::byte*>(data);
    s->borrowed = true;
    return s;
}

namespace
{

/// The extents behind the first, multiplied.
std::size_t checked_columns(std::span<const std::size_t> extents)
{
    std::size_t cols = 1;
    for (const std::size_t e : extents.subspan(1))
        if (__builtin_mul_overflow(cols, e, &cols))
            throw error(fmt::format("a tensor of {} elements is larger than any memory", fmt::join(extents, " x ")));
    return cols;
}

storage* as_tensor(storage* s, std::span<const std::size_t> extents)
{
    std::copy(extents.begin() + 1, extents.end(), s->inner.begin());
    s->whole_rows = true;
    return s;
}

} // namespace

storage* create_tensor(std::span<const std::size_t> extents, std::uint32_t element_size)
{
    return as_tensor(create_storage(extents[0], checked_columns(extents), element_size), extents);
}

storage* borrow_tensor(void* data, std::span<const std::size_t> extents, std::uint32_t element_size)
{
    return as_tensor(borrow_storage(data, extents[0], checked_columns(extents), element_size), extents);
}

storage* clone_storage(storage& from)
{
    storage* s = create_storage(from.rows, from.cols, from.element_size);
    s->inner = from.inner;
    s->whole_rows = from.whole_rows;
    if (s->count() == 0) return s;
    if (from.managed.load(std::memory_order_acquire) && !inside_task()) {
        try {
            copy_managed(from, *s);
        } catch (...) {
            destroy_storage(s);
            throw;
        }
    } else {
        std::memcpy(s->data, from.data, from.count() * from.element_size);
        host_part(*s).left_fault = host_part(from).left_fault;
    }
    return s;
}

void destroy_storage(storage* s) noexcept
{
    // A worker may not unregister; it leaves that to the library's next call.
    if (s->managed.load(std::memory_order_acquire) && inside_task()) {
        bury(s);
        return;
    }
    if (keep_storage(s)) return;
    destroy_now(s);
}

void destroy_now(storage* s) noexcept
{
    discard_managed(*s);
    host_storage& h = host_part(*s);
    if (h.borrowed) unpin_storage(*s);
    else free_block(h.memory);
    delete &h;
}

void pin_storage(storage& s) noexcept
{
    host_storage& h = host_part(s);
    if (!s.borrowed) {
        pin_block(h.memory);
    } else if (!h.borrowed_pinned && s.count() * s.element_size >= 4096) {
        h.borrowed_pinned = starpu_memory_pin(s.data, s.count() * s.element_size) == 0;
    }
}

void unpin_storage(storage& s) noexcept
{
    host_storage& h = host_part(s);
    unpin_block(h.memory);
    if (h.borrowed_pinned) starpu_memory_unpin(s.data, s.count() * s.element_size);
    h.borrowed_pinned = false;
}

void keep_fault(storage& s, const std::exception_ptr& what) noexcept { host_part(s).left_fault = what; }

void fill_storage(storage& s, const void* element)
{
    const std::size_t n = s.count(), size = s.element_size, bytes = n * size;
    if (n == 0) return;
    const auto fill = [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) std::memcpy(s.data + i * size, element, size);
    };
    // Doubling copies move large blocks whatever the element's size: first a piece, then the piece over and over.
    const std::size_t piece = std::max<std::size_t>(1, std::size_t{32768} / size);
    fill(0, std::min(n, piece));
    const std::size_t piece_bytes = piece * size;
    if (bytes <= piece_bytes) return;
    const std::size_t pieces = (bytes + piece_bytes - 1) / piece_bytes;
    static constexpr char begin = 0, end = 0; // not what the region is told: that is to be ordered, too
    comes_before(&begin);
#pragma omp parallel if (bytes > (std::size_t{4} << 20))
    {
        comes_after(&begin);
#pragma omp for schedule(static)
        for (std::size_t p = 1; p < pieces; ++p)
            std::memcpy(s.data + p * piece_bytes, s.data, std::min(piece_bytes, bytes - p * piece_bytes));
        comes_before(&end);
    }
    comes_after(&end);
}

void set_tiles(storage& s, std::size_t tiles)
{
    if (tiles == 0) throw error("set_tiles(0): a container has at least one tile");
    if (s.managed.load(std::memory_order_acquire))
        throw error(
            fmt::format("set_tiles({}): tasks already use this container with {} tiles; set the number right after "
                        "construction",
                        tiles, s.managed.load()->tile_count()));
    s.wanted_tiles =
        static_cast<std::uint32_t>(std::min<std::size_t>(tiles, std::numeric_limits<std::uint32_t>::max()));
}

namespace
{

/// Throws the error of the call that should have written the data.
void acquire_managed(managed_state& m, access how)
{
    engine& e = require_engine("sk::host");
    {
        std::lock_guard lock(e.submission);
        if (how == access::write) heal(m, e.calls_made + 1); // every element is written: what failed before is gone
    }
    acquire_tiles(m, how);
    note_wait(e, m.owner);
    if (std::exception_ptr what = find_fault(m, UINT64_MAX)) {
        end_access(m);
        std::rethrow_exception(what);
    }
}

} // namespace

std::exception_ptr take_left_fault(storage& s) noexcept { return std::exchange(host_part(s).left_fault, nullptr); }

namespace
{

/// Only calls that a user's thread made itself have seen it.
void acquire_unmanaged(storage& s, access how)
{
    if (engine* const e = engine::current()) note_wait(*e, &s);
    if (how == access::write) take_left_fault(s);
    else if (host_part(s).left_fault) std::rethrow_exception(host_part(s).left_fault);
}

} // namespace

managed_state* acquire(storage& s, access how)
{
    open_view(s, how);
    managed_state* const m = s.managed.load(std::memory_order_acquire);
    try {
        if (m) acquire_managed(*m, how);
        else acquire_unmanaged(s, how);
    } catch (...) {
        close_view(s, how);
        throw;
    }
    return m;
}

void release(storage& s, access how, managed_state* acquired) noexcept
{
    // Not managed then: nothing to release now. Not managed any more: the runtime's end has released it.
    if (acquired && s.managed.load(std::memory_order_acquire) == acquired) end_access(*acquired);
    close_view(s, how);
}

void part_with(storage& s) noexcept
{
    if (!engine::current() || inside_task()) return;
    managed_state* const m = s.managed.load(std::memory_order_acquire);
    if (m && s.borrowed) {
        // Calls may still read it. Who has a view open keeps the memory, too, and would be waited for in vain.
        const bool viewed = s.readers > 0 || s.writers > 0;
        acquire_tiles(*m, viewed ? access::read : access::read_write);
        end_access(*m);
        if (!viewed) unpin_storage(s);
    }
    reap();
}

namespace
{

void wait_for_tiles(managed_state& m)
{
    const watching tiles(m);
    for (starpu_data_handle_t h : m.tiles) {
        starpu_data_acquire_on_node(h, STARPU_ACQUIRE_NO_NODE, STARPU_R);
        starpu_data_release_on_node(h, STARPU_ACQUIRE_NO_NODE);
    }
}

} // namespace

void wait_for(storage& s)
{
    managed_state* m = s.managed.load(std::memory_order_acquire);
    if (!m) return acquire_unmanaged(s, access::read);
    engine& e = require_engine("sk::wait");
    std::vector<std::shared_ptr<const progress>> writers;
    bool copied_into = false;
    {
        std::lock_guard lock(e.submission);
        writers = m->writers;
        copied_into = m->copied_into;
    }
    flush(e);
    for (const auto& w : writers) w->wait();
    if (copied_into) wait_for_tiles(*m);
    note_wait(e, &s);
    if (std::exception_ptr what = find_fault(*m, UINT64_MAX)) std::rethrow_exception(what);
}

} // namespace skelrt::detail
