#pragma once

#include "codelets/work.hpp"
#include "shape.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

/// The parameter of a kernel: uniforms, then what a reduction wants to know, then a table of segments. The kernel's text
/// declares the structs, the host fills their bytes; both follow the layout rules of C++, and the text asserts it.
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

class parameter_layout
{
public:
    parameter_layout(const recipe& what, const kernel_shape& shape);

    /// struct line, struct grid, struct reduction, and parameters<Segment>.
    std::string text() const;

    const recipe& what;
    const kernel_shape& shape;

    std::vector<std::size_t> slot_offset; ///< of the slots that are no elements, in `uniforms`
    std::size_t uniforms_size = 0;
    std::size_t reduction_offset =
        0; ///< of struct reduction; scans have three words more, the start value is the last member
    std::size_t start_offset = 0; ///< within struct reduction
    std::size_t reduction_size = 0;
    std::size_t table_offset = 0;
    std::size_t align = 8; ///< of the whole parameter
    std::size_t line_size = 0, grid_size = 0;
    std::size_t lines = 0, grids = 0; ///< segments of one launch
    std::size_t size = 0;             ///< bytes that hold either table

private:
    /// Of a whole parameter.
    std::size_t size_with(std::size_t table_size) const;
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
    /// Scans only.
    void set_scan(void* states, void* carry, std::size_t tiles);
    /// Segment s of the work as one line; `out` is where its results go.
    void add_line(const work& what, std::size_t s, void* out);
    /// The same as rows and columns. `out_ld` and `out_stride` count results.
    void add_grid(const work& what, std::size_t s, void* out, std::size_t out_ld, std::size_t out_stride);

    std::size_t segments() const { return segments_; }
    void clear() { segments_ = 0; }
    void* data() { return data_; }

private:
    void put(std::size_t offset, std::size_t value);
    void put(std::size_t offset, const void* value);

    static constexpr std::size_t usual_size = 4096;

    const parameter_layout& layout_;
    alignas(64) std::byte usual_[usual_size];
    std::unique_ptr<std::byte[]> large_;
    std::byte* data_;
    std::size_t segments_ = 0;
};

} // namespace skelrt::detail::cuda
