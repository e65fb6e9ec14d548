// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

/// Libraries that are opened when the first call wants them, and never linked.
namespace skelrt::detail::blas
{

/// Whether products may go to a BLAS: SKELRT_BLAS. Cheap.
bool is_wanted();
/// Whether cores leave products to their BLAS even where our kernel is faster: SKELRT_BLAS=1.
bool is_preferred();
/// For tests: overrules it.
void want(bool yes);

/// What became of one.
struct found_library {
    std::string name, missing; ///< why it is of no use; empty: it is
};
/// Says once where products on such devices go.
void log_found(const char* devices, const found_library& l);

/// A library, by the first name that the loader finds. It stays open: its threads may run to the end of the process.
class library
{
public:
    explicit library(const std::vector<std::string>& names);
    /// In a folder; empty: where the loader looks.
    library(const std::vector<std::string>& names, const std::string& folder);

    /// Null, and noted as missing, if it is not there.
    template <class Function>
    void find(Function*& to, const char* name)
    {
        to = reinterpret_cast<Function*>(symbol(name));
    }
    /// The same, but nobody misses it.
    void* look_for(const char* name) const;
    /// Why it is of no use; empty: all that was asked for was found.
    const std::string& missing() const { return missing_; }
    const std::string& name() const { return name_; }
    found_library found() const { return {name_, missing_}; }

private:
    void* symbol(const char* name);

    void* handle_ = nullptr;
    std::string name_, missing_;
};

} // namespace skelrt::detail::blas
