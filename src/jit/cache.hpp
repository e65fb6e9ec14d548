// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

/// Built kernels on disk, one file per key. Any number of processes may read and write the folder at once.
/// Nothing here throws for what the disk does: a cache that fails only costs a build.
namespace skelrt::detail
{

/// 32 hexadecimal digits that depend on every byte and on the borders between the parts.
std::string cache_key(std::initializer_list<std::string_view> parts);

/// Of what is kept for each program, by its file: programs of the same name elsewhere have it for themselves.
std::string key_of_program(std::string_view what);

/// $SKELRT_CACHE, else $XDG_CACHE_HOME/skelrt/kernels, else ~/.cache/skelrt/kernels. Empty when none of them is known,
/// and for SKELRT_CACHE=none: then nothing is cached. Read anew at every call, so that tests can move it. The folder
/// may not exist yet.
std::filesystem::path cache_folder();

/// What was stored under the key, if the folder and the file are the user's own: kernels are code. A damaged or
/// truncated file is removed and reported as absent. Costs one file read.
std::optional<std::string> cache_load(const std::string& key);

/// Stores the payload so that readers see all of it or nothing. The first failure of the process gives one warning.
void cache_store(const std::string& key, std::string_view payload);

} // namespace skelrt::detail
