// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/checks/sample.hpp"

#include "codelets/accumulated.hpp"
#include "codelets/element_memory.hpp"
#include "codelets/index_fault.hpp"
#include "src/function/sides.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

constexpr std::size_t few_rows = 6, few_columns = 8;

/// A rectangle of a segment of the task.
struct part {
    std::size_t segment, row, rows, col, cols;
};

class sampling
{
public:
    explicit sampling(const work& task) : task_(task), what_(task.what)
    {
        s_.width = task.width;
        s_.depth = task.depth;
    }

    sample make()
    {
        if (what_.kind == skeleton::stencil) take_grid();
        else if (what_.kind == skeleton::all_pairs) take_pairs();
        else if (may_join()) take_joined();
        else
            for (const part& p : parts()) take(p);
        s_.operand_bytes = s_.bytes;
        for (std::size_t v = 0; v < s_.views.size(); ++v) place_result(v);
        place_value();
        return std::move(s_);
    }

private:
    std::size_t room(std::size_t bytes)
    {
        const std::size_t at = s_.bytes;
        s_.bytes += rounded_to_elements(bytes);
        return at;
    }

    /// Which elements of the task: of what is folded along lines, some of the first segment; else the first, the last,
    /// and some in between.
    std::vector<part> parts() const
    {
        const segment& first = task_.segments.front();
        switch (what_.kind) {
        case skeleton::reduce_columns:
        case skeleton::scan_columns:
        case skeleton::wavefront:
            return {{0, 0, std::min(first.rows, few_rows), 0, std::min(first.cols, few_columns)}};
        case skeleton::reduce_rows:
        case skeleton::scan_rows:
            return {{0, 0, std::min(first.rows, few_rows), 0, std::min(first.cols, sample_run)}};
        case skeleton::sort:
            return {{0, 0, 1, 0, std::min(first.cols, sample_run)}};
        default:
            break;
        }
        const std::size_t middle = task_.segments.size() / 2, last = task_.segments.size() - 1;
        const auto length = [&](std::size_t s) { return std::min(task_.segments[s].cols, sample_run); };
        std::vector<part> all;
        const auto add = [&](std::size_t s, std::size_t row, std::size_t col) {
            const part p{s, row, 1, col, length(s)};
            const auto same = [&](const part& o) { return o.segment == s && o.row == row && o.col == col; };
            if (std::ranges::none_of(all, same)) all.push_back(p);
        };
        const auto behind = [&](std::size_t s) { return task_.segments[s].cols - length(s); };
        add(0, 0, 0);
        add(middle, task_.segments[middle].rows / 2, behind(middle) / 2);
        add(last, task_.segments[last].rows - 1, behind(last));
        return all;
    }

    void take(const part& p)
    {
        const segment& from = task_.segments[p.segment];
        s_.segments.push_back({p.rows, p.cols, from.row0 + p.row, from.col0 + p.col});
        s_.elements += p.rows * p.cols;
        for (std::size_t k = 0; k < what_.slots.size(); ++k) take_slot(p, k);
    }

    /// Whether elements may lie anywhere: no function asks for its position, and operands follow their elements.
    bool may_join() const
    {
        if (what_.kind != skeleton::map && what_.kind != skeleton::reduce) return false;
        const auto is_position = [](const argument& a) { return a.kind >= argument_kind::index1; };
        for (const function_call& f : what_.calls)
            if (std::ranges::any_of(f.arguments, is_position)) return false;
        return std::ranges::none_of(what_.slots, [](const slot_type& t) {
            return moves(t.kind) && t.kind != slot_kind::element && t.kind != slot_kind::output;
        });
    }

    /// The parts, which are of one row each, as one segment: one launch instead of several.
    void take_joined()
    {
        joined_ = parts();
        std::size_t n = 0;
        for (const part& p : joined_) n += p.cols;
        s_.segments.push_back({1, n, 0, 0});
        s_.elements = n;
        for (std::size_t k = 0; k < what_.slots.size(); ++k) {
            if (!moves(what_.slots[k].kind)) take_slot(joined_[0], k);
            else if (is_written(what_, k)) add_view({nullptr, 0, 1, n, n, 1}, sample::place::memory);
            else join_elements(k, n);
        }
    }

