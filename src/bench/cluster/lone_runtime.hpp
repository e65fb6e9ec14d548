// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/runtime.hpp>

#include <filesystem>
#include <memory>

namespace bench
{

/// A runtime of this rank alone, whatever the launcher has started.
///
/// Lifetime: while no other runtime lives. Thread safety: as sk::runtime; it sets the environment.
class lone_runtime
{
public:
    /// Uses so many cores.
    explicit lone_runtime(unsigned cores);
    /// Writes down all calls.
    lone_runtime(unsigned cores, const std::filesystem::path& calls);
    ~lone_runtime();
    lone_runtime(const lone_runtime&) = delete;
    lone_runtime& operator=(const lone_runtime&) = delete;

private:
    std::unique_ptr<skelrt::runtime> runtime_;
};

/// A file of this process, which goes at the end.
class own_file
{
public:
    own_file();
    ~own_file();
    own_file(const own_file&) = delete;
    own_file& operator=(const own_file&) = delete;
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

} // namespace bench
