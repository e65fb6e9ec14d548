// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "api.hpp"
#include "caller.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What a skeleton call does, without templates and without data: the front end fills one recipe per expression type,
/// the code generators (CUDA C++, OpenCL C) and the planner read it. A recipe lives as long as the process.
namespace skelrt
{
class plan;
}

namespace skelrt::detail
{
struct recipe;

/// Types of a function's parameters and result, as the host's compiler spells them, qualified. No parameters: a generic
/// lambda's.
struct signature_text {
    const std::string_view* parameters = nullptr;
    unsigned count = 0;
    std::string_view result;
};

/// What the host's compiler knows of a SKELRT_FN or SKELRT_SHARED besides its text.
struct source_facts {
    const char* scope;          ///< __PRETTY_FUNCTION__ of a lambda at its place: tells the namespaces around it
    const char* expanded;       ///< its text with the user's macros replaced
    const void* unit;           ///< stands for the translation unit
    unsigned order;             ///< counts up through the translation unit
    signature_text signature{}; ///< of a function
};

/// Text and place of one SKELRT_FN or SKELRT_SHARED. `text` starts at the parameter list of the lambda.
struct function_source {
    const char* text;
    const char* file;
    int line;
    const plan* use = nullptr;    ///< how the skeleton's calls are to run: skeleton.use(plan)
    const char* around = nullptr; ///< __PRETTY_FUNCTION__ where it stands: tells the template parameters
    const source_facts* facts =
        nullptr; ///< null: one of ours, which names nothing of the user's but operators and types
    caller at{}; ///< where the skeleton was made of it
};

constexpr function_source made_at(function_source f, const caller& where)
{
    f.at = where;
    return f;
}

/// A copy that lives as long as the process: calls point to it. Equal plans have one.
SKELRT_API const plan* keep_plan(const plan& p);

/// How one operand of a fused call is seen by the user functions.
enum class slot_kind : std::uint8_t {
    element, ///< T: the element at the position; the result of a map is an element slot, too
    uniform, ///< T: one value for the whole call, known to the host
    scalar,  ///< T: one value for the whole call that may live on a device (sk::scalar); read through a pointer
    vec,     ///< sk::vec<T>: a whole vector, read-only
    mat,     ///< sk::mat<T>: a whole matrix, read-only
    hood,    ///< sk::hood1/2/3<T>: the elements around the position, read-only
    // Two-dimensional calls on operands of one dimension (pairs):
    row_element,    ///< T: of a vector, the element whose number is the position's row
    column_element, ///< T: of a vector that is read whole, the element whose number is the position's column; or of a
                    ///< matrix that is read whole and transposed: data[r * ld + c * stride] in the whole call
    row_vec,        ///< sk::vec<T>: of a matrix with the call's rows, the position's row
    column_vec,     ///< sk::vec<T>: of a matrix that is read whole, the row whose number is the position's column
    accumulator,    ///< sk::accumulator<T> and its like: a whole vector to change, at any index
    output,         ///< T: written only, at the position: a member of the result (recipe::members)
    hood_source,    ///< T: the elements around the position, of which a map makes what a hood holds (recipe::hood_maps)
    mapped_hood,    ///< sk::hood1/2/3<T> over the results of a map; has no data of its own
};

/// Steps from element to element in memory may go back: they are counted modulo the range of sizes.
constexpr bool goes_back(std::size_t step) { return static_cast<std::ptrdiff_t>(step) < 0; }
/// The way of so many of them.
constexpr std::ptrdiff_t way(std::size_t steps, std::size_t step) { return static_cast<std::ptrdiff_t>(steps * step); }

/// Whether what lies around the position comes with the slot's data.
constexpr bool has_surroundings(slot_kind kind) { return kind == slot_kind::hood || kind == slot_kind::hood_source; }

/// Whether the function sees an sk::hood.
constexpr bool sees_hood(slot_kind kind) { return kind == slot_kind::hood || kind == slot_kind::mapped_hood; }

/// Whether a slot's data moves with the position: what the function sees at (r, c) begins at data[r * ld + c * stride].
/// The operands of pairs have ld or stride 0, on the axis that they do not follow.
constexpr bool moves(slot_kind kind)
{
    return kind == slot_kind::element || has_surroundings(kind) || kind == slot_kind::output ||
           (kind >= slot_kind::row_element && kind <= slot_kind::column_vec);
}

/// Whether the slot's data has an element for each position of the call.
constexpr bool is_elementwise(slot_kind kind)
{
    return kind == slot_kind::element || has_surroundings(kind) || kind == slot_kind::output;
}

/// Whether the function sees an sk::vec.
constexpr bool sees_vec(slot_kind kind)
{
    return kind == slot_kind::vec || kind == slot_kind::row_vec || kind == slot_kind::column_vec;
}

/// Whether tasks need all of the operand's data, whatever part of the call they do.
constexpr bool read_whole(slot_kind kind)
{
    return kind == slot_kind::vec || kind == slot_kind::mat || kind == slot_kind::column_element ||
           kind == slot_kind::column_vec;
}

enum class argument_kind : std::uint8_t {
    slot,   ///< operand number `which`
    call,   ///< result of function_call number `which` (always a smaller number than the reader's)
    index1, ///< sk::index1: position in a vector, or row * width + column
    index2, ///< sk::index2: position in a matrix
    index3, ///< sk::index3: position in a tensor of rank 3
    index4, ///< sk::index4: position in a tensor of rank 4
    random, ///< sk::random: the position's own stream of random numbers, seeded by uniform slot `which`
    before, ///< sk::before2: the results before the position; uniform slot `which` is what lies outside, or the corner
};

struct argument {
    argument_kind kind;
    unsigned which;
};

/// One application of a user function inside a fused call.
struct function_call {
    const function_source* function;
    std::string_view result; ///< qualified C++ name of the result type
    std::uint32_t result_size;
    std::vector<argument> arguments;
    /// A stencil whose border is none: the hood slot whose element takes the result's place where hoods leave the grid.
    int kept_slot = -1;
};

enum class skeleton : std::uint8_t {
    map,
    reduce,         ///< everything to one value
    reduce_rows,    ///< each row of a matrix to one value
    reduce_columns, ///< each column of a matrix to one value
    stencil,        ///< a map some of whose operands are hoods
    scan,           ///< running reduction over everything, row after row
    scan_rows,      ///< running reductions along the rows of a matrix
    scan_columns,   ///< running reductions down the columns of a matrix
    all_pairs,      ///< every row of one matrix zipped with every row (or column) of another and reduced
    accumulate,     ///< a map that adds to accumulators instead of storing a result
    filter,         ///< elements for which a function, the last call, is true, in their order; root is the element
    sort,           ///< mapped values in the order that `combine` says, a vector; an output slot: values sorted along
    wavefront,      ///< a map of a matrix that sees its own results to the left, above, and between these
};

/// accumulate: what becomes of an element and a value that is put there.
/// atomic: whatever functions want, of one copy that one device has, which begins as the elements and replaces them;
/// the last slot is a vec of these.
/// write: the same, of elements that functions write once and do not see.
enum class accumulate_rule : std::uint8_t { add, min, max, bit_or, bit_and, atomic, write };

/// Whether functions change one copy, which begins as the elements and replaces them.
constexpr bool has_one_copy(accumulate_rule r) { return r == accumulate_rule::atomic || r == accumulate_rule::write; }

struct slot_type {
    slot_kind kind;
    std::string_view type;                       ///< qualified C++ name of T: "float", "unsigned long", "app::cplx"
    std::uint32_t size;                          ///< sizeof(T)
    std::uint32_t align;                         ///< alignof(T)
    const unsigned char* value_bytes = nullptr;  ///< a byte for each of T's: 0 if it is padding; null: none is
    accumulate_rule rule = accumulate_rule::add; ///< of accumulators
};

/// The parameter type that does so, of namespace skelrt.
constexpr const char* name_of(accumulate_rule r)
{
    switch (r) {
    case accumulate_rule::add:
        return "accumulator";
    case accumulate_rule::min:
        return "min_accumulator";
    case accumulate_rule::max:
        return "max_accumulator";
    case accumulate_rule::bit_or:
        return "or_accumulator";
    case accumulate_rule::bit_and:
        return "and_accumulator";
    case accumulate_rule::atomic:
        return "atomic_vec";
    case accumulate_rule::write:
        return "out_vec";
    }
    return "";
}

/// Where in a copy of several accumulators the next one begins, behind so many bytes: see for_each_accumulated().
constexpr std::size_t end_of_part(std::size_t begin, std::size_t bytes) { return (begin + bytes + 7) / 8 * 8; }

/// Whether copies of what is accumulated into begin as zeros.
constexpr bool begins_as_zeros(accumulate_rule r) { return r == accumulate_rule::add || r == accumulate_rule::bit_or; }

/// Whether the last slot of a recipe is its result, an element for each position.
constexpr bool has_result_slot(skeleton kind)
{
    return kind != skeleton::reduce && kind != skeleton::reduce_rows && kind != skeleton::reduce_columns &&
           kind != skeleton::accumulate;
}

constexpr bool is_scan(skeleton kind)
{
    return kind == skeleton::scan || kind == skeleton::scan_rows || kind == skeleton::scan_columns;
}

/// Whether the parts of a call follow from each other: what one leaves behind, the next takes in front.
constexpr bool is_chained(skeleton kind) { return kind == skeleton::scan || kind == skeleton::scan_columns; }

/// What a hood holds where it reaches over the edge of the grid.
enum class border_rule : std::uint8_t {
    constant, ///< one value
    cyclic,   ///< the grid starts again on the other side
    nearest,  ///< the nearest element of the grid
    none,     ///< nothing: positions whose hood leaves the grid keep the element of the first hood operand
};

/// How far the hoods of a stencil reach: along planes, rows and columns; axes along which they do not reach are 0.
/// hood1 in a call on a matrix goes along each row (axis 2), or down each column (axis 1): u(d) lies d rows below.
struct stencil_shape {
    int rank = 0;      ///< 1, 2 or 3: hood1, hood2, hood3; 0: no stencil
    bool down = false; ///< hood1 goes down the columns of a matrix
    unsigned before[3] = {}, after[3] = {};
    border_rule border = border_rule::constant;
    bool cross = false; ///< hoods are used at their own position and next to it along one axis, nowhere else
    friend bool operator==(const stencil_shape&, const stencil_shape&) = default;
};

/// Where a stencil's call lies in the grid that its hoods look around in, if that is not the whole grid. Of vectors and
/// matrices; a vector has one row.
struct grid_part {
    std::size_t rows = 0, cols = 0; ///< of the grid; no rows: the call is the whole grid
    std::size_t row = 0, col = 0;   ///< of the call's first position in it
    bool given() const noexcept { return rows > 0; }
    friend bool operator==(const grid_part&, const grid_part&) = default;
};

/// One operand as one block of work sees it. Lengths count elements.
///   element: element (r, c) of the block is data[r * ld + c * stride]
///   uniform, scalar: *data
///   row_element: data[r * ld]; column_element: data[r * ld + c * stride], ld is 0 unless it is a transposed matrix
///   vec: data[0 .. cols), contiguous
///   row_vec: data[r * ld + k], k < cols; column_vec: data[c * stride + k], k < cols; see moves()
///   In all_pairs the elements of such a vector have a step of their own: row_vec: data[r * ld + k * stride];
///   column_vec, read whole on either side: data[p * stride + k * ld] for row p of the side.
///   mat: element (r, c) is data[r * ld + c]; rows x cols
///   hood: as element; what lies around the block is said elsewhere (hood_view). The CPU's trampolines have it: the
///     memory around the block holds what the hoods may read, `ld` from row to row and `plane` from plane to plane.
///     Hood operands are whole containers (ld: the columns of the call), or, of a grid_part, the grid's lines beside
///     its positions (ld: the columns of the grid), each from its start on.
///   hood_source: as hood, but that functions see the element at the position
///   mapped_hood: border_rule::constant: *data is the border's value, a host pointer everywhere; the CPU's trampolines
///     get it as a hood
struct slot_view {
    void* data;         ///< host pointer, CUDA device pointer, or cl_mem; uniforms are host pointers everywhere
    std::size_t offset; ///< bytes to add to a cl_mem; 0 elsewhere
    std::size_t rows, cols, ld, stride;
    std::size_t plane = 0; ///< hood3: elements from one plane to the next; hood1: from one element to the next
};

/// A rectangle of the call's index space in which every element operand lies in one tile.
struct segment {
    std::size_t rows, cols; ///< extent; a vector has one row
    std::size_t row0, col0; ///< position of its first element in the call
};

/// How the positions of a call count up. Converts from and to its columns, for those who need no more.
struct index_widths {
    std::size_t cols;  ///< columns of the whole call: index1 = row * cols + column
    std::size_t line;  ///< tensors: extent of the last axis; column = (... * line) + position on the last axis
    std::size_t plane; ///< tensors of rank 4: extent of the last two axes together
    index_widths(std::size_t columns) : cols(columns), line(columns), plane(columns) {}
    index_widths(std::size_t columns, std::size_t last, std::size_t last_two)
        : cols(columns), line(last), plane(last_two)
    {
    }
    operator std::size_t() const { return cols; }
};

struct lockstep_steps;

/// What the CPU trampolines get: one segment (or a part of one) and one slot_view per slot of the recipe.
struct cpu_block {
    segment where;
    index_widths width; ///< of the whole call
    const slot_view* slots;
    const recipe* what = nullptr;          ///< where it may be needed for a message: SKELRT_CHECK
    const lockstep_steps* steps = nullptr; ///< cpu_functions::lockstep only: what to do at every position
};

/// A panel of all_pairs: rows first .. first + count of one side, their elements k0 .. k0 + depth.
struct pair_panel {
    const slot_view* slots; ///< of the segment
    std::size_t first, count;
    std::size_t origin;           ///< number in the side of the row that the slots begin with
    std::size_t k0, depth, width; ///< width: elements of a whole row
    const recipe* what = nullptr; ///< as in cpu_block
};

/// A tile of all_pairs' result: two packed panels of the side's tile width and what they are combined into.
struct pair_tile {
    const void *left, *right;
    std::size_t depth;
    void* result;
    std::size_t ld, rows, cols;         ///< rows and cols: what of the tile exists
    const void* start;                  ///< null, or what comes in front
    bool begun;                         ///< result holds what comes in front instead
    const void* sum_factor = nullptr;   ///< recipe::scale: null, or what the zipped values' sum is multiplied by
    const void* front_factor = nullptr; ///< the same of what the result holds
};

/// all_pairs on the CPU: the typed parts of a matrix product; its loops are in codelets/cpu/pairs/all_pairs.cpp.
struct pair_functions {
    unsigned tile_rows, tile_cols;
    std::uint32_t left_size, right_size; ///< bytes of a packed value
    /// Strips of tile_rows (tile_cols) rows, one after the other; in a strip, depth times the values of its rows. Rows
    /// that do not exist repeat the last.
    void (*pack_left)(const pair_panel&, void* to);
    void (*pack_right)(const pair_panel&, void* to);
    /// result = front op (zip(left, right) op ...) for all pairs of the tile, in the order of k.
    void (*tile)(const pair_tile&);
};

/// Two sorted runs of items, and which part of them merged, counted from the first, goes to `out`.
struct merge_part {
    const void* left;
    std::size_t left_count;
    const void* right;
    std::size_t right_count;
    std::size_t first, last;
    void* out;
};

/// sort on the CPU: its typed parts; shares and rounds are in codelets/cpu/sort.cpp. An item is what is moved about: a
/// mapped value, or one with the value that is sorted along.
struct sort_functions {
    std::uint32_t item_size;
    bool plain; ///< items are the results
    /// From the operands of a block (of one row) to items, and from items to its results.
    void (*load)(const cpu_block&, void* items);
    void (*store)(const cpu_block&, const void* items);
    /// Both are stable.
    void (*sort)(void* items, std::size_t count);
    void (*merge)(const merge_part&);
    /// Whether one item comes in front of another whatever their places.
    bool (*before)(const void* item, const void* other);
};

/// wavefront: what lies around a block, and where its results go. A step of 0: the same value everywhere.
struct block_front {
    const void* above; ///< the result above column c of the block lies c * above_step elements on
    std::size_t above_step;
    const void* left; ///< the same for rows
    std::size_t left_step;
    const void* corner; ///< above and to the left of the block's first position
    slot_view result;
};

/// Typed code behind plain function pointers, instantiated in the user's translation unit.
/// The loops are sequential and vectorised; threads are the core's business.
struct cpu_functions {
    /// map: writes the result slot (the last one) of the block.
    void (*map)(const cpu_block&) = nullptr;
    /// stencils: the same for every other column of one row, `first` (0 or 1) being the first. May write to a hood's
    /// memory if the function sees there only columns that stay as they are, and its own.
    void (*every_other)(const cpu_block&, std::size_t first) = nullptr;
    /// stencils: elements from row to row of hoods at which `map` is fastest, with these operands; null, or 0: all are
    /// alike.
    std::size_t (*pitch)(const slot_view* slots) = nullptr;
    /// stencils of one function in matrices: the same as map, by the steps that the function takes at every position.
    /// Behind the last rows of hoods, lockstep_read_ahead bytes can be read. Null: results are neither float nor
    /// double, or the function gets nothing that its loops could depend on.
    void (*lockstep)(const cpu_block&) = nullptr;
    /// stencils whose border is none, in a larger function: the same as map for positions whose hoods leave the grid.
    /// Hoods are read at their position only.
    void (*edge)(const cpu_block&) = nullptr;
    /// reduce, scan: *acc = started ? op(*acc, reduction of the block) : reduction of the block. Keeps the order of
    /// operands. accumulate: changes a copy, which begins as nothing unless `started`; null: the containers themselves.
    void (*fold)(const cpu_block&, void* acc, bool started) = nullptr;
    /// reduce_rows: acc[r] = reduction of row r of the block, r counted from the block's first one.
    void (*fold_rows)(const cpu_block&, void* acc) = nullptr;
    /// reduce_columns, scan_columns: acc[c] = op(acc[c], column c of the block), c counted from the block's first one.
    void (*fold_columns)(const cpu_block&, void* acc, bool started) = nullptr;
    /// acc[i] = op(acc[i], other[i]) for i < count.
    void (*combine)(void* acc, const void* other, std::size_t count) = nullptr;
    /// accumulate, of accumulator number `which`: acc[i] = what copies begin with, and acc[i] joined with other[i], for
    /// i < count.
    void (*clear)(unsigned which, void* acc, std::size_t count) = nullptr;
    void (*join)(unsigned which, void* acc, const void* other, std::size_t count) = nullptr;
    /// scan, scan_rows: writes the running values of the block, row after row, to the result slot, behind the state's
    /// if `started`. The state has scan_state bytes, of which the first are the running value, before and afterwards;
    /// the rest is zeros where a chain of blocks begins. Exclusive and not `started`: the block's first result is not
    /// written.
    void (*scan)(const cpu_block&, void* state, bool started) = nullptr;
    std::uint32_t scan_state = 0;
    /// scan_columns: the same down each column; acc[c] for column c counted from the block's first.
    void (*scan_columns)(const cpu_block&, void* acc, bool started) = nullptr;
    /// scan: result = op(*front, result) for all results of the block; with `first_missing` the first becomes *front.
    /// Null where results are only a part of the running values.
    void (*put_in_front)(const cpu_block&, const void* front, bool first_missing) = nullptr;
    /// filter: writes the elements of the block that are kept, one after the other; returns how many. `to` has room for
    /// all.
    std::size_t (*filter)(const cpu_block&, void* to) = nullptr;
    /// filter that keeps others: how many filter() would write; the same with what it leaves out at `others`, which has
    /// room for all as well.
    std::size_t (*count_kept)(const cpu_block&) = nullptr;
    std::size_t (*partition)(const cpu_block&, void* to, void* others) = nullptr;
    /// wavefront: writes all results of the block.
    void (*wavefront)(const cpu_block&, const block_front&) = nullptr;
    /// all_pairs.
    const pair_functions* pairs = nullptr;
    const sort_functions* sort = nullptr;
    /// Calls the fused function on the block and throws the results away: measures its cost, touches nothing.
    void (*probe)(const cpu_block&) = nullptr;
};

/// A map under a hood: the elements that hoods of one slot hold are results of function calls, made where they are
/// needed.
struct hood_map {
    unsigned first;                ///< slots first to slot - 1 are what it reads: hood sources, uniform values, scalars
    unsigned slot;                 ///< the mapped hood; on the CPU, where the map's results go
    unsigned first_call, call;     ///< the calls that belong to it; the last one gives the element
    void (*map)(const cpu_block&); ///< writes the results; its slots are those from `first` on, sources are elements
};

/// A member of the struct that a map with several results returns.
struct result_member {
    unsigned slot;        ///< where it is stored: an output slot, or the result slot
    std::uint32_t offset; ///< bytes in front of it in the struct
};

struct recipe {
    skeleton kind = skeleton::map;
    std::string name;                         ///< for messages and traces: "map (app.cpp:12)"
    caller first_at;                          ///< where the skeleton was made whose call was described first
    std::vector<slot_type> slots;             ///< inputs in order; a map's result is the last slot
    std::vector<function_call> calls;         ///< in order of evaluation
    argument root{argument_kind::slot, 0};    ///< the mapped value: what map stores and reduce reduces
    const function_source* combine = nullptr; ///< reduce: the associative operator (T, T) -> T
                                              ///< sort: the comparator (T, T) -> bool; null: <
    /// all_pairs: multiplies (T, T) -> T. The two slots in front of the result are uniform then, and factors: of what
    /// is combined, and of what the result holds. Null: there are none.
    const function_source* scale = nullptr;
    std::string_view result; ///< type of what is stored: the element, or the accumulator's, of several words of 8
                             ///< bytes; scans: of running values, of which the result slot's type may be a part
    std::uint32_t result_size = 0, result_align = 0;
    const unsigned char* result_bytes = nullptr; ///< as slot_type::value_bytes
    std::vector<result_member> members;          ///< several results: root is a struct; empty: root is what is stored
    stencil_shape stencil;                       ///< stencil: the same for all hood operands
    std::vector<hood_map> hood_maps;             ///< stencil: in the order of their slots
    accumulate_rule rule = accumulate_rule::add; ///< accumulate: of the first accumulator; one copy is the only one
    bool exclusive = false;    ///< scans: an element's result is what comes before it; there is a start value then
    bool keeps_others = false; ///< filter: elements that are left out come behind those that are kept, in order
    /// wavefront: the two slots in front of the result are the row above the matrix and the column to its left (vec),
    /// and slot 0 is the corner between them; otherwise slot 0 is what lies all around.
    bool has_edges = false;
    cpu_functions cpu;

