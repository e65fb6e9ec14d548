// SPDX-License-Identifier: BSD-3-Clause
#include "src/trace/trace_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>

namespace skelrt::detail
{

namespace
{

/// Bytes of the UTF-8 sequence at the text's begin; 0: it is none.
std::size_t utf8_length(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t length = byte(0) < 0x80 ? 1 : byte(0) >= 0xf0 && byte(0) < 0xf5 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
    if (length == 1) return 1;
    if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    // Longer than need be, half of a pair, or beyond Unicode.
    const bool odd = (byte(0) == 0xe0 && byte(1) < 0xa0) || (byte(0) == 0xed && byte(1) > 0x9f) ||
                     (byte(0) == 0xf0 && byte(1) < 0x90) || (byte(0) == 0xf4 && byte(1) > 0x8f);
    return odd ? 0 : length;
}

/// Rows of the file: threads first, then the team, StarPU's workers, copies. What overlaps gets rows of its own.
struct rows {
    static constexpr int team = 10000, worker = 10100, copies = 50000, rooms = 16;
    static int of_thread(std::uint32_t thread) { return static_cast<int>(thread) + 1; }
    static int of_worker(int w) { return worker + w * rooms; }
    static int of_copies(std::uint32_t memory, bool in)
    {
        return copies + static_cast<int>(memory) * 2 * rooms + (in ? 0 : rooms);
    }
};

using entry = trace_memory::entry;

bool has_own_row(const entry& e) { return e.what.what != traced::copy && e.what.row == trace_record::own_thread; }

int row_of(const entry& e)
{
    const trace_record& r = e.what;
    if (r.what == traced::copy)
        return r.number == 0 ? rows::of_copies(r.parts, true) : rows::of_copies(r.number, false);
    if (r.row == trace_record::own_thread) return rows::of_thread(e.thread);
    return r.row == trace_record::team ? rows::team : rows::of_worker(r.row);
}

const char* text_of(traced what)
{
    constexpr std::array names{"call", "task", "copy", "item", "wait"};
    return names[static_cast<std::size_t>(what)];
}

const std::string& name_in(const std::vector<std::string>& names, std::size_t number)
{
    static const std::string unknown = "?";
    return number < names.size() ? names[number] : unknown;
}

class trace_text
{
public:
    trace_text(std::FILE* to, const trace_header& h) : to_(to), header_(h) {}

    bool write(std::vector<entry> entries)
    {
        std::erase_if(entries, [&](const entry& e) { return e.what.begin_ns < header_.began_ns || !e.what.name; });
        std::ranges::stable_sort(entries, [](const entry& a, const entry& b) {
            if (a.what.begin_ns != b.what.begin_ns) return a.what.begin_ns < b.what.begin_ns;
            return a.what.end_ns > b.what.end_ns; // what is around comes first
        });
        write_head();
        find_calls(entries);
        for (const entry& e : entries) write_entry(e);
        for (const auto& [row, name] : names_) write_name(row, name);
        put("\n]}\n");
        return good_;
    }

private:
    void put(const std::string& text) { good_ = good_ && std::fwrite(text.data(), 1, text.size(), to_) == text.size(); }

    template <class... Args>
    void event(fmt::format_string<Args...> format, Args&&... args)
    {
        put(fmt::format("{}{{\"pid\":{},", std::exchange(any_, true) ? ",\n" : "\n", header_.setting.rank) +
            fmt::format(format, std::forward<Args>(args)...) + "}");
    }

    void write_head()
    {
        const trace_setting& s = header_.setting;
        put(fmt::format("{{\"displayTimeUnit\":\"ns\",\n\"otherData\":{{\"skelrt_trace\":1,\"program\":{},\"host\":{},"
                        "\"rank\":{},\"ranks\":{},\"began_unix_us\":{:.1f},\"lost_records\":{},\"megabytes\":{}}},\n"
                        "\"traceEvents\":[",
                        json_text(header_.program), json_text(header_.host), s.rank, s.ranks, header_.began_unix_us,
                        header_.lost, s.megabytes));
        const std::string title = s.ranks == 1 ? header_.program : fmt::format("rank {}: {}", s.rank, header_.program);
        event("\"ph\":\"M\",\"name\":\"process_name\",\"args\":{{\"name\":{}}}", json_text(title));
        event("\"ph\":\"M\",\"name\":\"process_sort_index\",\"args\":{{\"sort_index\":{}}}", s.rank);
    }

