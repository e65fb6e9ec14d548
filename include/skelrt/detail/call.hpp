// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "caller.hpp"
#include "element_costs.hpp"
#include "recipe.hpp"
#include "storage.hpp"

#include <array>

/// A skeleton call after the front end: a recipe and its data. From here on nothing is a template.
namespace skelrt::detail
{

/// Defined in src/lowering/place.
class foreign_lines;

/// Shape of a call or an operand. A tensor is a matrix whose rows are its first extent. While the operands of a call
/// are checked its rank may not be known yet (0), nor one of its sides: operands of pairs tell only one.
struct extent {
    static constexpr std::size_t unknown = ~std::size_t{0};
    int rank = 0;
    std::size_t rows = 0, cols = 0;
    std::array<std::size_t, 3> inner{}; ///< tensors: the extents behind the first; their product is cols
    friend bool operator==(const extent&, const extent&) = default;

    /// Takes what was unknown; false if what was known is another.
    bool join(const extent& o) noexcept
    {
        complete(o);
        return rank == o.rank && (o.rows == unknown || rows == o.rows) && (o.cols == unknown || cols == o.cols) &&
               inner == o.inner;
    }
    bool known() const noexcept { return rank != 0 && rows != unknown && cols != unknown; }
    /// What nothing has told comes from there.
    void complete(const extent& o) noexcept
    {
        if (rank == 0) *this = o;
        if (rows == unknown) rows = o.rows;
        if (cols == unknown) cols = o.cols;
    }

    index_widths widths() const
    {
        if (rank < 3) return cols;
        const auto last = static_cast<std::size_t>(rank) - 2;
        return {cols, inner[last], inner[last] * inner[last - 1]};
    }
};

/// What one slot of the recipe stands for in this call. Element (r, c) of the call lies at
/// storage element offset + r * ld + c * stride.
struct operand {
    storage* data = nullptr;     ///< null for a uniform
    const void* value = nullptr; ///< a uniform's value, copied by the call
    std::size_t offset = 0, rows = 0, cols = 0, ld = 0, stride = 1;
};

/// The description and the measured costs of one expression type; lives as long as the process.
struct call_site {
    recipe what;
    element_costs core{2}; ///< the calling thread alone
    element_costs team{8}; ///< all cores, led by it; those that sleep come one by one
};

/// What a filter gives.
struct filtered {
    storage_ref elements;
    std::size_t kept = 0; ///< of them; the others, if the recipe wants them, are behind
};

struct call {
    call_site* site = nullptr;
    int rank = 1;
    bool matrix = false;
    std::size_t rows = 0, cols = 0; ///< index space; a vector has one row
    /// With several ranks this may be one's share of a call: of so many lines (rows; elements of a vector) those from
    /// `first_line` on. Positions count in the whole call.
    std::size_t first_line = 0, whole_lines = 0;
    const foreign_lines* foreign = nullptr; ///< what other ranks hold around these lines, or left in front of them
    index_widths width{0};                  ///< how its positions count
    const operand* operands = nullptr;      ///< one per slot; a map's result is the last
    operand result{};                       ///< reductions by row, by column, or into an sk::scalar
    std::size_t depth = 1; ///< all_pairs: zips per element of the result; sort: comparisons per element
    /// Filled before execute() returns. reduce to a host value: that; filter: a `filtered`, which comes with the
    /// result slot's data (as large as the call) and gets the result.
    void* value = nullptr;
    const void* start = nullptr; ///< reductions: start value or null
    bool begun = false;          ///< all_pairs: the result holds what comes in front, a start value included
    unsigned steps = 1;          ///< stencils: how often the function is applied; see work
    int color = -1;              ///< stencils: see work
    grid_part part{};            ///< stencils: what sk::with_neighbours said
    const plan* use = nullptr;   ///< null: what SKELRT_PLAN says, or automatic

