// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/cuda/shape.hpp"
#include "codelets/work.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

/// The parameter of a kernel: uniforms, then what a reduction wants to know, then a table of segments. The kernel's
/// text declares the structs, the host fills their bytes; both follow the layout rules of C++, and the text asserts it.
namespace skelrt::detail::cuda
{

/// Segments of one launch, at most; fewer when a call has many operands.
inline constexpr std::size_t most_segments = 64;

/// What a reduction combines in front of its value.
enum class front : std::size_t {
    nothing,
    start,  ///< the start value
    stored, ///< what the result holds already
};

/// What a stencil's kernel wants to know of the call and of its launch; axes in the order planes, rows, columns.
struct sweep {
    std::size_t grid[3];    ///< extents of the whole grid
    std::size_t cut;        ///< the axis that tiles cut
    std::size_t color;      ///< of the first step; ~0: no colors
    std::size_t block[3];   ///< positions that a block (a warp) of threads computes along each axis
    std::size_t room;       ///< positions in each shared tile; streams: slices of a chunk of the strips at edges
    std::size_t lanes;      ///< threads side by side along the columns, a power of two
    std::size_t first;      ///< windows: blocks of rows that launches before this one have done
    std::size_t columns[2]; ///< of lines that positions are in: from the first to the last - 1
    std::size_t corner[3];  ///< see work
};

/// Where an element operand would have column 0 of the grid, for the first row of segment s; nothing may lie there.
const void* line_start(const work& what, std::size_t s, std::size_t k);

/// Words of one operand of a field: a hood's three pointers, or a pointer and a distance for each axis.
inline constexpr std::size_t hood_words = 3, operand_words = 4;

/// Whether blocks wait for those in front of them.
constexpr bool has_states(skeleton kind)
{
    return is_scan(kind) || kind == skeleton::filter || kind == skeleton::wavefront;
}

class parameter_layout
{
public:
    parameter_layout(const recipe& what, const kernel_shape& shape);

    /// struct line, struct grid, struct reduction, and parameters<Segment>; of a stencil struct sweep, struct field and
    /// struct fields.
    std::string text() const;

    const recipe& what;
    const kernel_shape& shape;

    std::vector<std::size_t> slot_offset; ///< of the slots that are no elements, in `uniforms`
    std::size_t uniforms_size = 0;
    std::size_t reduction_offset =
        0; ///< of struct reduction; scans and filters have four words more, the start value is the last member
    std::size_t start_offset = 0; ///< within struct reduction
    std::size_t reduction_size = 0;
    std::size_t table_offset = 0;
    std::size_t align = 8; ///< of the whole parameter
    std::size_t line_size = 0, grid_size = 0, field_size = 0;
    std::size_t lines = 0, grids = 0, fields = 0; ///< segments of one launch
    std::size_t sweep_offset = 0;                 ///< stencils: of struct sweep, which the fields follow
    std::size_t size = 0;                         ///< bytes that hold either table

private:
    /// Of a whole parameter.
    std::size_t size_with(std::size_t table_size) const;
    void add_fields();
    std::string field_text() const;
};

/// The bytes of one launch. Lives on the stack; allocates only for parameters over 4 KB.
class parameter_block
{
public:
    explicit parameter_block(const parameter_layout& layout);

    /// What the slots that are no elements hold; the same in all segments of the work.
    void set_uniforms(const work& what);
    /// `start` may be null unless `in_front` asks for it.
    void set_reduction(std::size_t chunk, std::size_t group, front in_front, const void* start);
    /// Scans and filters only.
    void set_scan(void* states, void* carry, std::size_t tiles, const void* stored = nullptr);
    /// Reductions to one value only: where it goes.
    void set_total(void* total);
    /// Sums over rows of a sparse matrix: see sparse::row_blocks.
    void set_row_blocks(std::size_t items, std::size_t width);
    /// Sorts only: where the keys of all segments come together, the values, and the positions of these.
    void set_sort(void* keys, void* values, void* order);
    /// Segment s of the work as one line; `out` is where its results go.
    void add_line(const work& what, std::size_t s, void* out);
    /// The same as rows and columns. `out_ld` and `out_stride` count results.
    void add_grid(const work& what, std::size_t s, void* out, std::size_t out_ld, std::size_t out_stride);

    /// Stencils: what is the same in all segments.
    void set_sweep(const sweep& how);
    /// Stencils: segment s of the work, to be cut into blocks[0] x blocks[1] x blocks[2] blocks. `aligned`: lines of
    /// all operands begin where words as wide as a lane's share may be read.
    void add_field(const work& what, std::size_t s, const std::size_t (&blocks)[3], bool aligned);

    std::size_t segments() const { return segments_; }
    void clear() { segments_ = 0; }
    void* data() { return data_; }
    const void* data() const { return data_; }
    /// Those that hold something: what was set and added, and zeros.
    std::size_t bytes() const { return bytes_; }
    /// Bytes that the kernel takes.
    std::size_t size() const { return layout_.size; }

private:
    void put(std::size_t offset, std::size_t value);
    void put(std::size_t offset, const void* value);

    static constexpr std::size_t usual_size = 4096;

    const parameter_layout& layout_;
    alignas(64) std::byte usual_[usual_size];
    std::unique_ptr<std::byte[]> large_;
    std::byte* data_;
    std::size_t segments_ = 0, bytes_ = 0;
};

} // namespace skelrt::detail::cuda
