// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "map.hpp"

namespace skelrt
{

/// Makes elements from their position: generate(f)(sk::shape(n)) is the vector of f(0), f(1), ..., and
/// generate(f)(sk::shape(rows, columns)) the matrix; f takes an sk::index1 or sk::index2 first.
///
/// Further arguments, the same for all positions, follow the shape as in sk::map. A lazy map call without element
/// operands: it nests and fuses, so that sum(generate(f)(sk::shape(n))) needs no memory. O(n) calls of f.
/// Errors: as sk::map; an index of another rank than the shape.
template <class Lambda>
class [[nodiscard]] generate
{
public:
    explicit constexpr generate(const function<Lambda>& f, detail::caller where = detail::caller::here())
        : map_(f, where)
    {
    }

    /// See sk::map.
    generate& use(const plan& p)
    {
        map_.use(p);
        return *this;
    }

    template <class... Args>
    auto operator()(const shape& s, const Args&... args) const
    {
        constexpr bool typed = !detail::signature<Lambda>::generic;
        static_assert(typed,
                      "skelrt: sk::generate needs a function whose parameters have types; the first is the index");
        if constexpr (typed) return map_(s, args...);
        else return detail::refused_call{};
    }

private:
    map<Lambda> map_;
};

template <>
class [[nodiscard]] generate<detail::refused> : public detail::refused_skeleton<>
{
public:
    template <class... Args>
    constexpr explicit generate(const Args&... args) : detail::refused_skeleton<>(args...)
    {
    }
};

template <class Lambda>
generate(const function<Lambda>&) -> generate<detail::checked<Lambda>>;
template <class F>
generate(const F&) -> generate<detail::refused>;

} // namespace skelrt
