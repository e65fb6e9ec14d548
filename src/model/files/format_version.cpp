// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/files/format_version.hpp"

#include <fmt/format.h>

namespace skelrt::detail
{

void check_format_version(int of_file, int ours)
{
    if (of_file != ours)
        throw other_version(
            fmt::format("it has version {} of the format, this skelrt reads version {}", of_file, ours));
}

} // namespace skelrt::detail
