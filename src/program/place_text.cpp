// SPDX-License-Identifier: BSD-3-Clause
#include "src/program/place_text.hpp"

#include <fmt/format.h>

namespace skelrt::detail
{

std::string place_text(const caller& where)
{
    return where.line > 0 ? fmt::format("{}:{}: ", where.file, where.line) : std::string();
}

} // namespace skelrt::detail
