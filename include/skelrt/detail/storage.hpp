// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "api.hpp"
#include "caller.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

/// Containers without their element type. The public containers are thin typed handles on a storage.
namespace skelrt::detail
{

/// What the core adds once a storage is known to StarPU: tiles, handles, replica, errors. Defined in src/data.
struct managed_state;
/// Which rank holds which elements. Defined in src/data/parting.
struct parting;

/// How a host view or a task sees data.
enum class access : std::uint8_t { read, write, read_write };

/// One allocation of rows x cols elements, row-major, contiguous, 64-byte aligned; a vector has one row. Of a container
/// that is dealt out to several ranks it is this rank's part; one process that runs alone has all of it.
///
/// Lifetime: counted references. Containers, views, expressions and calls hold them; the last one to go frees the
/// memory, at once on a user's thread, later from the library's next call when it was a worker. Calls that have ended
/// hold theirs until the library's next call, or until a container that somebody else holds, too, goes: part_with(). A
/// storage outlives the runtime if somebody still refers to it: the runtime's end brings its data home and lets it go.
/// Thread safety: as for a standard container: concurrent readers, or one writer. Counters are atomic.
struct storage {
    std::byte* data = nullptr;
    std::size_t rows = 0, cols = 0;             ///< what this rank holds
    std::size_t shape_rows = 0, shape_cols = 0; ///< the whole container
    std::size_t first = 0;                      ///< number in the whole container of the first element held
    const parting* dealt = nullptr;             ///< null: this rank holds all of it, as every rank does
    std::array<std::size_t, 3> inner{};         ///< a tensor: its extents behind the first (rows)
    std::uint32_t element_size = 0;
    std::uint32_t wanted_tiles = 0; ///< 0: the runtime chooses
    bool borrowed = false;          ///< memory belongs to the user
    bool whole_rows = false;        ///< a matrix: no tile ends within a row, not even where there is only one
    bool checked = false;           ///< host views check their indices: SKELRT_CHECK=bounds
    bool watched = false;           ///< who uses it is remembered: SKELRT_CHECK=races
    std::atomic<std::uint32_t> references{1};
    std::atomic<std::int32_t> readers{0};         ///< open read views
    std::atomic<std::int32_t> writers{0};         ///< open write views
    std::atomic<managed_state*> managed{nullptr}; ///< null: lives in host memory only

