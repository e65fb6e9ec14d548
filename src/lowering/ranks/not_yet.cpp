#include "src/lowering/ranks/not_yet.hpp"

#include "src/lowering/place/storages_of.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <string_view>

namespace skelrt::detail
{

namespace
{

[[noreturn]] void refuse(const call& c, std::string_view what)
{
    throw error(
        fmt::format("not yet over several ranks: {}: {}; run the program as one process: SKELRT_CLUSTER=off, or "
                    "without mpirun",
                    c.site->what.name, what));
}

bool is_scalar(const storage& s) { return s.shape_rows == 1 && s.shape_cols == 1 && !s.whole_rows; }

} // namespace

void refuse_shared_results(const call& c)
{
    for_each_storage(c, [&](const storage& s, bool written) {
        if (written && !s.dealt && !is_scalar(s))
            refuse(c, fmt::format("its result is a container of {} x {} elements that was made while no sk::runtime "
                                  "lived, so that every rank has all of it; make it after the runtime",
                                  s.shape_rows, s.shape_cols));
    });
}

void refuse_unaligned(const call& c, std::size_t slot)
{
    const operand& o = c.operands[slot];
    refuse(c, fmt::format(
                  "operand {}, from element {} of a container of {} x {} on, lies on other ranks than the elements "
                  "that it is computed with",
                  slot + 1, o.offset, o.data->shape_rows, o.data->shape_cols));
}

} // namespace skelrt::detail
