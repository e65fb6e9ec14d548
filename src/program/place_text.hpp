// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/caller.hpp>

#include <string>

namespace skelrt::detail
{

/// "main.cpp:12: ", to stand in front of a message; nothing where nobody knows.
std::string place_text(const caller& where);

} // namespace skelrt::detail