    std::size_t count() const noexcept { return rows * cols; }
};

/// Uninitialised memory for a container of this shape, or for the part of it that this rank gets; none for count 0.
/// Throws error on overflow or when memory is out, naming the size.
SKELRT_API storage* create_storage(std::size_t rows, std::size_t cols, std::uint32_t element_size, bool whole_rows);
/// The same for one value, which every rank has.
SKELRT_API storage* create_scalar(std::uint32_t element_size);
/// For the result of a call, which writes every element: may be one that was let go of, its tiles where they were. Then
/// a loop of x = f(x) neither allocates nor waits for who reads the old data.
SKELRT_API storage* create_result(std::size_t rows, std::size_t cols, std::uint32_t element_size, bool whole_rows);
/// The user's own memory; it must outlive the storage and not be touched but through views meanwhile. As long as the
/// whole container, whatever this rank gets of it.
SKELRT_API storage* borrow_storage(void* data, std::size_t rows, std::size_t cols, std::uint32_t element_size,
                                   bool whole_rows);
/// The same for tensors: three or four extents, of which the first is cut.
SKELRT_API storage* create_tensor(std::span<const std::size_t> extents, std::uint32_t element_size);
SKELRT_API storage* borrow_tensor(void* data, std::span<const std::size_t> extents, std::uint32_t element_size);
/// Of a scalar's value.
[[noreturn]] SKELRT_API void throw_moved_from();
/// A deep copy; asynchronous when the data is managed.
SKELRT_API storage* clone_storage(storage& from);
/// The elements of a storage of the same shape, into memory that stays where it is; waits for both.
SKELRT_API void copy_elements(storage& to, storage& from);
/// Those elements that have the same row and column in both, whatever their shapes; of tensors, the same position.
/// Waits for both.
SKELRT_API void copy_common(storage& to, storage& from);
/// `count` elements of `from`, from number `first` on and `stride` apart, to those from `at` on. Waits for both; for
/// where no runtime lives.
SKELRT_API void copy_run(storage& to, std::size_t at, storage& from, std::size_t first, std::size_t stride,
                         std::size_t count);
/// Drops the last reference.
SKELRT_API void destroy_storage(storage* s) noexcept;
/// Fills with copies of one element (all threads for large sizes). The storage must be new.
SKELRT_API void fill_storage(storage& s, const void* element);
/// Sets the number of tiles; an error once a task has used the container.
SKELRT_API void set_tiles(storage& s, std::size_t tiles);
/// Waits until the host may access the data as asked, throws the error of a task that should have written it.
/// Returns what release() wants back: whether StarPU had to be asked, for that may change while the view is open.
SKELRT_API managed_state* acquire(storage& s, access how, const caller& where = {});
SKELRT_API void release(storage& s, access how, managed_state* acquired) noexcept;

/// Who sees what through a host view: one rank the whole container (its number), or
inline constexpr int all_ranks = -1; ///< every rank the whole container
inline constexpr int own_part = -2;  ///< this rank what it holds
/// Elements in host memory, at the caller's disposal.
struct host_hold {
    std::byte* data = nullptr;
    managed_state* acquired = nullptr;
};
/// As acquire(). With several ranks all call it, unless it is for own_part: to read, each sends its part to those who
/// see it; elsewhere there is no data then, and nothing to close.
SKELRT_API host_hold open_on_host(storage& s, access how, const caller& where, int seen_by = all_ranks);
/// What was written is kept by who holds it. Sends nothing.
SKELRT_API void close_on_host(storage& s, access how, const host_hold& h) noexcept;
/// Gives a value that every rank has computed the bits of the first rank, which it then has everywhere.
SKELRT_API void make_equal(void* value, std::size_t bytes);
/// A container goes, or takes other data. Borrowed memory: waits until it holds the data and no call uses it, for its
/// owner may be gone next; errors stay unsaid. Calls that have ended hold nothing any more.
SKELRT_API void part_with(storage& s) noexcept;
struct placement;
/// Waits until no task in flight uses this part of the data; throws the stored error if a writer failed.
SKELRT_API void wait_for(storage& s, const placement& part);

/// Counted reference to a storage.
class storage_ref
{
public:
    storage_ref() = default;
    explicit storage_ref(storage* owned) noexcept : s_(owned) {}
    storage_ref(const storage_ref& o) noexcept : s_(o.s_)
    {
        if (s_) s_->references.fetch_add(1, std::memory_order_relaxed);
    }
    storage_ref(storage_ref&& o) noexcept : s_(std::exchange(o.s_, nullptr)) {}
    storage_ref& operator=(storage_ref o) noexcept
    {
        std::swap(s_, o.s_);
        return *this;
    }
    ~storage_ref()
    {
        if (s_ && s_->references.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy_storage(s_);
    }

    storage* get() const noexcept { return s_; }
    storage* operator->() const noexcept { return s_; }
    storage& operator*() const noexcept { return *s_; }
    explicit operator bool() const noexcept { return s_ != nullptr; }

private:
    storage* s_ = nullptr;
};

/// A container has this data no more, or in a moment; `data` is its reference.
inline void let_go(const storage_ref& data) noexcept
{
    if (data && (data->borrowed || data->watched || data->references.load(std::memory_order_relaxed) > 1))
        part_with(*data);
}

inline bool same_shape(const storage& a, const storage& b) noexcept
{
    return a.shape_rows == b.shape_rows && a.shape_cols == b.shape_cols && a.inner == b.inner &&
           a.element_size == b.element_size;
}

/// What a container holds its storage by. Views and calls that are not evaluated yet refer to the same place, so they
/// see what lies there when they are used: new data of the same shape takes the place of the old for them, too. Tasks
/// refer to the storage itself. Counted like a storage_ref; changing what lies there is for one thread at a time.
class data_ref
{
    struct place {
        storage_ref data;
        std::atomic<std::uint32_t> references{1};
    };

public:
    data_ref() = default;
    data_ref(storage_ref data) : at_(data ? new place{std::move(data)} : nullptr) {}
    explicit data_ref(storage* owned) : data_ref(storage_ref(owned)) {}
    data_ref(const data_ref& o) noexcept : at_(o.at_)
    {
        if (at_) at_->references.fetch_add(1, std::memory_order_relaxed);
    }
    data_ref(data_ref&& o) noexcept : at_(std::exchange(o.at_, nullptr)) {}
    data_ref& operator=(data_ref o) noexcept
    {
        std::swap(at_, o.at_);
        return *this;
    }
    ~data_ref()
    {
        if (at_ && at_->references.fetch_sub(1, std::memory_order_acq_rel) == 1) drop(at_);
    }

