#pragma once

#include "pairs.hpp"

namespace skelrt
{

/// All pairs of the rows of two matrices.
///
/// all_pairs(f)(A, B): the matrix of f(row i of A, row j of B), where f takes two sk::vec and returns a value; further
/// arguments as for sk::map_pairs. Lazy, and a map call in every respect: it nests, and reductions of it fuse.
/// O(rows of A * rows of B) calls of f. Errors: as sk::map.
template <class Lambda, class Op = void, class Start = void>
class all_pairs;

template <class Lambda>
class all_pairs<Lambda, void, void>
{
public:
    explicit constexpr all_pairs(const function<Lambda>& f) : map_(f) {}

    template <class A, class B, class... Rest>
    auto operator()(const A& a, const B& b, const Rest&... rest) const
    {
        static_assert(A::rank == 2 && B::rank == 2,
                      "skelrt: sk::all_pairs takes two matrices; sk::map_pairs takes vectors");
        return map_(per_row(a), per_column(b), rest...);
    }

private:
    map<Lambda> map_;
};

template <class Lambda>
all_pairs(const function<Lambda>&) -> all_pairs<Lambda>;

} // namespace skelrt
