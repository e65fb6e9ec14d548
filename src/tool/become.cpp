// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/become.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <unistd.h>

namespace skelrt::tool
{

void become(const std::vector<std::string>& command, const char* prefix)
{
    std::vector<char*> arguments;
    for (const std::string& a : command) arguments.push_back(const_cast<char*>(a.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    fmt::print(stderr, "{}{}: {}\n", prefix, command[0], std::strerror(errno));
    _exit(127);
}

} // namespace skelrt::tool
