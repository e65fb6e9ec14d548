// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <dlfcn.h>

namespace skelrt::detail
{

/// Of a library that dlopen() gave. False, and null: it has none of that name.
template <class Function>
bool find_function(void* library, const char* name, Function*& to)
{
    to = reinterpret_cast<Function*>(dlsym(library, name));
    return to != nullptr;
}

} // namespace skelrt::detail