    void set_space(const extent& x)
    {
        matrix = x.rank >= 2;
        rank = x.rank;
        rows = x.rows;
        cols = x.cols;
        whole_lines = matrix ? rows : cols;
        width = x.widths();
    }
};

/// All positions of it.
inline segment space_of(const call& c) noexcept
{
    return {c.rows, c.cols, c.matrix ? c.first_line : 0, c.matrix ? 0 : c.first_line};
}

/// How often it calls its user function: what the models count.
inline std::size_t evaluations(const call& c) noexcept { return c.rows * c.cols * c.depth * c.steps; }

/// Runs the call: if it is short, on the calling thread or on all cores, led by it; else as tasks: then it returns at
/// once but for `value`. Throws error for whatever can be known now.
SKELRT_API void execute(const call& c);

/// Whether nested calls become one kernel: see options::fusion and sk::fusion.
SKELRT_API bool fuses() noexcept;

/// Whether an operand is all of a container, in its own shape; `ld`: of the operand.
SKELRT_API bool is_whole_container(const storage* data, const extent& x, std::size_t ld) noexcept;

/// Whether a block of threads of any GPU has room for what the hoods of a stencil with maps under them see: such
/// kernels make the maps' results in memory of their own.
SKELRT_API bool hoods_fit(const recipe& what) noexcept;

/// Whether a map may write `result` in place: no slot reads the same storage in another order.
SKELRT_API bool may_write_in_place(const recipe& what, const operand* operands, const operand& result) noexcept;

/// Gives a scalar a value of the host's: in place if no call uses it, so that devices find it where it was; a new one
/// otherwise.
SKELRT_API void set_scalar(storage_ref& scalar, const void* value, std::uint32_t size);

/// Makes new memory for the value that a call gives a scalar. It stays where it is if the call does not read it
/// (`reads`: or reads it as a whole first), and tasks have it only if they have an operand as well: calls on the host
/// alone stay there.
SKELRT_API void renew_scalar(storage_ref& scalar, const recipe& what, const operand* operands, std::size_t inputs,
                             bool reads);

/// The same for whole containers of elements of that size, of which a call with several results writes some: none of
/// its `inputs` first slots reads the storage in another order.
SKELRT_API bool may_write_elements(const recipe& what, const operand* operands, std::size_t inputs, const storage& to,
                                   std::size_t element_size) noexcept;

/// Throws if two of the containers are one.
SKELRT_API void check_distinct(const recipe& r, const void* const* containers, std::size_t count);

/// What a call is described in; lives as long as the process: tasks and caches refer to it.
SKELRT_API call_site& new_call_site(skeleton kind);
/// An operand more.
SKELRT_API argument add_slot(recipe& r, const slot_type& slot);
/// The application of a function more; `index`: of which rank an index goes to it in front of the arguments, or 0.
SKELRT_API argument add_call(recipe& r, const function_source& f, std::string_view result, std::uint32_t result_size,
                             unsigned index, std::span<const argument> arguments);

/// Completes a recipe (name, byte counts, number) and enters it in the registry.
SKELRT_API void register_recipe(recipe& r);

/// Copies a source to a place that outlives every runtime.
SKELRT_API const function_source* keep_source(const function_source& s);

[[noreturn]] SKELRT_API void throw_shape_mismatch(const recipe& r, std::size_t argument, const extent& got,
                                                  const extent& wanted);
/// Completes `e` by the shape of an operand; throws if it is another.
SKELRT_API void join_operand(extent& e, const extent& own, std::size_t argument, const recipe& r);
/// Indices of tensors need a tensor of their rank, index2 a call of at most two dimensions; `asked`: asked_indices.
SKELRT_API void check_indices(unsigned asked, const extent& x, const recipe& r);
/// An accumulator has gaps between its elements.
[[noreturn]] SKELRT_API void throw_not_contiguous();
/// Sorts take vectors.
[[noreturn]] SKELRT_API void throw_not_a_vector(const recipe& r, const extent& x);
/// The edges of a wavefront are those of another shape than its operands have.
[[noreturn]] SKELRT_API void throw_edge_mismatch(const recipe& r, std::size_t rows, std::size_t cols,
                                                 const extent& wanted);
/// Wavefronts give matrices.
[[noreturn]] SKELRT_API void throw_wavefront_rank(const recipe& r, const extent& x);
/// sort_by_key: another number of values than of keys, or both in the same memory.
void SKELRT_API check_keys_and_values(const recipe& r, const operand& keys, const operand& values);
/// Reductions and scans by row and by column take matrices.
[[noreturn]] SKELRT_API void throw_not_a_matrix(const recipe& r, const extent& x);
/// An operand of pairs has another number of elements than the call has rows (or columns).
[[noreturn]] SKELRT_API void throw_side_mismatch(const recipe& r, std::size_t argument, std::size_t got, bool rows,
                                                 std::size_t wanted, bool matrix);
[[noreturn]] SKELRT_API void throw_not_a_matrix(const recipe& r, std::size_t size);
/// all_pairs: rows of different lengths on the two sides.
[[noreturn]] SKELRT_API void throw_depth_mismatch(const recipe& r, std::size_t left_rows, std::size_t left_cols,
                                                  std::size_t right_rows, std::size_t right_cols);
[[noreturn]] SKELRT_API void throw_no_shape(const recipe& r);
/// Hoods of a call look around in grids of different shapes, or from different places; no rows: in a whole container.
[[noreturn]] SKELRT_API void throw_part_mismatch(const recipe& r, const grid_part& one, const grid_part& other);
/// Elements of an empty vector are asked for.
[[noreturn]] SKELRT_API void throw_indices_of_nothing(const char* what, const extent& indices);
/// Part of a container is asked for that does not exist, `count` of its elements, rows or columns (`unit`).
[[noreturn]] SKELRT_API void throw_range(const caller& where, const char* what, const char* unit, std::size_t first,
                                         std::size_t count, const extent& whole);
/// The same of some that are `step` apart.
[[noreturn]] SKELRT_API void throw_steps(const caller& where, const char* what, const char* unit, std::size_t first,
                                         std::size_t count, std::size_t step, const extent& whole);
/// A matrix has axes 0 and 1.
[[noreturn]] SKELRT_API void throw_no_axis(const caller& where, int axis);
/// How many elements a diagonal has. Throws where there is no such one.
SKELRT_API std::size_t length_of_diagonal(const caller& where, std::ptrdiff_t which, std::size_t rows,
                                          std::size_t cols);
[[noreturn]] SKELRT_API void throw_size_mismatch(const char* what, std::size_t got, std::size_t wanted);

} // namespace skelrt::detail
