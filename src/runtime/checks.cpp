// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/checks.hpp"

#include "src/runtime/environment/environment.hpp"

#include <skelrt/detail/loops/checked.hpp>

namespace skelrt::detail
{

check_set read_checks()
{
    constexpr check words[] = {check::functions, check::devices, check::bounds,
                               check::unwritten, check::parts,   check::races};
    check_set wanted;
    const auto chosen =
        env_choices("SKELRT_CHECK", {"functions", "devices", "bounds", "unwritten", "parts", "races", "all"});
    if (!chosen) return wanted;
    for (const std::size_t i : *chosen) {
        if (i < std::size(words)) wanted.add(words[i]);
        else
            for (const check c : {check::functions, check::bounds, check::unwritten, check::parts}) wanted.add(c);
    }
    return wanted;
}

check_set wanted_checks()
{
    static const check_set wanted = read_checks();
    return wanted;
}

bool checks_bounds() { return wanted_checks().has(check::bounds); }

} // namespace skelrt::detail
