#pragma once

#include "map.hpp"

namespace skelrt
{

/// Makes elements from their position: generate(f)(sk::shape(n)) is the vector of f(0), f(1), ..., and
/// generate(f)(sk::shape(rows, columns)) the matrix; f takes an sk::index1 or sk::index2 first.
///
/// Further arguments, the same for all positions, follow the shape as in sk::map. A lazy map call without element operands:
/// it nests and fuses, so that sum(generate(f)(sk::shape(n))) needs no memory. O(n) calls of f.
/// Errors: as sk::map; an index of another rank than the shape.
template <class Lambda>
class generate
{
public:
    explicit constexpr generate(const function<Lambda>& f) : map_(f) {}

    /// See sk::map.
    generate& use(const plan& p)
    {
        map_.use(p);
        return *this;
    }

    template <class... Args>
    auto operator()(const shape& s, const Args&... args) const
    {
        static_assert(!detail::signature<Lambda>::generic,
                      "skelrt: sk::generate needs a function whose parameters have types; the first is the index");
        return map_(s, args...);
    }

private:
    map<Lambda> map_;
};

template <class Lambda>
generate(const function<Lambda>&) -> generate<Lambda>;

} // namespace skelrt
