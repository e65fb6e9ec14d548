// SPDX-License-Identifier: BSD-3-Clause
#include <skelrt/detail/items/dealing.hpp>
#include <skelrt/detail/map_call.hpp>

namespace skelrt::detail
{

namespace
{

placement all_of(const extent& x) { return {0, x.rows, x.cols, x.cols, 1, x.inner}; }

storage_ref run_over(const map_call& m, const extent& x, storage_ref made)
{
    made->inner = x.inner;
    run_map(m, x.rank, made.get(), all_of(x));
    return made;
}

} // namespace

void complete_shape(extent& x, const storage* to, int rank, const placement& p, std::size_t argument, const recipe& r)
{
    const extent own = extent_of(rank, p);
    if (to) x.complete(own); // nothing but values and indices: the destination's shape, which may be of no elements
    else if (!x.known()) throw_no_shape(r);
    if (x.rank != rank) throw_shape_mismatch(r, argument, own, x);
}

void run_map(const map_call& m, int rank, storage* data, const placement& to)
{
    const extent x = extent_of(rank, to);
    check_indices(m.indices, x, m.site.what);
    m.operands[m.inputs] = {data, nullptr, to.offset, to.rows, to.cols, to.ld, to.stride};
    call c;
    c.site = &m.site;
    c.set_space(x);
    c.operands = m.operands;
    c.use = m.use;
    c.start = m.start;
    c.depth = m.depth;
    c.part = m.part;
    execute(c);
}

storage_ref run_map_to_new(const map_call& m, const extent& x, std::uint32_t element_size)
{
    return run_over(
        m, x,
        storage_ref(create_result_beside(m.site.what, m.operands, m.inputs, x.rows, x.cols, element_size, x.rank > 1)));
}

storage_ref run_map_to_temporary(const map_call& m, const extent& x, std::uint32_t element_size)
{
    return run_over(m, x, storage_ref(create_result(x.rows, x.cols, element_size, x.rank > 1)));
}

storage_ref run_map_to(storage* data, const placement& to, const map_call& m, const extent& x,
                       std::uint32_t element_size)
{
    if (data && extent_of(x.rank, to) == x) {
        const operand result{data, nullptr, 0, to.rows, to.cols, to.ld, 1};
        if (may_write_in_place(m.site.what, m.operands, result)) {
            run_map(m, x.rank, data, to);
            return {};
        }
    }
    return run_map_to_new(m, x, element_size);
}

} // namespace skelrt::detail
