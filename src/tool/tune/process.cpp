// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/tune/process.hpp"

#include "src/tool/become.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace skelrt::tool
{

namespace
{

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// Does not return.
void become_program(const std::vector<std::string>& command, const program_run& how)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL); // who is waited for by nobody must not go on
    const auto set = [](const char* name, const fs::path& value) {
        if (value.empty()) unsetenv(name);
        else setenv(name, value.c_str(), 1);
    };
    set("SKELRT_PLAN", how.plan);
    set("SKELRT_TRIAL", how.survey);
    const int nowhere = open("/dev/null", O_RDWR), said = open(how.said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (nowhere >= 0) dup2(nowhere, STDIN_FILENO), dup2(nowhere, STDOUT_FILENO);
    if (said >= 0) dup2(said, STDERR_FILENO);
    become(command);
}

} // namespace

scratch_folder::scratch_folder()
{
    std::string name = (fs::temp_directory_path() / "skelrt-tune-XXXXXX").string();
    if (!mkdtemp(name.data())) throw error(fmt::format("{} cannot be made: {}", name, std::strerror(errno)));
    path_ = name;
}

scratch_folder::~scratch_folder()
{
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

run_ending run_program(const std::vector<std::string>& command, const program_run& how)
{
    using clock = std::chrono::steady_clock;
    const auto begin = clock::now();
    const auto passed = [&] { return std::chrono::duration<double>(clock::now() - begin).count(); };
    const pid_t child = fork();
    if (child < 0) throw error(fmt::format("no process can be started: {}", std::strerror(errno)));
    if (child == 0) become_program(command, how);
    setpgid(child, child); // whoever of the two is first
    run_ending ending;
    int status = 0;
    while (waitpid(child, &status, ending.stopped ? 0 : WNOHANG) != child) {
        if (passed() > how.limit_s && !ending.stopped) ending.stopped = true, kill(-child, SIGKILL);
        std::this_thread::sleep_for(1ms);
    }
    ending.seconds = passed();
    ending.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return ending;
}

std::string quoted_for_shell(const std::string& word)
{
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:,=@%";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

} // namespace skelrt::tool
