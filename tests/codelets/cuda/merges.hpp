// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../recipes.hpp"

#include <skelrt/algorithms/merge.hpp>

/// A call of sk::merge, as the front end describes it.
template <class T, class Less = decltype(skelrt::detail::ascending_order)::lambda>
void describe_merge(recipes::builder& b, const skelrt::function<Less>& less = skelrt::detail::ascending_order)
{
    using skelrt::detail::slot_kind;
    using element = skelrt::detail::merged_element<T, Less>;
    b.slots({recipes::slot<T>(slot_kind::vec), recipes::slot<T>(slot_kind::vec),
             recipes::slot<std::size_t>(slot_kind::vec), recipes::element<T>()})
        .template call<T>(skelrt::detail::own_function_calling<element, T, T>(less).source(),
                          {recipes::at1(), recipes::operand(0), recipes::operand(1), recipes::operand(2)})
        .template result<T>();
}
