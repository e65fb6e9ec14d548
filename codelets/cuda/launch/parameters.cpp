// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/launch/parameters.hpp"

#include "src/function/own/row_sum.hpp"

#include <skelrt/error.hpp>

#include <algorithm>
#include <cstring>

namespace skelrt::detail::cuda
{
namespace
{

constexpr std::size_t usual_limit = 4096;    ///< bytes of parameters that every GPU takes
constexpr std::size_t largest_limit = 32764; ///< Volta and newer, CUDA 12.1 and newer

/// Places members one after the other, as a C++ struct does.
class struct_cursor
{
public:
    std::size_t add(std::size_t size, std::size_t align)
    {
        const std::size_t offset = rounded(size_, align);
        size_ = offset + size;
        align_ = std::max(align_, align);
        return offset;
    }
    std::size_t add_words(std::size_t count) { return add(8 * count, 8); }
    std::size_t size() const { return rounded(size_, align_); }
    std::size_t align() const { return align_; }

private:
    static std::size_t rounded(std::size_t n, std::size_t align) { return (n + align - 1) / align * align; }
    std::size_t size_ = 0, align_ = 1;
};

std::size_t add_uniform(struct_cursor& members, const slot_type& slot, border_rule border)
{
    switch (slot.kind) {
    case slot_kind::uniform:
        return members.add(slot.size, slot.align);
    case slot_kind::hood: // the border's value
    case slot_kind::mapped_hood:
        return border == border_rule::constant ? members.add(slot.size, slot.align) : 0;
    case slot_kind::scalar:
        return members.add_words(1);
    case slot_kind::vec:
        return members.add_words(2);
    case slot_kind::accumulator: // those that are joined have words for threads
        return members.add_words(has_one_copy(slot.rule) ? 2 : 4);
    case slot_kind::mat:
        return members.add_words(4);
    default:
        break;
    }
    return 0;
}

/// Segments that fit behind the other parameters.
std::size_t fitting(const recipe& what, std::size_t table_offset, std::size_t segment_size)
{
    for (const std::size_t limit : {usual_limit, largest_limit})
        if (table_offset + segment_size <= limit) return std::min((limit - table_offset) / segment_size, most_segments);
    throw function_error(what.name + ": its uniform values take " + std::to_string(table_offset) +
                         " bytes; a CUDA kernel takes at most " + std::to_string(largest_limit - segment_size) +
                         ". Pass large values in a container of one element (sk::vec)");
}

bool is_vec(const recipe& what, unsigned k) { return sees_vec(what.slots[k].kind); }

std::string pointers(const kernel_shape& shape)
{
    std::string text;
    for (const unsigned k : shape.inputs)
        text += "    const skelrt_t" + std::to_string(k) + "* s" + std::to_string(k) + ";\n";
    return text;
}

std::string grid_members(const recipe& what, const kernel_shape& shape)
{
    std::string text;
    for (const unsigned k : shape.inputs)
        text += std::string("    ") +
                (is_vec(what, k)                           ? "strided_vec<"
                 : what.slots[k].kind == slot_kind::output ? "strided<"
                                                           : "strided<const ") +
                "skelrt_t" + std::to_string(k) + "> s" + std::to_string(k) + ";\n";
    return text;
}

/// Words of the operands in struct grid: data, ld, stride, and the length of a vector.
std::size_t grid_words(const recipe& what, const kernel_shape& shape)
{
    std::size_t words = 3; // the result
    for (const unsigned k : shape.inputs) words += is_vec(what, k) ? 4 : 3;
    return words;
}

} // namespace

parameter_layout::parameter_layout(const recipe& r, const kernel_shape& s)
    : what(r), shape(s), slot_offset(r.slots.size())
{
    struct_cursor uniforms;
    uniforms.add_words(3); // width, line, plane
    const std::size_t slots = has_result_slot(what.kind) ? what.slots.size() - 1 : what.slots.size();
    for (std::size_t k = 0; k < slots; ++k) slot_offset[k] = add_uniform(uniforms, what.slots[k], what.stencil.border);
    uniforms_size = uniforms.size();

    struct_cursor reduction;
    reduction.add_words(has_states(what.kind) ? 7 : what.kind == skeleton::reduce ? 4 : 3);
    start_offset = reduction.add(what.result_size, what.result_align);
    reduction_size = reduction.size();

    struct_cursor all;
    all.add(uniforms.size(), uniforms.align());
    reduction_offset = all.add(reduction.size(), reduction.align());
    table_offset = all.add_words(0);
    align = all.align();

    line_size = 8 * (3 + shape.inputs.size() + 1);
    grid_size = 8 * (4 + grid_words(what, shape));
    lines = fitting(what, table_offset, line_size);
    grids = fitting(what, table_offset, grid_size);
    size = size_with(std::max(lines * line_size, grids * grid_size));
    if (what.kind == skeleton::stencil) add_fields();
}

void parameter_layout::add_fields()
{
    sweep_offset = (uniforms_size + 7) / 8 * 8;
    const std::size_t hoods = count_hoods(what);
    field_size = 8 * (3 + 3 + hoods * hood_words + (shape.inputs.size() + 1) * operand_words) + 4 * (3 + 1);
    const std::size_t table = sweep_offset + sizeof(sweep);
    fields = fitting(what, table, field_size);
    size = std::max(size, (table + fields * field_size + align - 1) / align * align);
}

std::size_t parameter_layout::size_with(std::size_t table_size) const
{
    return (table_offset + table_size + align - 1) / align * align;
}

std::string parameter_layout::text() const
{
    const auto number = [](std::size_t n) { return std::to_string(n); };
    const auto agree = [&](const std::string& size, std::size_t ours) {
        return "static_assert(" + size + " == " + number(ours) +
               ", \"skelrt: host and device disagree on the parameters\");\n";
    };
    std::string text = "namespace skelrt::generated\n{\n";
    text += what.kind == skeleton::sort ? "struct reduction {\n    void *keys, *values;\n    unsigned* order;\n"
            : row_sum_of(what)          ? "struct reduction {\n    size_t items, width, unused;\n"
                                        : "struct reduction {\n    size_t chunk, group, front;\n";
    if (has_states(what.kind))
        text += "    unsigned long long* states;\n    result_type* carry;\n    size_t tiles;\n    const result_type* "
                "stored;\n";
    if (what.kind == skeleton::reduce) text += "    result_type* total;\n";
    text += "    result_type start;\n};\n";
    const std::string out = is_scan(what.kind) ? "stored_type" : "result_type";
    text += "struct line {\n    size_t count, row, col;\n" + pointers(shape) + "    " + out + "* out;\n};\n";
    text += "template <class T> struct strided {\n    T* data;\n    size_t ld, stride;\n"
            "    T& at(size_t r, size_t c) const { return data[r * ld + c * stride]; }\n};\n";
    text += "template <class T> struct strided_vec {\n    const T* data;\n    size_t ld, stride, n;\n"
            "    skelrt::vec<T> at(size_t r, size_t c) const { return {data + r * ld + c * stride, n}; }\n};\n";
    text += "struct grid {\n    size_t rows, cols, row, col;\n" + grid_members(what, shape) + "    strided<" + out +
            "> out;\n};\n";
    text += "template <class Segment, int Count> struct parameters {\n    uniforms u;\n    reduction r;\n    Segment "
            "at[Count];\n};\n";
    text += "using lines = parameters<line, " + number(lines) + ">;\nusing grids = parameters<grid, " + number(grids) +
            ">;\n";
    text += agree("sizeof(uniforms)", uniforms_size) + agree("sizeof(reduction)", reduction_size);
    text += agree("sizeof(line)", line_size) + agree("sizeof(grid)", grid_size) +
            agree("sizeof(lines)", size_with(lines * line_size)) + agree("sizeof(grids)", size_with(grids * grid_size));
    if (what.kind == skeleton::stencil) text += field_text();
    return text + "} // namespace skelrt::generated\n";
}

std::string parameter_layout::field_text() const
{
    std::string operands;
    for (std::size_t k = 0; k + 1 < what.slots.size(); ++k) {
        const std::string n = std::to_string(k);
        if (has_surroundings(what.slots[k].kind)) operands += "    lines_of<skelrt_t" + n + "> s" + n + ";\n";
        if (what.slots[k].kind == slot_kind::element) operands += "    operand<const skelrt_t" + n + "> s" + n + ";\n";
    }
    std::string text =
        "struct sweep {\n    long grid[3], cut, color, block[3], room, lanes, first, columns[2], corner[3];\n};\n";
    text += "template <class T> struct lines_of {\n    const T *data, *before, *after;\n};\n";
    text += "template <class T> struct operand {\n    T* data;\n    long z, y, x;\n"
            "    T& at(long pz, long py, long px) const { return data[pz * z + py * y + px * x]; }\n};\n";
    text += "struct field {\n    long n[3], first[3];\n    unsigned blocks[3], aligned;\n" + operands +
            "    operand<result_type> out;\n};\n";
    text += "struct fields {\n    uniforms u;\n    sweep c;\n    field at[" + std::to_string(fields) + "];\n};\n";
    return text + "static_assert(sizeof(field) == " + std::to_string(field_size) +
           " && sizeof(sweep) == " + std::to_string(sizeof(sweep)) +
           ", \"skelrt: host and device disagree on the parameters\");\n";
}

parameter_block::parameter_block(const parameter_layout& layout) : layout_(layout), data_(usual_)
{
    if (layout.size > usual_size) {
        large_ = std::make_unique<std::byte[]>(layout.size);
        data_ = large_.get();
    }
    std::memset(data_, 0, std::max(layout.table_offset, layout.sweep_offset + sizeof(sweep))); // gaps, too
}

void parameter_block::put(std::size_t offset, std::size_t value) { std::memcpy(data_ + offset, &value, sizeof value); }

void parameter_block::put(std::size_t offset, const void* value) { std::memcpy(data_ + offset, &value, sizeof value); }

void parameter_block::set_uniforms(const work& what)
{
    put(0, what.width.cols);
    put(8, what.width.line);
    put(16, what.width.plane);
    const recipe& r = layout_.what;
    for (std::size_t k = 0, hood = 0; k < r.slots.size(); ++k) {
        const std::size_t at = layout_.slot_offset[k];
        const slot_view& view = what.slot(0, k);
        switch (r.slots[k].kind) {
        case slot_kind::uniform:
            std::memcpy(data_ + at, view.data, r.slots[k].size);
            break;
        case slot_kind::scalar:
            put(at, view.data);
            break;
        case slot_kind::vec:
        case slot_kind::accumulator:
            put(at, view.data);
            put(at + 8, view.cols);
            if (r.slots[k].kind == slot_kind::accumulator && !has_one_copy(r.slots[k].rule))
                std::memset(data_ + at + 16, 0, 16);
            break;
        case slot_kind::mat:
            put(at, view.data);
            put(at + 8, view.rows);
            put(at + 16, view.cols);
            put(at + 24, view.ld);
            break;
        case slot_kind::hood:
            if (r.stencil.border == border_rule::constant)
                std::memcpy(data_ + at, what.hoods[hood].border_value, r.slots[k].size);
            ++hood;
            break;
        case slot_kind::hood_source:
            ++hood;
            break;
        case slot_kind::mapped_hood:
            if (r.stencil.border == border_rule::constant) std::memcpy(data_ + at, view.data, r.slots[k].size);
            break;
        default:
            break;
        }
    }
}

void parameter_block::set_reduction(std::size_t chunk, std::size_t group, front in_front, const void* start)
{
    const std::size_t at = layout_.reduction_offset;
    put(at, chunk);
    put(at + 8, group);
    put(at + 16, static_cast<std::size_t>(in_front));
    if (in_front == front::start) std::memcpy(data_ + at + layout_.start_offset, start, layout_.what.result_size);
}

void parameter_block::set_scan(void* states, void* carry, std::size_t tiles, const void* stored)
{
    const std::size_t at = layout_.reduction_offset + 24;
    put(at, states);
    put(at + 8, carry);
    put(at + 16, tiles);
    put(at + 24, stored);
}

void parameter_block::set_total(void* total) { put(layout_.reduction_offset + 24, total); }

void parameter_block::set_row_blocks(std::size_t items, std::size_t width)
{
    put(layout_.reduction_offset, items);
    put(layout_.reduction_offset + 8, width);
}

void parameter_block::set_sort(void* keys, void* values, void* order)
{
    const std::size_t at = layout_.reduction_offset;
    put(at, keys);
    put(at + 8, values);
    put(at + 16, order);
}

void parameter_block::add_line(const work& what, std::size_t s, void* out)
{
    const segment& where = what.segments[s];
    std::size_t at = layout_.table_offset + segments_++ * layout_.line_size;
    bytes_ = at + layout_.line_size;
    for (const std::size_t n : {where.rows * where.cols, where.row0, where.col0}) {
        put(at, n);
        at += 8;
    }
    for (const unsigned k : layout_.shape.inputs) {
        put(at, what.slot(s, k).data);
        at += 8;
    }
    put(at, out);
}

void parameter_block::add_grid(const work& what, std::size_t s, void* out, std::size_t out_ld, std::size_t out_stride)
{
    const segment& where = what.segments[s];
    std::size_t at = layout_.table_offset + segments_++ * layout_.grid_size;
    bytes_ = at + layout_.grid_size;
    for (const std::size_t n : {where.rows, where.cols, where.row0, where.col0}) {
        put(at, n);
        at += 8;
    }
    const auto operand = [&](void* data, std::size_t ld, std::size_t stride) {
        put(at, data);
        put(at + 8, ld);
        put(at + 16, stride);
        at += 24;
    };
    for (const unsigned k : layout_.shape.inputs) {
        const slot_view& view = what.slot(s, k);
        operand(view.data, view.ld, view.stride);
        if (!is_vec(layout_.what, k)) continue;
        put(at, view.cols);
        at += 8;
    }
    operand(out, out_ld, out_stride);
}

void parameter_block::set_sweep(const sweep& how) { std::memcpy(data_ + layout_.sweep_offset, &how, sizeof how); }

namespace
{

/// Distances of an element operand along planes, rows and columns.
struct distances {
    std::size_t z, y, x;
};

distances distances_of(const work& what, const slot_view& view)
{
    if (what.what.stencil.rank == 3) return {view.ld, what.grid[2] * view.stride, view.stride};
    return {0, what.matrix ? view.ld : 0, view.stride};
}

/// Where a segment's lines begin in the grid.
std::array<std::size_t, 3> first_of_lines(const work& what, const segment& where)
{
    if (what.what.stencil.rank == 3) return {where.row0, 0, 0};
    if (what.matrix) return {0, what.corner[1] + where.row0, 0};
    return {0, 0, what.corner[2] + where.col0};
}

} // namespace

const void* line_start(const work& what, std::size_t s, std::size_t k)
{
    const slot_view& view = what.slot(s, k);
    const std::size_t before = columns_of(what, what.segments[s]).first * view.stride * what.what.slots[k].size;
    return static_cast<const std::byte*>(view.data) - before;
}

void parameter_block::add_field(const work& what, std::size_t s, const std::size_t (&blocks)[3], bool aligned)
{
    const segment& where = what.segments[s];
    std::size_t at = layout_.sweep_offset + sizeof(sweep) + segments_++ * layout_.field_size;
    bytes_ = at + layout_.field_size;
    const auto word = [&](auto value) {
        put(at, value);
        at += 8;
    };
    for (const std::size_t n : extents_of(what, where)) word(n);
    for (const std::size_t n : first_of_lines(what, where)) word(n);
    for (const std::uint32_t n : {static_cast<std::uint32_t>(blocks[0]), static_cast<std::uint32_t>(blocks[1]),
                                  static_cast<std::uint32_t>(blocks[2]), std::uint32_t{aligned}}) {
        put(at, n);
        at += 4;
    }
    const recipe& r = what.what;
    const std::size_t hoods = count_hoods(r);
    std::size_t hood = s * hoods;
    for (std::size_t k = 0; k < r.slots.size(); ++k) {
        const slot_view& view = what.slot(s, k);
        if (has_surroundings(r.slots[k].kind)) {
            word(static_cast<const void*>(view.data));
            word(static_cast<const void*>(what.hoods[hood].before.data));
            word(static_cast<const void*>(what.hoods[hood++].after.data));
        } else if (r.slots[k].kind == slot_kind::element) {
            const distances d = distances_of(what, view);
            word(line_start(what, s, k));
            for (const std::size_t n : {d.z, d.y, d.x}) word(n);
        }
    }
}

} // namespace skelrt::detail::cuda