    void write_name(int row, const std::string& name)
    {
        const char* const kind = row < rows::team ? "thread" : row < rows::copies ? "device" : "copies";
        event("\"tid\":{},\"ph\":\"M\",\"name\":\"thread_name\",\"args\":{{\"name\":{},\"kind\":\"{}\"}}", row,
              json_text(name), kind);
        event("\"tid\":{},\"ph\":\"M\",\"name\":\"thread_sort_index\",\"args\":{{\"sort_index\":{}}}", row, row);
    }

    std::string us(std::uint64_t ns) const
    {
        const std::uint64_t since = ns - std::min(ns, header_.began_ns);
        return fmt::format("{}.{:03}", since / 1000, since % 1000);
    }
    static std::string span_us(std::uint64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

    /// Where arrows to tasks begin.
    void find_calls(const std::vector<entry>& entries)
    {
        for (const entry& e : entries)
            if (e.what.what == traced::call && e.what.call > 0) calls_.try_emplace(e.what.call, &e);
    }

    void write_entry(const entry& e)
    {
        const trace_record& r = e.what;
        const int row = free_row(e);
        const std::uint64_t end_ns = std::max(r.begin_ns, r.end_ns);
        if (r.ends_unknown)
            event("\"tid\":{},\"ph\":\"i\",\"s\":\"t\",\"cat\":\"{}\",\"name\":{},\"ts\":{},\"args\":{{{}}}", row,
                  text_of(r.what), json_text(title_of(e)), us(r.begin_ns), facts_of(r));
        else
            event("\"tid\":{},\"ph\":\"X\",\"cat\":\"{}\",\"name\":{},\"ts\":{},\"dur\":{},\"args\":{{{}}}", row,
                  text_of(r.what), json_text(title_of(e)), us(r.begin_ns), span_us(end_ns - r.begin_ns), facts_of(r));
        if (r.what == traced::copy) count_copy(r);
        if (r.what == traced::task) write_arrow(r, row);
    }

    /// A device does one thing at a time in each of its rows.
    int free_row(const entry& e)
    {
        const int first = row_of(e);
        int row = first;
        if (!has_own_row(e)) {
            for (; row < first + rows::rooms - 1 && ends_[row] > e.what.begin_ns; ++row) {}
            ends_[row] = std::max(ends_[row], e.what.end_ns);
        }
        const std::string name = row_name(e);
        names_.try_emplace(row, row == first ? name : fmt::format("{} ({})", name, row - first + 1));
        return row;
    }

    std::string row_name(const entry& e) const
    {
        const trace_record& r = e.what;
        const trace_setting& s = header_.setting;
        if (r.what == traced::copy)
            return r.number == 0 ? name_in(s.memories, r.parts) + ": copies in"
                                 : name_in(s.memories, r.number) + ": copies out";
        if (r.row == trace_record::own_thread) return name_in(header_.threads, e.thread);
        return r.row == trace_record::team ? "team of cores" : name_in(s.workers, static_cast<std::size_t>(r.row));
    }

    std::string title_of(const entry& e) const
    {
        const trace_record& r = e.what;
        if (r.what == traced::copy)
            return fmt::format("{} to {}", name_in(header_.setting.memories, r.number),
                               name_in(header_.setting.memories, r.parts));
        return r.what == traced::item ? fmt::format("{}: {}", *r.name, r.rows) : *r.name;
    }

    std::string facts_of(const trace_record& r) const
    {
        switch (r.what) {
        case traced::call:
            return facts_of_call(r);
        case traced::task:
            return fmt::format("\"call\":{},\"task\":{},\"elements\":{}", r.call, r.number, r.cols);
        case traced::copy:
            return fmt::format("\"bytes\":{:.0f}", r.bytes);
        case traced::item:
            return fmt::format("\"item\":{}", r.rows);
        case traced::wait:
            break;
        }
        return {};
    }

    std::string facts_of_call(const trace_record& r) const
    {
        std::string text = fmt::format("\"call\":{},\"line\":{},\"size\":\"{} x {}\",\"elements\":{},\"bytes\":{:.0f},"
                                       "\"device\":{},\"why\":{}",
                                       r.call, json_text(line_of(*r.name)), r.rows, r.cols, r.rows * r.cols, r.bytes,
                                       json_text(device_of(r)), json_text(reason_of(r)));
        if (r.parts > 0) text += fmt::format(",\"tasks\":{}", r.parts);
        if (r.steps > 1) text += fmt::format(",\"steps\":{}", r.steps);
        if (r.planned_us > 0) text += fmt::format(",\"planned_us\":{:.1f}", r.planned_us);
        if (r.times > 1) text += fmt::format(",\"times\":{}", r.times);
        return text;
    }

    /// "map (app.cpp:12)", "sort (sk::less, first at app.cpp:12)" -> "app.cpp:12".
    static std::string_view line_of(std::string_view name)
    {
        const std::size_t begin = name.rfind('('), end = name.rfind(')');
        if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return {};
        const std::string_view inside = name.substr(begin + 1, end - begin - 1);
        return inside.substr(inside.rfind(' ') + 1); // all, if there is none
    }

    std::string share_name(const traced_share& s) const
    {
        return s.device == traced_share::others ? "others" : name_in(header_.setting.targets, s.device);
    }

    std::string device_of(const trace_record& r) const
    {
        switch (r.by) {
        case done_by::undecided:
            return header_.setting.ranks > 1 ? "all ranks" : "none";
        case done_by::caller:
            return "calling thread";
        case done_by::led_cores:
            return "all cores, led by the calling thread";
        case done_by::own_core:
            return "calling thread, on its core";
        case done_by::policy:
            return fmt::format("{} task{} for the policy", r.parts, r.parts == 1 ? "" : "s");
        case done_by::tasks:
        case done_by::batch:
            break;
        }
        std::uint64_t tiles = 0;
        for (const traced_share& s : r.shares) tiles += s.tiles;
        std::string text;
        for (const traced_share& s : r.shares)
            if (s.tasks > 0)
                text += fmt::format("{}{}: {} of {} tiles in {} task{}", text.empty() ? "" : ", ", share_name(s),
                                    s.tiles, tiles, s.tasks, s.tasks == 1 ? "" : "s");
        return r.by == done_by::batch ? text + ", with others" : text;
    }

    std::string reason_of(const trace_record& r) const
    {
        std::string text = r.free ? "free" : "told";
        if (r.before > 0) text += fmt::format("; {} before it in its row", r.before);
        if (r.planned_us > 0) text += fmt::format("; planned {:.1f} us", r.planned_us);
        std::string alone;
        for (const traced_share& s : r.shares)
            if (s.alone_us > 0)
                alone += fmt::format("{}{} {:.1f} us", alone.empty() ? "" : ", ", share_name(s), s.alone_us);
        return alone.empty() ? text : text + "; alone: " + alone;
    }

    void count_copy(const trace_record& r)
    {
        const std::string title = fmt::format("bytes from {} to {}", name_in(header_.setting.memories, r.number),
                                              name_in(header_.setting.memories, r.parts));
        double& sum = copied_[title];
        sum += static_cast<double>(r.bytes);
        event("\"ph\":\"C\",\"name\":{},\"ts\":{},\"args\":{{\"bytes\":{:.0f}}}", json_text(title), us(r.begin_ns),
              sum);
    }

    /// From the call's slice to the task's.
    void write_arrow(const trace_record& task, int row)
    {
        const auto call = calls_.find(task.call);
        if (call == calls_.end()) return; // it has made room
        const entry& from = *call->second;
        const std::uint64_t arrow =
            (static_cast<std::uint64_t>(header_.setting.rank) << 32) + ++arrows_; // of all ranks
        event("\"tid\":{},\"ph\":\"s\",\"cat\":\"call\",\"name\":\"task\",\"id\":{},\"ts\":{}", row_of(from), arrow,
              us(from.what.begin_ns));
        event("\"tid\":{},\"ph\":\"f\",\"bp\":\"e\",\"cat\":\"call\",\"name\":\"task\",\"id\":{},\"ts\":{}", row, arrow,
              us(std::max(task.begin_ns, from.what.begin_ns)));
    }

    std::FILE* to_;
    const trace_header& header_;
    bool good_ = true, any_ = false;
    std::unordered_map<std::uint64_t, const entry*> calls_;
    std::unordered_map<int, std::uint64_t> ends_; ///< of rows
    std::map<int, std::string> names_;            ///< of rows that are there
    std::map<std::string, double> copied_;
    std::uint64_t arrows_ = 0;
};

} // namespace

std::string json_text(std::string_view text)
{
    std::string quoted = "\"";
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const char first = text.front();
        if (length == 0) quoted += '?';
        else if (first == '"' || first == '\\') quoted += {'\\', first};
        else if (static_cast<unsigned char>(first) < 0x20) quoted += fmt::format("\\u{:04x}", first);
        else quoted += text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return quoted += '"';
}

bool write_trace(std::FILE* to, const trace_header& h, std::vector<trace_memory::entry> entries)
{
    return trace_text(to, h).write(std::move(entries));
}

} // namespace skelrt::detail
