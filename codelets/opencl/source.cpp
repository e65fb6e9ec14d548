// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/opencl/source.hpp"

#include "codelets/sparse/row_blocks.hpp"

#include "codelets/accumulated.hpp"
#include "codelets/index_fault.hpp"
#include "src/function/own/own_types.hpp"
#include "src/function/sides.hpp"

#include <skelrt/detail/index_checks.hpp>

#include <fmt/format.h>

namespace skelrt::detail::opencl
{
namespace
{

/// What every program starts with, behind the user's functions.
constexpr std::string_view preamble = R"CL(
static inline ulong part_begin(ulong n, ulong part, ulong parts)
{
    const ulong rest = n % parts;
    return n / parts * part + (part < rest ? part : rest);
}

#ifdef SKELRT_CPU /* neighbouring elements belong to one work-item: the inner loop becomes vector instructions */
#define FOR_MY_PART(i, n, d)                                                                          \
    for (ulong i = part_begin(n, get_global_id(d), get_global_size(d)),                               \
               end_##i = part_begin(n, get_global_id(d) + 1, get_global_size(d)); i < end_##i; ++i)
#else             /* neighbouring elements belong to neighbouring work-items: memory is read in whole lines */
#define FOR_MY_PART(i, n, d) for (ulong i = get_global_id(d); i < (n); i += get_global_size(d))
#endif
)CL";

bool is_result(const recipe& what, std::size_t k) { return has_result_slot(what.kind) && k + 1 == what.slots.size(); }

/// One slot as parameters and variables of a kernel.
struct slot_text {
    std::string types, parameters, variables;
    std::string at, flat; ///< the argument of skelrt_value at (r, c), and at i of dense memory
};

slot_text element_text(std::size_t k, const std::string& type, bool result)
{
    const auto stored = storage_type(type);
    const char* qualifier = result ? "" : "const ";
    return {"", fmt::format("__global uchar* b{0}, ulong o{0}, ulong ld{0}, ulong st{0}", k),
            fmt::format("__global {0}{1}* s{2} = (__global {0}{1}*)(b{2} + o{2});", qualifier, stored, k),
            fmt::format("s{0}[(r) * ld{0} + (c) * st{0}]", k), fmt::format("s{}[i]", k)};
}

/// The function gets a pointer.
slot_text output_text(std::size_t k, const std::string& type)
{
    auto text = element_text(k, type, true);
    text.at = "&" + text.at;
    text.flat = "&" + text.flat;
    return text;
}

/// An element per row, or per column: the stride of the other axis is 0. A segment of one row is dense if the elements
/// are.
slot_text side_text(std::size_t k, const std::string& type)
{
    auto text = element_text(k, type, false);
    text.flat = fmt::format("s{0}[(i) * st{0}]", k);
    return text;
}

/// The rows of a matrix, as views.
slot_text side_vec_text(std::size_t k, const std::string& type)
{
    const auto last = checks_bounds() ? fmt::format(", &skelrt_here, {}ul", k) : "";
    const auto at = fmt::format("(({1}){{s{0}.p + (r) * ld{0} + (c) * st{0}, s{0}.n{2}}})", k, type, last);
    const auto flat = fmt::format("(({1}){{s{0}.p + (i) * st{0}, s{0}.n{2}}})", k, type, last);
    return {"", fmt::format("__global uchar* b{0}, ulong o{0}, ulong n{0}, ulong ld{0}, ulong st{0}", k),
            fmt::format("{1} s{0}; s{0}.p = (__typeof__(s{0}.p))(b{0} + o{0}); s{0}.n = n{0};", k, type), at, flat};
}

/// An operand of all_pairs: two steps, and the length of a row that is the same for all.
slot_text pair_text(std::size_t k, const std::string& type)
{
    auto text = element_text(k, type, false);
    text.parameters = fmt::format("__global uchar* b{0}, ulong o{0}, ulong n{0}, ulong ld{0}, ulong st{0}", k);
    return text;
}

/// By value, as bytes: a kernel's parameter may be neither bool nor a struct that has one.
slot_text uniform_text(std::size_t k, const std::string& type, std::uint32_t size)
{
    const auto name = fmt::format("s{}", k);
    return {fmt::format("typedef struct {{ uchar bytes[{}]; }} skelrt_bytes{};\n", size, k),
            fmt::format("skelrt_bytes{0} u{0}", k),
            fmt::format(
                "union {{ skelrt_bytes{0} bytes; {1} value; }} w{0}; w{0}.bytes = u{0}; const {1} s{0} = w{0}.value;",
                k, type),
            name, name};
}

slot_text scalar_text(std::size_t k, const std::string& type)
{
    const auto name = fmt::format("s{}", k);
    return {"", fmt::format("__global uchar* b{0}, ulong o{0}", k),
            fmt::format("const {0} s{2} = *(__global const {1}*)(b{2} + o{2});", type, storage_type(type), k), name,
            name};
}

/// The pointer in the view is the first member; its type is the one of the member, which C finds by itself.
slot_text view_text(std::size_t k, const std::string& type, bool is_vec)
{
    const auto name = fmt::format("s{}", k);
    const char* sizes = is_vec ? "ulong n{0}" : "ulong rows{0}, ulong cols{0}, ulong ld{0}";
    const char* values = is_vec ? "s{0}.n = n{0};" : "s{0}.rows = rows{0}; s{0}.cols = cols{0}; s{0}.ld = ld{0};";
    return {"", fmt::format("__global uchar* b{0}, ulong o{0}, ", k) + fmt::format(fmt::runtime(sizes), k),
            fmt::format("{1} s{0}; s{0}.p = (__typeof__(s{0}.p))(b{0} + o{0}); ", k, type) +
                fmt::format(fmt::runtime(values), k) +
                (checks_bounds() ? fmt::format(" s{0}.at = &skelrt_here; s{0}.slot = {0};", k) : ""),
            name, name};
}

/// What lies around a segment, and the border's value by value, like a uniform.
slot_text hood_text(std::size_t k, const std::string& type, const recipe& what)
{
    const bool constant = what.stencil.border == border_rule::constant && what.slots[k].kind == slot_kind::hood;
    slot_text text;
    text.parameters =
        fmt::format("__global uchar* b{0}, ulong o{0}, __global uchar* bb{0}, ulong bo{0}, ulong bh{0}, "
                    "__global uchar* ba{0}, ulong ao{0}, ulong ah{0}, ulong g1{0}, ulong g2{0}, int cut{0}",
                    k);
    text.variables =
        fmt::format("{1}_around a{0}; a{0}.data = (__global const {1}_element*)(b{0} + o{0}); "
                    "a{0}.before = (__global const {1}_element*)(bb{0} + bo{0}); a{0}.after = (__global const "
                    "{1}_element*)(ba{0} + "
                    "ao{0}); a{0}.s.has_before = bh{0} != 0; a{0}.s.has_after = ah{0} != 0; a{0}.s.cut = cut{0}; "
                    "a{0}.s.n0 = SKELRT_RANK == 3 ? rows : 1; a{0}.s.n1 = SKELRT_RANK == 3 ? g1{0} : rows; "
                    "a{0}.s.n2 = cut{0} == 2 ? cols : g2{0}; ",
                    k, type);
    if (!constant) return text;
    text.types = fmt::format("typedef struct {{ uchar bytes[{}]; }} skelrt_bytes{};\n", what.slots[k].size, k);
    text.parameters += fmt::format(", skelrt_bytes{0} u{0}", k);
    text.variables += fmt::format("union {{ skelrt_bytes{0} bytes; {1}_element value; }} w{0}; w{0}.bytes = u{0}; "
                                  "a{0}.outside = w{0}.value;",
                                  k, type);
    return text;
}

/// Each work-group changes one of `copies` copies, which follow each other.
slot_text accumulator_text(std::size_t k, const std::string& type, accumulate_rule rule)
{
    slot_text text = view_text(k, type, true);
    text.parameters += fmt::format(", ulong copies{}", k);
    text.variables +=
        fmt::format(" s{0}.p += (get_group_id(0) + get_group_id(1) * get_num_groups(0)) % copies{0} * n{0};", k);
    if (!has_one_copy(rule)) text.variables += fmt::format(" s{}.is_near = 0;", k);
    return text;
}

slot_text text_of(const recipe& what, const translation& functions, std::size_t k)
{
    const auto& slot = what.slots[k];
    const auto& type = functions.slot_types[k];
    if (what.kind == skeleton::all_pairs && moves(slot.kind) && !is_result(what, k)) return pair_text(k, type);
    switch (slot.kind) {
    case slot_kind::element:
        return element_text(k, type, is_result(what, k));
    case slot_kind::output:
        return output_text(k, type);
    case slot_kind::row_element:
    case slot_kind::column_element:
        return side_text(k, type);
    case slot_kind::row_vec:
    case slot_kind::column_vec:
        return side_vec_text(k, type);
    case slot_kind::uniform:
        return uniform_text(k, type, slot.size);
    case slot_kind::scalar:
        return scalar_text(k, type);
    case slot_kind::vec:
        return view_text(k, type, true);
    case slot_kind::accumulator:
        return accumulator_text(k, type, slot.rule);
    case slot_kind::mat:
        return view_text(k, type, false);
    case slot_kind::hood:
    case slot_kind::hood_source:
        return hood_text(k, type, what);
    case slot_kind::mapped_hood: // the border's value
        return uniform_text(k, type + "_element", slot.size);
    }
    return {};
}

/// all_pairs: LEFT(i, k) and RIGHT(j, k), element k of row i of the segment and of row j of the right side.
std::string side_macro(const recipe& what, const translation& functions, const argument& side, const char* macro,
                       const char* function, const char* row)
{
    std::string list, step = "1";
    for (const std::size_t k : parts_of(what, side).slots) {
        if (what.slots[k].kind == slot_kind::row_vec) {
            list += fmt::format("s{0}[(i) * ld{0} + (k) * st{0}], ", k);
            step = fmt::format("st{}", k);
        } else if (what.slots[k].kind == slot_kind::column_vec) {
            list += fmt::format("s{0}[({1}) * st{0} + (k) * ld{0}], ", k, row);
            step = fmt::format("ld{}", k);
        } else {
            list += text_of(what, functions, k).at + ", ";
        }
    }
    return fmt::format(
        "#define {0}(i, k) AT({3}, k, {1}({2}(skelrt_index1){{({3}) * depth + (k)}}, (skelrt_index2){{{3}, k}}))\n"
        "#define {0}_STEP {4} /* between neighbours of a row */\n",
        macro, function, list, row, step);
}

/// What a sum and what the result holds become before they are combined.
std::string factor_macros(const recipe& what)
{
    if (what.scale == nullptr) return "#define SCALED_SUM(v) v\n#define SCALED_FRONT(v) v\n";
    return fmt::format("#define SCALED_SUM(v) skelrt_scale(s{}, v)\n#define SCALED_FRONT(v) skelrt_scale(s{}, v)\n",
                       what.slots.size() - 3, what.slots.size() - 2);
}

std::string pair_macros(const recipe& what, const translation& functions)
{
    if (what.kind != skeleton::all_pairs) return "";
    const auto& sides = what.calls.back().arguments;
    return fmt::format("#define LEFT_TYPE {}\n#define RIGHT_TYPE {}\n", storage_type(functions.left_type),
                       storage_type(functions.right_type)) +
           side_macro(what, functions, sides[0], "LEFT", "skelrt_left", "row0 + (i)") +
           side_macro(what, functions, sides[1], "RIGHT", "skelrt_right", "i") + factor_macros(what);
}

std::string call_macros(const recipe& what, const translation& functions)
{
    std::string types, parameters, variables, at, flat, result;
    for (std::size_t k = 0; k < what.slots.size(); ++k) {
        const auto slot = text_of(what, functions, k);
        types += slot.types;
        parameters += slot.parameters + ", ";
        variables += slot.variables + " ";
        if (is_result(what, k)) {
            result = fmt::format("#define STORE_AT(r, c) {}\n#define STORE_FLAT(i) {}\n", slot.at, slot.flat);
        } else {
            at += slot.at + ", ";
            flat += slot.flat + ", ";
        }
    }
    if (what.kind == skeleton::wavefront) at += "before, ", flat += "before, ";
    const char* const kept = what.kind == skeleton::filter ? ", &kept" : "";
    const bool checked = checks_indices(what);
    if (checked)
        variables =
            "skelrt_place skelrt_here; skelrt_here.fault = skelrt_fault; skelrt_here.width = width; " + variables;
    return types + result + fmt::format("#define RESULT {}\n", storage_type(functions.result_type)) +
           fmt::format("#define CALL_PARAMETERS {}ulong rows, ulong cols, ulong row0, ulong col0, ulong width, "
                       "ulong line, ulong plane{}\n",
                       parameters, checked ? ", __global ulong* skelrt_fault" : "") +
           fmt::format("#define CALL_VARIABLES {}\n", variables) +
           (checked ? "#define AT(y, x, value) (skelrt_here.row = (y), skelrt_here.col = (x), value)\n"
                    : "#define AT(y, x, value) value\n") +
           fmt::format("#define VALUE(r, c) AT(row0 + (r), col0 + (c), skelrt_value({}(skelrt_index1){{(row0 + (r)) * "
                       "width + col0 + (c)}}, "
                       "(skelrt_index2){{row0 + (r), col0 + (c)}}, line, plane{}))\n",
                       at, kept) +
           (functions.sum_type.empty()
                ? ""
                : fmt::format(
                      "#define VALUE_WITH_SUM(r, c, sum) skelrt_value_with_sum({}(skelrt_index1){{(row0 + (r)) * "
                      "width + col0 + (c)}}, (skelrt_index2){{row0 + (r), col0 + (c)}}, line, plane, sum)\n",
                      at)) +
           fmt::format("#define FLAT_VALUE(i) AT(row0, col0 + (i), skelrt_value({}(skelrt_index1){{row0 * width + col0 "
                       "+ (i)}}, "
                       "(skelrt_index2){{row0, col0 + (i)}}, line, plane{}))\n",
                       flat, kept);
}

/// Of what the functions add to.
std::string copies_kernels(const recipe& what, const translation& functions)
{
    std::string joins, parameters, begin, end;
    unsigned which = 0;
    for (std::size_t k = 0; k < what.slots.size(); ++k) {
        if (what.slots[k].kind != slot_kind::accumulator) continue;
        const std::string& type = functions.slot_types[k];
        joins += join_kernel(which++, type);
        parameters += fmt::format(", ulong nothing{}", k);
        begin += fmt::format("NEAR_BEGIN({0}, s{1}, nothing{1}) ", type, k);
        end += fmt::format("NEAR_END({0}, s{1}, nothing{1}) ", type, k);
    }
    return joins +
           fmt::format("#define NEAR_PARAMETERS , __local ulong* room, ulong near{}\n#define ALL_NEAR_BEGIN {}\n"
                       "#define ALL_NEAR_END {}\n",
                       parameters, begin, end) +
           near_kernels();
}

std::string skeleton_text(const recipe& what, const translation& functions)
{
    switch (what.kind) {
    case skeleton::all_pairs:
        return pair_kernels();
    case skeleton::map:
        return map_kernels() + row_sum_kernels(what, functions);
    case skeleton::accumulate:
        return accumulate_kernels() + (has_one_copy(what.rule) ? "" : copies_kernels(what, functions));
    case skeleton::filter:
        return filter_kernels(what);
    case skeleton::reduce:
        return reduce_kernels();
    case skeleton::reduce_rows:
        return row_kernels();
    case skeleton::reduce_columns:
        return column_kernels();
    case skeleton::scan:
        return reduce_kernels() + scan_kernels();
    case skeleton::scan_rows:
        return scan_row_kernels();
    case skeleton::scan_columns:
        return scan_column_kernels();
    case skeleton::sort:
        return sort_kernels(what, functions);
    case skeleton::stencil:
        return stencil_kernels(what, functions);
    case skeleton::wavefront:
        return wavefront_kernels(what, functions);
    }
    return "";
}

/// A start value comes by value, like a uniform.
std::string start_macros(const recipe& what, const translation& functions)
{
    const bool reduces = what.kind == skeleton::reduce || what.kind == skeleton::reduce_rows ||
                         what.kind == skeleton::reduce_columns || what.kind == skeleton::all_pairs;
    if (!reduces && !is_scan(what.kind)) return "";
    return fmt::format("#define EXCLUSIVE {}\n#define SCAN_FLOATING {}\n#define STORED(running) {}\n",
                       what.exclusive ? 1 : 0, is_floating(what.result) ? 1 : 0,
                       is_headed(what.result) ? "(running).value" : "running") +
           fmt::format("typedef struct {{ uchar bytes[{}]; }} skelrt_start;\n", what.result_size) +
           fmt::format("#define START_VARIABLE union {{ skelrt_start bytes; {0} value; }} start_bytes; "
                       "start_bytes.bytes = start_parameter; const {0} start = start_bytes.value;\n",
                       functions.result_type) +
           R"CL(
#define FRONT_PARAMETERS skelrt_start start_parameter, ulong in_front
/* place = front op value; see enum class front */
#define PUT_BEHIND_FRONT(place, value)                                                                \
    do {                                                                                              \
        if (in_front == 1) place = skelrt_combine(start, value);                                      \
        else if (in_front == 2) place = skelrt_combine(place, value);                                 \
        else place = value;                                                                           \
    } while (0)
)CL";
}

} // namespace

