// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../recipes.hpp"

#include <skelrt/algorithms/merge.hpp>

/// A call of sk::merge, as the front end describes it.
template <class T>
void describe_merge(recipes::builder& b)
{
    using skelrt::detail::slot_kind;
    b.slots({recipes::slot<T>(slot_kind::vec), recipes::slot<T>(slot_kind::vec),
             recipes::slot<std::size_t>(slot_kind::vec), recipes::element<T>()})
        .template call<T>(skelrt::detail::own_function<skelrt::detail::merged_element<T>, T>().source(),
                          {recipes::at1(), recipes::operand(0), recipes::operand(1), recipes::operand(2)})
        .template result<T>();
}