    void join_elements(std::size_t k, std::size_t n)
    {
        const std::size_t size = what_.slots[k].size, begin = room(n * size);
        std::size_t to = begin;
        for (const part& p : joined_) {
            const slot_view& v = task_.slot(p.segment, k);
            const std::size_t from = (p.row * v.ld + p.col * v.stride) * size;
            if (v.stride == 1) add_or_grow({p.segment, k, from, to, p.cols * size, 1, p.cols * size});
            else add({p.segment, k, from, to, size, p.cols, v.stride * size});
            to += p.cols * size;
        }
        note_operand(k, begin, n);
        add_view({nullptr, begin, 1, n, n, 1}, sample::place::memory);
    }

    void take_slot(const part& p, std::size_t k)
    {
        const slot_view& v = task_.slot(p.segment, k);
        switch (what_.slots[k].kind) {
        case slot_kind::element:
        case slot_kind::hood:
        case slot_kind::hood_source:
        case slot_kind::row_element:
        case slot_kind::column_element:
            if (!is_written(what_, k)) return take_elements(p, k, v);
            return add_view({nullptr, 0, p.rows, p.cols, p.cols, 1}, sample::place::memory);
        case slot_kind::output:
            return add_view({nullptr, 0, p.rows, p.cols, p.cols, 1}, sample::place::memory);
        case slot_kind::row_vec:
            return take_lines(p.segment, k, v, p.row * v.ld, v.ld, v.ld == 0 ? 1 : p.rows, true);
        case slot_kind::column_vec:
            return take_lines(p.segment, k, v, p.col * v.stride, v.stride, v.stride == 0 ? 1 : p.cols, false);
        case slot_kind::vec:
            return take_whole(p.segment, k, v, v.cols);
        case slot_kind::mat:
            return take_whole(p.segment, k, v, v.rows == 0 ? 0 : (v.rows - 1) * v.ld + v.cols);
        case slot_kind::scalar:
            return take_whole(p.segment, k, v, 1);
        case slot_kind::accumulator:
            return add_view({nullptr, 0, v.rows, v.cols, v.ld, v.stride}, sample::place::memory);
        case slot_kind::uniform:
        case slot_kind::mapped_hood:
            return add_view(v, sample::place::host);
        }
    }

    void add_view(const slot_view& v, sample::place where)
    {
        s_.views.push_back(v);
        s_.places.push_back(where);
    }

    void note_operand(std::size_t k, std::size_t offset, std::size_t count)
    {
        const slot_type& t = what_.slots[k];
        s_.operands.push_back({offset, count, value_type_of(t)});
    }

    /// Rows of elements; an axis that the operand does not follow has one of them.
    void take_elements(const part& p, std::size_t k, const slot_view& v)
    {
        const std::size_t size = what_.slots[k].size;
        const std::size_t rows = v.ld == 0 ? 1 : p.rows, cols = v.stride == 0 ? 1 : p.cols;
        const std::size_t to = room(rows * cols * size);
        if (v.stride <= 1) {
            const std::size_t from = (p.row * v.ld + p.col * v.stride) * size;
            add({p.segment, k, from, to, cols * size, rows, std::max<std::size_t>(v.ld, cols) * size});
        } else {
            for (std::size_t r = 0; r < rows; ++r)
                add({p.segment, k, ((p.row + r) * v.ld + p.col * v.stride) * size, to + r * cols * size, size, cols,
                     v.stride * size});
        }
        note_operand(k, to, rows * cols);
        slot_view mine{nullptr, to, p.rows, p.cols, v.ld == 0 ? 0 : cols, v.stride == 0 ? std::size_t{0} : 1};
        mine.plane = v.plane;
        add_view(mine, sample::place::memory);
    }

