// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/blas/library.hpp"

#include "src/runtime/environment/settings.hpp"
#include "src/runtime/log.hpp"

#include <atomic>

#include <dlfcn.h>

namespace skelrt::detail::blas
{
namespace
{

std::atomic<bool>& wanted()
{
    static std::atomic<bool> yes{read_blas_wish().use != blas_use::never};
    return yes;
}

} // namespace

bool is_wanted() { return wanted().load(std::memory_order_relaxed); }

bool is_preferred()
{
    static const bool yes = read_blas_wish().use == blas_use::always;
    return yes;
}

void want(bool yes) { wanted().store(yes, std::memory_order_relaxed); }

void log_found(const char* devices, const found_library& l)
{
    if (l.missing.empty()) log_info("products of matrices on {}: {}", devices, l.name);
    else log_info("products of matrices on {}: our own kernels; {}", devices, l.missing);
}

library::library(const std::vector<std::string>& names) : library(names, read_blas_wish().folder) {}

library::library(const std::vector<std::string>& names, const std::string& folder)
{
    for (const std::string& name : names) {
        const std::string path = folder.empty() ? name : folder + "/" + name;
        handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        name_ = path;
        if (handle_) break;
        if (missing_.empty()) missing_ = dlerror();
    }
    if (handle_) missing_.clear();
}

void* library::look_for(const char* name) const { return handle_ ? dlsym(handle_, name) : nullptr; }

void* library::symbol(const char* name)
{
    void* const found = look_for(name);
    if (!found && missing_.empty()) missing_ = name_ + " has no " + name;
    return found;
}

} // namespace skelrt::detail::blas
