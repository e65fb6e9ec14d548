// SPDX-License-Identifier: BSD-3-Clause
#include "src/trace/timeline.hpp"

#include "src/trace/last_words.hpp"
#include "src/trace/trace_file.hpp"
#include "src/trace/trace_memory.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

namespace skelrt::detail
{

namespace
{

/// Never destroyed: threads may record while the process ends.
struct recorder {
    explicit recorder(std::size_t bytes) : memory(bytes) {}
    trace_memory memory;
    std::mutex guard; ///< of what follows
    trace_header header;
};

std::atomic<recorder*> all{nullptr};
std::atomic<std::uint64_t> first_call{0}; ///< before those of this runtime

/// The calling thread's. Trivial, so that it is found without a guard.
struct own_state {
    trace_memory::block* block = nullptr;
    std::uint32_t number = 0; ///< 0: the recorder does not know the thread
};
[[gnu::tls_model("initial-exec")]] constinit thread_local own_state mine;

/// Gives the block back when its thread ends.
struct block_keeper {
    ~block_keeper()
    {
        if (recorder* const r = all.load(std::memory_order_acquire); r && mine.block) r->memory.give(*mine.block);
        mine.block = nullptr;
    }
};

void introduce_thread(recorder& r) noexcept
{
    thread_local block_keeper keeper;
    static_cast<void>(keeper);
    const std::lock_guard lock(r.guard);
    try {
        const bool is_main = gettid() == getpid();
        r.header.threads.push_back(is_main ? "main thread" : fmt::format("thread {}", r.header.threads.size() + 1));
        mine.number = static_cast<std::uint32_t>(r.header.threads.size());
    } catch (...) { // without a name it has no row either: what it records is lost
    }
}

/// Null: there is none to be had.
trace_memory::block* own_block() noexcept
{
    if (mine.block && !mine.block->is_full()) return mine.block;
    recorder& r = *all.load(std::memory_order_acquire);
    if (mine.number == 0) introduce_thread(r);
    if (mine.number == 0) return nullptr;
    if (mine.block) r.memory.give(*mine.block);
    mine.block = r.memory.take(mine.number - 1);
    return mine.block;
}

void forget_row() noexcept
{
    if (own_short_row.untimed > 0 && mine.block && !mine.block->is_empty())
        mine.block->extend(mine.block->newest_end_ns(), own_short_row.untimed);
    own_short_row = {};
}

void add(trace_record r) noexcept
{
    if (r.call > 0) r.call += first_call.load(std::memory_order_relaxed);
    if (trace_memory::block* const b = own_block()) b->add(r);
    else all.load(std::memory_order_acquire)->memory.note_lost();
}

constexpr std::uint64_t short_ns = 10000; ///< calls of this length are seen one by one

bool is_like_newest(const trace_record& r) noexcept
{
    if (!mine.block || mine.block->is_empty() || own_short_row.name != r.name || r.end_ns - r.begin_ns > short_ns)
        return false;
    const trace_record& last = mine.block->newest();
    if (last.what != r.what || last.name != r.name || last.rows != r.rows || last.cols != r.cols || last.by != r.by ||
        last.begin_ns > r.begin_ns)
        return false;
    constexpr std::uint64_t pause_ns = 1000; // longer ones are shown
    const std::uint64_t untimed_ns = 4 * own_short_row.untimed * (r.end_ns - r.begin_ns);
    return r.begin_ns - std::min(r.begin_ns, mine.block->newest_end_ns()) <= pause_ns + untimed_ns;
}

std::string path_of(const trace_setting& s)
{
    if (s.ranks == 1) return s.file;
    const std::size_t slash = s.file.find_last_of('/'), dot = s.file.find_last_of('.');
    const std::size_t end =
        dot == std::string::npos || (slash != std::string::npos && dot < slash) ? s.file.size() : dot;
    return fmt::format("{}.{}{}", s.file.substr(0, end), s.rank, s.file.substr(end));
}

std::string program_name()
{
    char path[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path);
    const std::string all_of_it(path, n > 0 ? static_cast<std::size_t>(n) : 0);
    return all_of_it.substr(all_of_it.find_last_of('/') + 1);
}

std::string host_name()
{
    char name[256] = "";
    return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

/// Empty: it can be written.
std::string problem_of(const std::string& path)
{
    std::FILE* const f = std::fopen(path.c_str(), "ae");
    if (!f)
        return fmt::format("SKELRT_TRACE: {} cannot be written: {}; name a file in a folder that you may write to",
                           path, std::strerror(errno));
    std::fclose(f);
    return {};
}

/// Empty: it is written.
std::string write_file(recorder& r)
{
    trace_header h;
    {
        const std::lock_guard lock(r.guard);
        h = r.header;
    }
    h.lost = r.memory.lost();
    const std::string path = path_of(h.setting);
    std::FILE* const f = std::fopen(path.c_str(), "we");
    if (!f) return fmt::format("SKELRT_TRACE: {} cannot be written: {}", path, std::strerror(errno));
    const bool written = write_trace(f, h, r.memory.all());
    const bool closed = std::fclose(f) == 0;
    return written && closed ? "" : fmt::format("SKELRT_TRACE: {} is not complete: {}", path, std::strerror(errno));
}

std::string stop_and_write() noexcept
{
    if (!stop_observing(observer::timeline)) return {};
    try {
        return write_file(*all.load(std::memory_order_acquire));
    } catch (const std::exception& e) {
        return e.what();
    }
}

void write_at_end() noexcept
{
    const std::string problem = stop_and_write();
    if (!problem.empty()) std::fprintf(stderr, "skelrt: error: %s\n", problem.c_str());
}

} // namespace

void prepare_recording() noexcept { find_free_signals(); }

std::string begin_recording(const trace_setting& s)
{
    end_recording(); // a runtime that could not start has left it on
    if (std::string problem = problem_of(path_of(s)); !problem.empty()) return problem;
    recorder* r = all.load(std::memory_order_acquire);
    if (!r) {
        r = new recorder(s.megabytes << 20);
        all.store(r, std::memory_order_release);
    }
    {
        const std::lock_guard lock(r->guard);
        const bool goes_on = r->header.setting.file == s.file && r->header.setting.rank == s.rank;
        r->header.setting = s;
        r->header.program = program_name();
        r->header.host = host_name();
        if (!goes_on) {
            r->header.began_ns = trace_now_ns();
            const auto now = std::chrono::system_clock::now().time_since_epoch();
            r->header.began_unix_us = std::chrono::duration<double, std::micro>(now).count();
        }
    }
    constexpr unsigned bits_of_calls = 40;
    first_call = (s.runtime - 1) << bits_of_calls;
    watch_endings(&write_at_end);
    observe(observer::timeline);
    return {};
}

std::string end_recording() noexcept
{
    if (!tracing()) return {};
    forget_row();
    const std::string problem = stop_and_write();
    ignore_endings();
    return problem;
}

void record(const trace_record& r) noexcept
{
    forget_row();
    add(r);
}

void record_short_call(const trace_record& r) noexcept
{
    constexpr std::uint64_t look_ns = 20000; // so often a row of calls looks at the clock
    constexpr std::uint64_t most_untimed = 128;
    if (!is_like_newest(r)) {
        record(r);
        own_short_row = {r.name, r.rows, r.cols, 0, 0};
        return;
    }
    mine.block->extend(r.end_ns, 1 + own_short_row.untimed);
    const std::uint64_t each_ns = std::max<std::uint64_t>(r.end_ns - r.begin_ns, 1);
    own_short_row.untimed = 0;
    own_short_row.untimed_left = static_cast<std::uint32_t>(std::min(look_ns / each_ns, most_untimed));
}

const std::string& kept_name(std::string_view text)
{
    static std::mutex guard;
    static auto& names = *new std::set<std::string, std::less<>>;
    const std::lock_guard lock(guard);
    const auto known = names.find(text);
    return known != names.end() ? *known : *names.emplace(text).first;
}

void record_copy(unsigned from, unsigned to, std::size_t bytes, std::uint64_t begin_ns, bool done) noexcept
{
    static const std::string name = "copy";
    trace_record r;
    r.begin_ns = begin_ns;
    r.end_ns = done ? trace_now_ns() : begin_ns;
    r.name = &name;
    r.what = traced::copy;
    r.bytes = static_cast<float>(bytes);
    r.number = from;
    r.parts = to;
    r.ends_unknown = !done;
    record(r);
}

void traced_time::end() noexcept
{
    if (!tracing()) return;
    trace_record r;
    r.begin_ns = begin_ns_;
    r.end_ns = trace_now_ns();
    r.name = name_;
    r.what = what_;
    r.rows = number_;
    record(r);
}

} // namespace skelrt::detail
