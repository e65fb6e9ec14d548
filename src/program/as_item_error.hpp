// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <string>
#include <vector>

namespace skelrt::detail
{

/// What it says, whatever it is.
std::string text_of(const std::exception_ptr& what);
/// An item_error of the first of them; `of`: "main.cpp:12: farm frames, item 3"; `an_item`: what they are called.
std::exception_ptr as_item_error(const std::string& of, const char* an_item, std::vector<std::exception_ptr> all);

} // namespace skelrt::detail
