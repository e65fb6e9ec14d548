// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/tune.hpp"

#include "src/model/files/files.hpp"
#include "src/tool/tune_choices.hpp"
#include "src/tool/tune_plan.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace skelrt::tool
{

namespace
{

namespace fs = std::filesystem;

/// A folder for the trials' files; gone afterwards.
class scratch_folder
{
public:
    scratch_folder()
    {
        std::string name = (fs::temp_directory_path() / "skelrt-tune-XXXXXX").string();
        if (!mkdtemp(name.data())) throw error(fmt::format("{} cannot be made: {}", name, std::strerror(errno)));
        path_ = name;
    }
    ~scratch_folder()
    {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    scratch_folder(const scratch_folder&) = delete;
    scratch_folder& operator=(const scratch_folder&) = delete;
    fs::path file(const std::string& name) const { return path_ / name; }

private:
    fs::path path_;
};

struct ended {
    int status;
    double seconds;
};

/// Runs the program; what it prints goes nowhere, but for errors. Empty variables are taken out of its environment.
ended run(const std::vector<std::string>& command, const fs::path& plan_file, const fs::path& trial)
{
    std::vector<char*> arguments;
    for (const std::string& a : command) arguments.push_back(const_cast<char*>(a.c_str()));
    arguments.push_back(nullptr);
    const auto set = [](const char* name, const fs::path& value) {
        if (value.empty()) unsetenv(name);
        else setenv(name, value.c_str(), 1);
    };
    const auto begin = std::chrono::steady_clock::now();
    const pid_t child = fork();
    if (child < 0) throw error(fmt::format("no process can be started: {}", std::strerror(errno)));
    if (child == 0) {
        set("SKELRT_PLAN", plan_file);
        set("SKELRT_TRIAL", trial);
        const int nowhere = open("/dev/null", O_RDWR);
        if (nowhere >= 0) dup2(nowhere, STDIN_FILENO), dup2(nowhere, STDOUT_FILENO);
        execvp(arguments[0], arguments.data());
        fmt::print(stderr, "skelrt: {}: {}\n", command[0], std::strerror(errno));
        _exit(127);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
}

/// As a shell takes it for one word.
std::string quoted(const std::string& word)
{
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:,=@%";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

/// What a user types to run it with the plan.
std::string command_with(const fs::path& plan_file, const std::vector<std::string>& command)
{
    std::string text = "SKELRT_PLAN=" + quoted(plan_file.string());
    for (const std::string& word : command) text += " " + quoted(word);
    return text;
}

std::vector<device_info> devices_here()
{
    const runtime rt;
    return rt.devices();
}

/// The calls of one trial; none if the program failed.
std::vector<timed_call> calls_of(const std::vector<std::string>& command, const choice& c, std::size_t number,
                                 const scratch_folder& scratch)
{
    const fs::path trial = scratch.file(fmt::format("trial-{}", number)), forced = scratch.file("plan.json");
    if (!c.shares.empty()) detail::save_plan(forced.string(), plan(c.shares));
    fmt::print(stderr, "{:<32}", c.name);
    const ended how = run(command, c.shares.empty() ? fs::path() : forced, trial);
    if (how.status != 0) {
        if (number == 0)
            throw error(
                fmt::format("{} ended with exit code {}; it is tuned only if it works", command[0], how.status));
        fmt::print(stderr, "failed with exit code {}: not tried further\n", how.status);
        return {};
    }
    auto calls = read_trial(detail::read_file(trial).value_or(""), number);
    fmt::print(stderr, "{:>6} calls, {:.2f} s\n", calls.size(), how.seconds);
    return calls;
}

/// The shorter of two runs without trial.
double seconds_of(const std::vector<std::string>& command, const fs::path& plan_file)
{
    return std::min(run(command, plan_file, {}).seconds, run(command, plan_file, {}).seconds);
}

} // namespace

void tune_program(const std::vector<std::string>& command, const fs::path& plan_file)
{
    std::vector<choice> choices = choices_for(devices_here());
    const scratch_folder scratch;
    std::vector<timed_call> calls;
    const auto try_from = [&](std::size_t first) {
        for (std::size_t k = first; k < choices.size(); ++k)
            for (timed_call& c : calls_of(command, choices[k], k, scratch)) calls.push_back(std::move(c));
    };
    try_from(0);
    if (calls.empty()) throw error(fmt::format("{} called no skeleton; there is nothing to tune", command[0]));
    const std::size_t tried = choices.size();
    for (choice& c : pieces_of_best_split(tune(calls, tried), choices)) choices.push_back(std::move(c));
    try_from(tried);

    const auto tuned = tune(calls, choices.size());
    detail::save_program_plans(plan_file.string(), plans_of(tuned, choices));
    fmt::print("{}\n", as_text(tuned, choices));
    const double automatic = seconds_of(command, {}), planned = seconds_of(command, plan_file);
    fmt::print("the whole program: automatic {:.2f} s, with the plan {:.2f} s\n", automatic, planned);
    fmt::print("{}: use it with {}\n", plan_file.string(), command_with(plan_file, command));
}

} // namespace skelrt::tool