std::string program_source(const recipe& what, const translation& functions)
{
    return functions.text + std::string(preamble) + call_macros(what, functions) + start_macros(what, functions) +
           pair_macros(what, functions) + skeleton_text(what, functions);
}

std::string flat_and_general(std::string_view name, std::string_view text)
{
    constexpr std::string_view end = "#undef NAME\n#undef ELEMENT\n#undef NEXT\n#undef PUT\n";
    return fmt::format("#define NAME {0}_flat\n#define ELEMENT(r, c) FLAT_VALUE(c)\n#define NEXT(r, c) ++c\n"
                       "#define PUT(r, c) STORE_FLAT(c)\n{1}{2}"
                       "#define NAME {0}\n#define ELEMENT(r, c) VALUE(r, c)\n"
                       "#define NEXT(r, c) if (++c == cols) {{ c = 0; ++r; }}\n"
                       "#define PUT(r, c) STORE_AT(r, c)\n{1}{2}",
                       name, text, end);
}

namespace
{

std::vector<std::string> accumulate_kernel_names(const recipe& what)
{
    std::vector<std::string> all{"skelrt_each", "skelrt_each_flat"};
    if (has_one_copy(what.rule)) return all;
    all.insert(all.end(), {"skelrt_each_near", "skelrt_each_near_flat"});
    for (unsigned i = 0; i < accumulator_count(what); ++i) all.push_back(join_kernel_name(i));
    return all;
}

} // namespace