    /// Whole lines that functions see as vectors.
    void take_lines(std::size_t segment, std::size_t k, const slot_view& v, std::size_t from, std::size_t step,
                    std::size_t count, bool rows)
    {
        const std::size_t size = what_.slots[k].size, to = room(count * v.cols * size);
        add({segment, k, from * size, to, v.cols * size, count, std::max(step, v.cols) * size});
        note_operand(k, to, count * v.cols);
        const std::size_t mine = step == 0 ? 0 : v.cols;
        add_view({nullptr, to, v.rows, v.cols, rows ? mine : v.ld, rows ? v.stride : mine}, sample::place::memory);
    }

    /// Once for all segments.
    void take_whole(std::size_t segment, std::size_t k, const slot_view& v, std::size_t elements)
    {
        slot_view mine = v;
        if (s_.segments.size() > 1) mine = s_.views[k];
        else {
            const std::size_t bytes = elements * what_.slots[k].size;
            mine.offset = room(bytes);
            if (bytes > 0) s_.copies.push_back({segment, k, 0, mine.offset, bytes, 1, bytes});
            note_operand(k, mine.offset, elements);
        }
        add_view(mine, sample::place::whole);
    }

    /// A small grid with the border of the large one.
    void take_grid()
    {
        const segment& where = task_.segments[task_.segments.size() / 2];
        const std::size_t s = task_.segments.size() / 2;
        const stencil_shape& shape = what_.stencil;
        const bool volume = shape.rank == 3, matrix = !volume && where.rows > 1;
        const std::size_t row_length = volume ? task_.width.line : where.cols;
        const std::size_t there[3] = {volume ? where.rows : 1, volume ? where.cols / row_length : where.rows,
                                      row_length};
        std::size_t e[3] = {};
        for (int a = 0; a < 3; ++a)
            e[a] = std::min<std::size_t>(there[a], 2 * std::size_t{std::max(shape.before[a], shape.after[a])} + 4);
        const std::size_t rows = volume ? e[0] : e[1], cols = volume ? e[1] * e[2] : e[2];
        s_.width = volume ? index_widths(cols, e[2], cols) : index_widths(cols);
        s_.segments.push_back({rows, cols, 0, 0});
        s_.elements = rows * cols;
        std::copy(e, e + 3, s_.grid);
        const int cut = volume ? 0 : (matrix || task_.matrix) ? 1 : 2;
        const box at{s, e, (there[cut] - e[cut]) / 2, row_length, cut};
        for (std::size_t k = 0; k < what_.slots.size(); ++k)
            if (is_elementwise(what_.slots[k].kind) && !is_written(what_, k)) take_box(at, k);
            else take_slot({s, 0, rows, 0, cols}, k);
    }

    struct box {
        std::size_t segment;
        const std::size_t* extent;
        std::size_t first; ///< line of the segment, on the axis that tiles cut
        std::size_t row_length;
        int cut;
    };

    void take_box(const box& b, std::size_t k)
    {
        const slot_view& v = task_.slot(b.segment, k);
        const std::size_t size = what_.slots[k].size, line = elements_of_line(b) * size;
        const std::size_t lines = b.extent[b.cut], to = room(lines * line);
        for (std::size_t l = 0; l < lines; ++l) copy_line(b, k, b.first + l, to + l * line);
        note_operand(k, to, lines * elements_of_line(b));
        const std::size_t cols = s_.segments[0].cols;
        slot_view mine{nullptr, to, s_.segments[0].rows, cols, cols, 1};
        mine.plane = v.plane;
        add_view(mine, sample::place::memory);
        if (has_surroundings(what_.slots[k].kind)) add_surroundings(b, k, lines, line);
    }

    static std::size_t elements_of_line(const box& b)
    {
        return b.cut == 0 ? b.extent[1] * b.extent[2] : b.cut == 1 ? b.extent[2] : 1;
    }

