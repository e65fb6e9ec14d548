// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../map.hpp"
#include "../runtime.hpp"
#include "../vector.hpp"

/// How vectors get another size: all elements go to new memory, by maps that copy.
namespace skelrt::detail
{

/// Elements of a container or view to those of a vector from `at` on; asynchronous where a runtime lives.
template <class T>
void put_run(const vector<T>& to, std::size_t at, const view1<T>& from)
{
    if (from.empty()) return;
    const placement& p = from.place();
    if (runtime::running()) assign_to_view(to.range(at, from.size()), copy_of(from));
    else copy_run(*to.storage(), at, *from.storage(), p.offset, p.stride, p.cols);
}

template <class T, class Source>
view1<T> elements_of_source(const Source& from, vector<T>& made)
{
    if constexpr (own_container<Source>) {
        constexpr bool fits = Source::rank == 1 && std::is_same_v<typename Source::value_type, T>;
        static_assert(fits, "skelrt: a vector gets elements of its own type, from a vector or a view of one dimension: "
                            "m.row(i), m.column(j), or a map of them");
        if constexpr (std::is_same_v<Source, view1<T>>) return from;
        else if constexpr (fits) return from.range(0, from.size());
    } else if constexpr (expression<Source>) {
        made = from;
    } else {
        made.assign(from);
    }
    return made.range(0, made.size());
}

template <class T, class Source>
void splice(vector<T>& x, std::size_t first, std::size_t erased, const Source& added, const char* call,
            const caller& where)
{
    size_after(x.size(), first, erased, 0, call, where); // before anything is computed
    vector<T> of_source;
    const view1<T> part = elements_of_source<T>(added, of_source);
    if (erased == 0 && part.empty()) return;
    const std::size_t behind = first + erased, n = size_after(x.size(), first, erased, part.size(), call, where);
    vector<T> made(n, uninitialized);
    put_run(made, 0, x.range(0, first));
    put_run(made, first, part);
    put_run(made, first + part.size(), x.range(behind, x.size() - behind));
    x.adopt(made.storage());
}

} // namespace skelrt::detail
