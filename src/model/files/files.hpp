// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

/// Files that several processes read and write, any of which may be killed at any moment.
namespace skelrt::detail
{

/// What the models of this machine are called: STARPU_HOSTNAME, or the host's name; without what no file name may have.
std::string machine_name();

/// The folder for models: SKELRT_MODELS, or $XDG_CACHE_HOME/skelrt/models, or ~/.cache/skelrt/models. Empty: none, for
/// SKELRT_MODELS=none or without a home.
std::filesystem::path models_folder();

/// The whole file; nothing if it is not there or cannot be read.
std::optional<std::string> read_file(const std::filesystem::path& file);

/// Makes the file have this text, and its folder exist: afterwards it is the old or the new one, whole, whatever
/// happens in between. Throws error naming the file.
void write_file_atomically(const std::filesystem::path& file, std::string_view text);

/// Reads the file, makes a new text of it (nothing if it is not there), writes that; others who update the same file
/// wait. Removes what was left by processes that were killed meanwhile.
void update_file(const std::filesystem::path& file,
                 const std::function<std::string(std::optional<std::string>)>& change);

/// Moves a file that makes no sense out of the way, to the same name with .bad behind it, or .bad2 to .bad9 where
/// others are; empty if that fails.
std::filesystem::path set_aside(const std::filesystem::path& file);

} // namespace skelrt::detail
