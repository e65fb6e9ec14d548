#pragma once

#include <optional>

/// Which threads are in the library just now. The runtime's end lets no other in and waits for those that are: they may
/// use the runtime for as long as they stay. Some nanoseconds a visit; nothing is shared between threads until the end
/// looks.
namespace skelrt::detail
{

class running;
struct seat;

/// A thread's visit. Visits within visits count as one: what has begun may be finished.
class visit
{
public:
    visit() noexcept;
    ~visit();
    visit(const visit&) = delete;
    visit& operator=(const visit&) = delete;

    /// Null: no runtime lives, or it is about to end.
    running* runtime() const noexcept;
    bool is_within_another() const noexcept;
    /// Ends before its time.
    void leave() noexcept;
    /// Whether StarPU runs this thread, or a user function is under way.
    bool is_of_task() const noexcept;

private:
    seat* seat_; ///< null: it has ended
};

/// For what cannot fail, destructors above all: where the runtime is about to end, waits until it has. Tasks do not: it
/// waits for them.
class patient_visit
{
public:
    patient_visit() noexcept;
    running* runtime() const noexcept { return visit_->runtime(); }

private:
    std::optional<visit> visit_;
};

/// For calls. Throws error when there is no runtime to do them, and where nothing may wait: inside a user function, or
/// a task or callback of StarPU's.
class call_visit
{
public:
    explicit call_visit(const char* what);
    running& runtime() const noexcept { return *runtime_; }

private:
    visit visit_;
    running* runtime_;
};

/// Whether the calling thread is running a task or a StarPU callback, where nothing may wait.
bool inside_task() noexcept;

/// Makes visits known to ends. At a runtime's start.
void prepare_visits() noexcept;
/// Returns when no thread but the calling one is in the library. New ones must find no runtime already.
void wait_for_visitors() noexcept;

/// Whether this process is the child of a fork, with a copy of a runtime whose threads and devices are its parent's.
/// Nothing of the runtime, or of data that it knows, may be touched then.
bool is_forked_from_runtime() noexcept;

/// A runtime of this process uses CUDA or OpenCL, whose drivers are of no use in children of a fork, for good.
void note_driver_use() noexcept;
/// Whether this process is the child of a fork of one that used them.
bool drivers_are_parents() noexcept;

/// The calling thread runs the program's exit handlers, and ends the runtime. Other threads are not to die of what they
/// miss.
void note_exit() noexcept;

} // namespace skelrt::detail