    void copy_line(const box& b, std::size_t k, std::size_t line, std::size_t to)
    {
        const slot_view& v = task_.slot(b.segment, k);
        const std::size_t size = what_.slots[k].size;
        const std::size_t from = b.cut == 2 ? line * v.stride : line * v.ld;
        const std::size_t rows = b.cut == 0 ? b.extent[1] : 1, cols = b.cut == 2 ? 1 : b.extent[2];
        if (v.stride == 1) {
            add_or_grow({b.segment, k, from * size, to, cols * size, rows, b.row_length * size});
            return;
        }
        for (std::size_t r = 0; r < rows; ++r)
            add({b.segment, k, (from + r * b.row_length * v.stride) * size, to + r * cols * size, size, cols,
                 v.stride * size});
    }

    /// Devices copy rows forwards.
    void add(const sample_copy& c)
    {
        if (!goes_back(c.pitch)) return s_.copies.push_back(c);
        for (std::size_t r = 0; r < c.rows; ++r)
            s_.copies.push_back(
                {c.segment, c.slot, c.from + r * c.pitch, c.to + r * c.row_bytes, c.row_bytes, 1, c.row_bytes});
    }

    /// Lines of one row each that are equally far apart are one copy.
    void add_or_grow(const sample_copy& c)
    {
        if (!s_.copies.empty() && c.rows == 1) {
            sample_copy& last = s_.copies.back();
            const bool next = last.segment == c.segment && last.slot == c.slot && last.row_bytes == c.row_bytes &&
                              c.to == last.to + last.rows * last.row_bytes && !goes_back(c.from - last.from);
            const std::size_t apart = c.from - last.from;
            if (next && (last.rows == 1 ? apart >= c.row_bytes : apart == last.rows * last.pitch)) {
                if (last.rows == 1) last.pitch = apart;
                ++last.rows;
                return;
            }
        }
        s_.copies.push_back(c);
    }

    /// Cyclic: the lines of the other side, as often as it takes; else the small grid ends.
    void add_surroundings(const box& b, std::size_t k, std::size_t lines, std::size_t line)
    {
        hood_view h{};
        h.border_value = task_.hoods.empty() ? nullptr : task_.hoods[hood_number(k)].border_value;
        const stencil_shape& shape = what_.stencil;
        if (shape.border == border_rule::cyclic && !task_.red_black()) {
            const std::size_t before = task_.steps * shape.before[b.cut], after = task_.steps * shape.after[b.cut];
            const std::size_t ld = s_.segments[0].cols;
            h.before = {nullptr, room(before * line), 0, 0, ld, 1};
            h.after = {nullptr, room(after * line), 0, 0, ld, 1};
            for (std::size_t l = 0; l < before; ++l)
                copy_line(b, k, b.first + (lines - before % lines + l) % lines, h.before.offset + l * line);
            for (std::size_t l = 0; l < after; ++l) copy_line(b, k, b.first + l % lines, h.after.offset + l * line);
        }
        s_.hoods.push_back(h);
    }

    std::size_t hood_number(std::size_t slot) const
    {
        std::size_t n = 0;
        for (std::size_t k = 0; k < slot; ++k) n += has_surroundings(what_.slots[k].kind);
        return n;
    }

    /// A few rows of either side, and the first elements of these.
    void take_pairs()
    {
        const segment& where = task_.segments.front();
        const part p{0, 0, std::min(where.rows, few_rows), 0, std::min(where.cols, few_columns)};
        s_.depth = std::min(task_.depth, sample_run);
        s_.segments.push_back({p.rows, p.cols, 0, 0});
        s_.elements = p.rows * p.cols;
        const function_call& zip = what_.calls.back();
        const side_parts left = parts_of(what_, zip.arguments[0]);
        for (std::size_t k = 0; k < what_.slots.size(); ++k) {
            const bool of_left = std::ranges::find(left.slots, k) != left.slots.end();
            const slot_kind kind = what_.slots[k].kind;
            if (kind == slot_kind::row_vec) take_side(k, p.rows, true, 0);
            else if (kind == slot_kind::column_vec)
                take_side(k, of_left ? p.rows : p.cols, false, of_left ? where.row0 : 0);
            else take_slot(p, k);
        }
    }

