// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/check.hpp"

#include "src/model/files/files.hpp"
#include "src/runtime/environment/environment.hpp"
#include "src/tool/become.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include <sys/wait.h>
#include <unistd.h>

namespace skelrt::tool
{

namespace
{

namespace fs = std::filesystem;

/// An empty file; gone afterwards.
class scratch_file
{
public:
    scratch_file()
    {
        std::string name = (fs::temp_directory_path() / "skelrt-check-XXXXXX").string();
        const int file = mkstemp(name.data());
        if (file < 0) throw error(fmt::format("{} cannot be made: {}", name, std::strerror(errno)));
        close(file);
        path_ = name;
    }
    ~scratch_file()
    {
        std::error_code ignored;
        fs::remove(path_, ignored);
    }
    scratch_file(const scratch_file&) = delete;
    scratch_file& operator=(const scratch_file&) = delete;
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

/// What the environment asks for, and the check of devices.
std::string checks()
{
    const std::string others = detail::env_text("SKELRT_CHECK").value_or("");
    return others.empty() ? "devices" : others + ",devices";
}

int run(const std::vector<std::string>& command, const fs::path& report)
{
    const pid_t child = fork();
    if (child < 0) throw error(fmt::format("no process can be started: {}", std::strerror(errno)));
    if (child == 0) {
        setenv("SKELRT_CHECK", checks().c_str(), 1);
        setenv("SKELRT_CHECK_REPORT", report.c_str(), 1);
        become(command, "skelrt: ");
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace

int check_program(const std::vector<std::string>& command)
{
    const scratch_file report;
    const int status = run(command, report.path());
    if (status != 0) return status;
    std::istringstream lines(detail::read_file(report.path()).value_or(""));
    std::size_t functions = 0, refused = 0, all_refused = 0, runtimes = 0;
    while (lines >> functions >> refused) all_refused += refused, ++runtimes;
    if (runtimes == 0) throw error(fmt::format("{} ended without an sk::runtime, so nothing was checked", command[0]));
    return all_refused > 0 ? 1 : 0;
}

} // namespace skelrt::tool
