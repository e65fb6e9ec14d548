#include <skelrt/algorithms/detail/own_function.hpp>
#include <skelrt/error.hpp>

#include <fmt/format.h>

/// What algorithms say of operands that cannot be.
namespace skelrt::detail
{

void throw_other_sizes(const char* call, const char* first, std::size_t count, const char* second, std::size_t other)
{
    throw error(fmt::format("{}: {} {}, but {} {}; pass vectors of one size, or a range of the larger one", call, count,
                            first, other, second));
}

void throw_no_offsets()
{
    throw error("sk::reduce_segments: there are no offsets; n segments have n + 1, the first 0 and the last the number "
                "of values");
}

void throw_rotation(std::size_t first, std::size_t n)
{
    throw error(fmt::format("sk::rotate: element {} cannot come first, for the vector has {}; take it modulo the size",
                            first, n));
}

void throw_top_k(std::size_t k, std::size_t n)
{
    throw error(fmt::format("sk::top_k: the {} largest of {} elements; ask for at most as many as there are", k, n));
}

} // namespace skelrt::detail
