// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/files/plan_file.hpp"
#include "src/tool/facts.hpp"

#include <string>

namespace skelrt::tool
{

std::string as_text(const facts& f);
std::string as_json(const facts& f);

/// 1536 -> "1.5 KiB".
std::string bytes_text(std::uintmax_t bytes);
using detail::kind_text;

} // namespace skelrt::tool
