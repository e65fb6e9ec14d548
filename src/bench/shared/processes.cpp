// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/shared/processes.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>

namespace bench
{

std::string own_program() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

std::vector<std::string> lines_of(const std::string& command)
{
    const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(command.c_str(), "r"), &pclose);
    if (!output) throw std::runtime_error("cannot start: " + command);
    std::vector<std::string> lines;
    char line[256];
    while (std::fgets(line, sizeof line, output.get())) lines.emplace_back(line);
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