std::vector<std::string> kernel_names(const recipe& what)
{
    switch (what.kind) {
    case skeleton::all_pairs:
        return {"skelrt_pairs", "skelrt_pairs_of_rows"};
    case skeleton::map:
        return sparse::sums_rows(what) ? std::vector<std::string>{"skelrt_map", "skelrt_map_flat", "skelrt_row_sums"}
                                       : std::vector<std::string>{"skelrt_map", "skelrt_map_flat"};
    case skeleton::stencil:
        return {"skelrt_stencil"};
    case skeleton::accumulate:
        return accumulate_kernel_names(what);
    case skeleton::filter:
        return {"skelrt_filter_count", "skelrt_filter_count_flat", "skelrt_filter_fronts", "skelrt_filter",
                "skelrt_filter_flat"};
    case skeleton::reduce:
        return {"skelrt_reduce", "skelrt_reduce_flat", "skelrt_reduce_finish"};
    case skeleton::reduce_rows:
        return {"skelrt_rows", "skelrt_rows_grouped"};
    case skeleton::reduce_columns:
        return {"skelrt_columns", "skelrt_columns_finish"};
    case skeleton::scan:
        return {"skelrt_reduce",    "skelrt_reduce_flat", "skelrt_scan",
                "skelrt_scan_flat", "skelrt_scan_fronts", "skelrt_scan_start"};
    case skeleton::scan_rows:
        return {"skelrt_scan_rows", "skelrt_scan_rows_grouped"};
    case skeleton::scan_columns:
        return {"skelrt_scan_columns", "skelrt_scan_columns_sums", "skelrt_scan_columns_fronts", "skelrt_scan_start"};
    case skeleton::sort:
        return {"skelrt_sort_gather", "skelrt_sort_tiles", "skelrt_sort_merge", "skelrt_sort_scatter"};
    case skeleton::wavefront:
        return {"skelrt_wavefront"};
    }
    return {};
}

} // namespace skelrt::detail::opencl