    std::uint64_t bytes_per_element = 0; ///< element operands read and written per position
    std::uint32_t id = 0;                ///< number in the registry
    std::uint64_t key = 0;               ///< the same wherever this recipe stands, in every run of every program

    /// Kernels of each backend: built on first use, owned by the backend, never freed before the process ends.
    mutable std::atomic<void*> cuda_kernels{nullptr}, opencl_kernels{nullptr};
    /// What a stencil's function does at every position, see src/function/steps/known.hpp; stays as the kernels do.
    mutable std::atomic<void*> steps{nullptr};
    /// What is known of the functions on each kind of device: see src/lowering/checks/device_trust.hpp.
    mutable std::atomic<std::uint8_t> device_trust{0};

    recipe() = default;
    recipe(const recipe&) = delete;
    recipe& operator=(const recipe&) = delete;
};

/// The map under a hood to which a function call belongs; null: none, it is a call of the fused function.
inline const hood_map* hood_map_of(const recipe& r, std::size_t call)
{
    for (const hood_map& m : r.hood_maps)
        if (call >= m.first_call && call <= m.call) return &m;
    return nullptr;
}

/// Whether the function of a stencil whose border is none is only a part of what positions are given.
inline bool keeps_within(const recipe& r)
{
    for (std::size_t i = 0; i < r.calls.size(); ++i)
        if (r.calls[i].kept_slot >= 0 && (r.root.kind != argument_kind::call || r.root.which != i)) return true;
    return false;
}

/// Whether a sort moves values along with its keys: slots 0 and 1 are keys and values, slot 2 takes the values.
inline bool sorts_by_key(const recipe& r)
{
    return r.kind == skeleton::sort && r.slots.size() > 1 && r.slots[r.slots.size() - 2].kind == slot_kind::output;
}

/// Whether a type's order without a comparator has to think of NaN; see detail::ascending.
inline bool is_floating(std::string_view type) { return type == "float" || type == "double"; }

/// Remembers a copy of a SKELRT_SHARED text. Called by static initialisers, in the order of the definitions.
SKELRT_API void register_shared(const function_source& text);

} // namespace skelrt::detail
