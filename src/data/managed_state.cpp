// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/managed_state.hpp"

namespace skelrt::detail
{

void forget_past(managed_state& m) noexcept
{
    m.moves = {};
    m.producer = m.nobody;
    m.run = {m.nobody, 0};
}

} // namespace skelrt::detail
