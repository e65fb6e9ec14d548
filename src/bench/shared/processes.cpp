// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/shared/processes.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>

namespace bench
{

std::string own_program() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

std::filesystem::path folder_of_applications()
{
    return std::filesystem::path(own_program()).parent_path() / "../../apps";
}

std::filesystem::path application_in(const std::filesystem::path& folder, std::string_view name)
{
    for (const std::filesystem::path& p : {folder / name / name, folder / name})
        if (std::filesystem::is_regular_file(p)) return p;
    return {};
}

std::vector<std::string> lines_of(const std::string& command)
{
    const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(command.c_str(), "r"), &pclose);
    if (!output) throw std::runtime_error("cannot start: " + command);
    std::vector<std::string> lines;
    char part[256];
    while (std::fgets(part, sizeof part, output.get())) {
        if (lines.empty() || lines.back().ends_with('\n')) lines.emplace_back();
        lines.back() += part;
    }
    return lines;
}

temporary_folder::temporary_folder()
{
    std::string name = (std::filesystem::temp_directory_path() / "skelrt-bench-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("cannot make a folder " + name);
    path_ = name;
}

temporary_folder::~temporary_folder()
{
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

} // namespace bench
