// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

namespace apps
{

void check_folder(const std::filesystem::path& file, const std::string& option)
{
    const auto folder = file.parent_path();
    if (!folder.empty() && !std::filesystem::is_directory(folder))
        throw input_error(fmt::format("{} {}: there is no folder {}", option, file.string(), folder.string()));
}

} // namespace apps
