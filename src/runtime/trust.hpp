// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

/// What lies in caches is believed, and some of it is run: it must be the user's own.
namespace skelrt::detail
{

/// Why a file or folder is not to be used: it belongs to another user, or others may write to it. Empty: it may be, or
/// is not there.
std::string why_not_trusted(const std::filesystem::path& what);

/// Makes a folder, and what is above it, for this user alone. Why it is not there; empty: it is.
std::string make_folder(const std::filesystem::path& folder);
/// The same. Why it cannot be used: not made, or not trusted; empty: it can.
std::string make_own_folder(const std::filesystem::path& folder);

/// Why a folder that is there takes no file of the size of StarPU's and ours: a full disk takes none. Empty: it does.
std::string why_not_writable(const std::filesystem::path& folder);

/// One warning a process: nothing is kept in the user's usual folder, and why.
void warn_nothing_is_kept(const std::string& why) noexcept;
/// Whether that was said: then what follows from it need not be.
bool is_known_that_nothing_is_kept() noexcept;

} // namespace skelrt::detail
