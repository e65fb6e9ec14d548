// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/trace/timeline.hpp"

#include <string_view>

namespace skelrt::detail
{

/// The calling thread builds kernels of this call to the end of a block, for whoever looks.
class building_kernels
{
public:
    explicit building_kernels(std::string_view what) noexcept
    {
        if (!is_observed()) return;
        try {
            now_.begin(deed::build, &kept_name(what));
        } catch (...) { // without memory for its name nobody is told
        }
    }
    building_kernels(const building_kernels&) = delete;
    building_kernels& operator=(const building_kernels&) = delete;

private:
    doing now_;
};

} // namespace skelrt::detail