    storage* get() const noexcept { return at_ ? at_->data.get() : nullptr; }
    storage* operator->() const noexcept { return at_->data.get(); }
    storage& operator*() const noexcept { return *at_->data; }
    explicit operator bool() const noexcept { return get() != nullptr; }
    /// What lies there now.
    operator storage_ref() const noexcept { return at_ ? at_->data : storage_ref(); }

    /// Whether views or calls refer to it, too.
    bool is_shared() const noexcept { return at_ && at_->references.load(std::memory_order_acquire) > 1; }

    /// New data instead of the old. Of another shape, it is not what views and calls know: these keep the old.
    void put(storage_ref fresh)
    {
        if (fresh.get() == get()) return;
        const storage_ref old = *this;
        if (is_shared() && !(old && fresh && same_shape(*old, *fresh))) *this = data_ref(std::move(fresh));
        else inside() = std::move(fresh);
        detail::let_go(old);
    }
    /// The container is about to end. What others refer to by this place they keep; only of borrowed memory the owner
    /// may be gone next.
    void let_go() const noexcept
    {
        if (at_ && at_->data && (!is_shared() || at_->data->borrowed)) detail::let_go(at_->data);
    }
    /// No data any more; views and calls keep what there is.
    void clear() noexcept
    {
        let_go();
        *this = data_ref();
    }
    /// For what is replaced whatever its shape: scalars.
    storage_ref& inside()
    {
        if (!at_) at_ = new place;
        return at_->data;
    }
    /// Another container's elements, deep: where views look for them if the shape stays, and in borrowed memory if the
    /// container is on such; asynchronous but for that.
    void copy(const data_ref& from)
    {
        if (from.get() == get()) return;
        if (!from) clear();
        else if (get() && get()->borrowed && same_shape(**this, *from)) copy_elements(**this, *from);
        else put(storage_ref(clone_storage(*from)));
    }
    /// The same with elements that nobody else refers to.
    void take(const data_ref& fresh)
    {
        if (get() && fresh && get()->borrowed && same_shape(**this, *fresh)) copy_elements(**this, *fresh);
        else put(fresh);
    }

private:
    /// Apart, so that each of the many destructors in a program is short.
    [[gnu::noinline]] static void drop(place* last) noexcept { delete last; }

    place* at_ = nullptr;
};

/// The elements of a container in the order of memory as one of other extents, of which there are as many: in the same
/// memory where nobody else refers to it, one process holds all of it, and its tiles end where rows do; else in other
/// memory, or cut anew. One extent: a vector. Throws error, and nothing has changed, for another number of elements.
SKELRT_API storage_ref reshape_storage(const data_ref& from, std::span<const std::size_t> extents,
                                       std::size_t element_size, const caller& where);
/// The size of a vector that gets `added` elements for `erased` ones from number `first` on. Throws error if they are
/// not there, naming the call.
SKELRT_API std::size_t size_after(std::size_t size, std::size_t first, std::size_t erased, std::size_t added,
                                  const char* call, const caller& where);

} // namespace skelrt::detail
