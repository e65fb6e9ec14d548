// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "by_key.hpp"

namespace skelrt
{

namespace detail
{

/// Marks where segments begin; those without elements at the very end begin nowhere.
template <class I>
struct mark_segment {
    static constexpr const char* name = "sk::reduce_segments";
    static constexpr const char* text =
        "(skelrt::index1 segment, skelrt::vec<$0> offsets, skelrt::accumulator<unsigned> heads) { "
        "const unsigned long at = (unsigned long)offsets[segment.i]; if (at < heads.size()) heads.add(at, 1u); }";
    void operator()(index1 segment, vec<I> offsets, accumulator<unsigned> heads) const
    {
        const auto at = static_cast<std::size_t>(offsets[segment.i]);
        if (at < heads.size()) heads.add(at, 1u);
    }
};

struct is_head {
    static constexpr const char* name = "sk::reduce_segments";
    static constexpr const char* text = "(unsigned count) { return (unsigned char)(count != 0 ? 1 : 0); }";
    unsigned char operator()(unsigned count) const { return static_cast<unsigned char>(count != 0 ? 1 : 0); }
};

/// The last value of each segment; of one without elements any.
template <class T, class I>
struct last_of_segment {
    static constexpr const char* name = "sk::reduce_segments";
    static constexpr const char* text = "(skelrt::index1 segment, skelrt::vec<$1> offsets, skelrt::vec<$0> scanned) { "
                                        "const unsigned long first = (unsigned long)offsets[segment.i]; "
                                        "const unsigned long end = (unsigned long)offsets[segment.i + 1]; "
                                        "return scanned[end > first ? end - 1 : 0]; }";
    T operator()(index1 segment, vec<I> offsets, vec<T> scanned) const
    {
        const auto first = static_cast<std::size_t>(offsets[segment.i]);
        const auto end = static_cast<std::size_t>(offsets[segment.i + 1]);
        return scanned[end > first ? end - 1 : 0];
    }
};

template <class T, class I>
struct unless_empty {
    static constexpr const char* name = "sk::reduce_segments";
    static constexpr const char* text = "(skelrt::index1 segment, skelrt::vec<$1> offsets, $0 start, $0 reduced) { "
                                        "return offsets[segment.i] == offsets[segment.i + 1] ? start : reduced; }";
    T operator()(index1 segment, vec<I> offsets, T start, T reduced) const
    {
        return offsets[segment.i] == offsets[segment.i + 1] ? start : reduced;
    }
};

template <class T>
struct only_value {
    static constexpr const char* name = "sk::fill";
    static constexpr const char* text = "($0 value) { return value; }";
    T operator()(T value) const { return value; }
};

template <class I>
void check_offsets(const vector<I>& offsets)
{
    static_assert(std::is_integral_v<I>, "skelrt: the offsets of segments are whole numbers");
    if (offsets.empty()) throw_no_offsets();
}

/// 1 where a segment begins, as a call.
template <class I>
auto segment_heads(const vector<I>& offsets, std::size_t n)
{
    vector<unsigned> count(n, 0u);
    const for_each mark(own_function<mark_segment<I>, I>());
    if (offsets.size() > 1 && n > 0) mark(shape(offsets.size() - 1), offsets, count);
    return map(own_function<is_head>())(count);
}

} // namespace detail

/// Combines the elements of segments: result j is start op x[offsets[j]] op ... op x[offsets[j + 1] - 1].
///
///     sk::vector<float> row_sums = sk::reduce_segments(values, row_begin, sk::plus, 0.0f);
///
/// `offsets` are one more than there are segments, whole numbers in ascending order from 0 to the number of values, as
/// in the rows of a sparse matrix (CSR); they are not checked. A segment without elements gives the start value.
/// Asynchronous. O(n), however long the longest segment is; memory as for sk::scan_by_key, and 4 bytes an element.
/// Errors (sk::error): no offsets at all.
template <class Values, class Offsets, class Op, class Start>
auto reduce_segments(const Values& values, const Offsets& offsets, const function<Op>& op, const Start& start)
{
    using V = detail::operand_element<Values>;
    using I = detail::operand_element<Offsets>;
    static_assert(detail::check_keyed_operator<Op, V>());
    using T = detail::reduced_from<Op, V, Start>;
    const auto& at = detail::stored(offsets);
    detail::check_offsets(at);
    const T front = *detail::start_of<T>(start);
    const auto& seen = detail::counted(values);
    const std::size_t n = detail::operand_size(seen, "sk::reduce_segments");
    const shape segments(at.size() - 1);
    if (n == 0) return vector<T>(at.size() - 1, front);
    const vector<T> scanned = detail::scan_runs<T>(detail::segment_heads(at, n), seen, op);
    const map combine(op);
    return vector<T>(map(detail::own_function<detail::unless_empty<T, I>, T, I>())(
        segments, at, front,
        combine(front, map(detail::own_function<detail::last_of_segment<T, I>, T, I>())(segments, at, scanned))));
}

/// Running reductions within each segment: see sk::scan_by_key and sk::reduce_segments.
template <class Values, class Offsets, class Op>
auto scan_segments(const Values& values, const Offsets& offsets, const function<Op>& op)
{
    using V = detail::operand_element<Values>;
    static_assert(detail::check_keyed_operator<Op, V>());
    using T = detail::reduced<Op, V>;
    const auto& at = detail::stored(offsets);
    detail::check_offsets(at);
    const auto& seen = detail::counted(values);
    const std::size_t n = detail::operand_size(seen, "sk::scan_segments");
    return detail::scan_runs<T>(detail::segment_heads(at, n), seen, op);
}

/// The same of what comes before: `start` where a segment begins.
template <class Values, class Offsets, class Op, class Start>
auto exclusive_scan_segments(const Values& values, const Offsets& offsets, const function<Op>& op, const Start& start)
{
    using V = detail::operand_element<Values>;
    static_assert(detail::check_keyed_operator<Op, V>());
    using T = detail::reduced_from<Op, V, Start>;
    const auto& held = detail::stored(values);
    const auto& at = detail::stored(offsets);
    detail::check_offsets(at);
    const T front = *detail::start_of<T>(start);
    return detail::scan_before_runs<T>(detail::segment_heads(at, held.size()), held, op, front);
}

} // namespace skelrt
