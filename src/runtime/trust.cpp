// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/trust.hpp"

#include "src/runtime/log.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include <sys/stat.h>
#include <unistd.h>

namespace skelrt::detail
{

namespace
{

namespace fs = std::filesystem;

std::atomic<bool> nothing_is_kept{false};

std::string last_error() { return std::generic_category().message(errno); }

bool make_missing(const fs::path& folder)
{
    struct stat there {
    };
    if (::stat(folder.c_str(), &there) == 0) {
        if (!S_ISDIR(there.st_mode)) errno = ENOTDIR;
        return S_ISDIR(there.st_mode);
    }
    if (folder.has_parent_path() && folder.parent_path() != folder && !make_missing(folder.parent_path())) return false;
    constexpr mode_t for_the_owner = 0700;
    return ::mkdir(folder.c_str(), for_the_owner) == 0 || errno == EEXIST; // another process may have been first
}

} // namespace

std::string why_not_trusted(const fs::path& what)
{
    struct stat there {
    };
    if (::stat(what.c_str(), &there) != 0) return {};
    if (there.st_uid != ::geteuid()) return fmt::format("{} belongs to another user", what.string());
    if (there.st_mode & (S_IWGRP | S_IWOTH))
        return fmt::format("others may write to {} (chmod go-w would end that)", what.string());
    return {};
}

std::string make_folder(const fs::path& folder)
{
    const fs::path name = folder.has_filename() ? folder : folder.parent_path();
    return make_missing(name) ? std::string() : fmt::format("{}: {}", name.string(), last_error());
}

std::string make_own_folder(const fs::path& folder)
{
    std::string why = make_folder(folder);
    return why.empty() ? why_not_trusted(folder) : why;
}

std::string why_not_writable(const fs::path& folder)
{
    std::string name = (folder / ".skelrt-XXXXXX").string();
    const int file = ::mkstemp(name.data());
    if (file < 0) return fmt::format("{}: {}", folder.string(), std::generic_category().message(errno));
    ::unlink(name.c_str());
    const std::string text(std::size_t{64} << 10, 'x');
    errno = 0;
    const bool written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    const int why = errno != 0 ? errno : ENOSPC;
    ::close(file);
    return written ? std::string() : fmt::format("{}: {}", folder.string(), std::generic_category().message(why));
}

void warn_nothing_is_kept(const std::string& why) noexcept
{
    if (nothing_is_kept.exchange(true)) return;
    log_warning(
        "{}; StarPU's measurements of this machine, and where they belong there skelrt's models of run times and "
        "compiled kernels, are not kept, and made anew in each run (set XDG_CACHE_HOME to a folder of yours that "
        "can be written)",
        why);
}

bool is_known_that_nothing_is_kept() noexcept { return nothing_is_kept; }

} // namespace skelrt::detail