    void take_side(std::size_t k, std::size_t count, bool rows, std::size_t first)
    {
        const slot_view& v = task_.slot(0, k);
        const std::size_t size = what_.slots[k].size, row_step = rows ? v.ld : v.stride, step = rows ? v.stride : v.ld;
        const std::size_t to = room(count * s_.depth * size);
        for (std::size_t p = 0; p < count; ++p) {
            const std::size_t from = (first + p) * row_step * size, at = to + p * s_.depth * size;
            if (step == 1) add_or_grow({0, k, from, at, s_.depth * size, 1, s_.depth * size});
            else add({0, k, from, at, size, s_.depth, step * size});
        }
        note_operand(k, to, count * s_.depth);
        slot_view mine{nullptr, to, v.rows, s_.depth, rows ? s_.depth : 1, rows ? 1 : s_.depth};
        add_view(mine, sample::place::memory);
    }

    void place_result(std::size_t v)
    {
        const std::size_t slots = what_.slots.size(), k = v % slots, s = v / slots;
        const slot_type& t = what_.slots[k];
        if (!is_written(what_, k) || t.kind == slot_kind::accumulator) return;
        const segment& where = s_.segments[s];
        std::size_t to = s_.views[v].offset = room(where.rows * where.cols * t.size);
        const auto add = [&](std::size_t count, std::size_t row0, std::size_t col0, std::size_t cols) {
            s_.results.push_back({to, count, value_type_of(t), row0, col0, cols});
            to += count * t.size;
        };
        if (joined_.empty()) return add(where.rows * where.cols, where.row0, where.col0, where.cols);
        for (const part& p : joined_) {
            const segment& from = task_.segments[p.segment];
            add(p.cols, from.row0 + p.row, from.col0 + p.col, p.cols);
        }
    }

    /// work::result.
    void place_value()
    {
        const segment& first = s_.segments.front();
        std::size_t size = what_.result_size;
        value_type type = value_type_of(what_.result, what_.result_size, what_.result_align, what_.result_bytes);
        switch (what_.kind) {
        case skeleton::reduce:
            s_.result_values = 1;
            break;
        case skeleton::reduce_rows:
            s_.result_values = first.rows;
            break;
        case skeleton::reduce_columns:
            s_.result_values = first.cols;
            break;
        case skeleton::accumulate:
            return place_accumulated();
        case skeleton::filter: // how many are kept, segment by segment
            s_.result_values = s_.segments.size();
            size = 8;
            type = {value_form::unsigned_integer, 8, 8};
            break;
        default:
            return;
        }
        s_.result = room(s_.result_values * size + writer_bytes_of(what_, s_.result_values));
        sample_values values{*s_.result, s_.result_values, type, first.row0, first.col0, 1};
        if (what_.kind == skeleton::reduce_columns) values.cols = first.cols;
        s_.results.push_back(values);
    }

    /// A copy of all accumulators.
    void place_accumulated()
    {
        const segment& first = s_.segments.front();
        const std::size_t slots = what_.slots.size();
        s_.result_values = accumulated_values(what_, s_.views);
        const std::size_t bytes = s_.result_values * what_.result_size;
        s_.result = room(bytes + writer_bytes_of(what_, s_.result_values));
        for_each_accumulated(
            what_, [&](std::size_t slot) { return s_.views[slot].cols; },
            [&](const accumulated_part& part) {
                const std::size_t at = *s_.result + part.offset;
                s_.results.push_back(
                    {at, part.count, value_type_of(what_.slots[part.slot]), first.row0, first.col0, 1});
                for (std::size_t v = part.slot; v < s_.views.size(); v += slots) s_.views[v].offset = at;
            });
    }

    const work& task_;
    const recipe& what_;
    std::vector<part> joined_; ///< whose elements follow each other in one segment
    sample s_;
};

} // namespace

std::optional<sample> make_sample(const work& task, std::size_t most_bytes)
{
    const bool empty = std::ranges::any_of(task.segments, [](const segment& s) { return s.rows * s.cols == 0; });
    if (task.segments.empty() || empty || task.depth == 0) return {};
    sample s = sampling(task).make();
    if (s.bytes > most_bytes) return {};
    return s;
}

} // namespace skelrt::detail
