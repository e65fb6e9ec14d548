// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/doctor/child.hpp"

#include "src/tool/become.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace skelrt::tool::doctor
{

namespace
{

using clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

class pipe_ends
{
public:
    pipe_ends()
    {
        if (pipe2(ends_.data(), O_CLOEXEC) != 0)
            throw error(fmt::format("no pipe can be made: {}", std::strerror(errno)));
    }
    ~pipe_ends()
    {
        for (int& e : ends_) close_end(e);
    }
    pipe_ends(const pipe_ends&) = delete;
    pipe_ends& operator=(const pipe_ends&) = delete;

    int to_read() const noexcept { return ends_[0]; }
    int to_write() const noexcept { return ends_[1]; }
    void only_read() noexcept { close_end(ends_[1]); }

private:
    static void close_end(int& e) noexcept
    {
        if (e >= 0) close(std::exchange(e, -1));
    }
    std::array<int, 2> ends_{-1, -1};
};

/// Does not return.
void become(const child& c, const pipe_ends& said, const pipe_ends& answer)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL); // who is waited for by nobody must not go on
    if (const int nothing = open("/dev/null", O_RDONLY); nothing >= 0) dup2(nothing, STDIN_FILENO);
    dup2(said.to_write(), STDOUT_FILENO);
    dup2(said.to_write(), STDERR_FILENO);
    if (answer.to_write() == answer_descriptor) fcntl(answer_descriptor, F_SETFD, 0);
    else dup2(answer.to_write(), answer_descriptor);
    for (const auto& [name, value] : c.environment) {
        if (value) setenv(name.c_str(), value->c_str(), 1);
        else unsetenv(name.c_str());
    }
    tool::become(c.command);
}

/// Reads what there is, and keeps its end. False: nobody writes any more.
bool take(int from, std::string& to, std::size_t most)
{
    std::array<char, 4096> block{};
    const ssize_t n = read(from, block.data(), block.size());
    if (n < 0) return errno == EINTR || errno == EAGAIN;
    to.append(block.data(), static_cast<std::size_t>(n));
    if (to.size() > most) to.erase(0, to.size() - most);
    return n > 0;
}

/// A process that is being listened to.
class listener
{
public:
    listener(pid_t process, int said, int answer) : process_(process), pipes_{{{said, POLLIN, 0}, {answer, POLLIN, 0}}}
    {
    }

    void listen_until(clock::time_point limit)
    {
        while (!has_ended_ && clock::now() < limit) {
            read_some(20);
            look();
        }
        if (has_ended_) read_rest();
    }

    void kill_all()
    {
        if (has_ended_) return;
        heard_.how = ended::by_limit;
        kill(-process_, SIGKILL);
        // Within a driver it may not even be killed: then nobody waits for it.
        const auto limit = clock::now() + 5s;
        while (!has_ended_ && clock::now() < limit) {
            read_some(20);
            has_ended_ = waitpid(process_, nullptr, WNOHANG) != 0;
        }
    }

    ending take_heard() { return std::move(heard_); }

private:
    bool read_some(int ms)
    {
        if (poll(pipes_.data(), pipes_.size(), ms) <= 0) return false;
        std::string* const to[] = {&heard_.said, &heard_.answer};
        const std::size_t most[] = {std::size_t{4} << 10, std::size_t{1} << 20};
        for (std::size_t k = 0; k < pipes_.size(); ++k)
            if (pipes_[k].revents && !take(pipes_[k].fd, *to[k], most[k])) pipes_[k].fd = -1; // poll leaves it out
        return pipes_[0].fd >= 0 || pipes_[1].fd >= 0;
    }

    /// What it started may hold the pipes open for long: what is there now is enough.
    void read_rest()
    {
        while (read_some(0)) {}
    }

    void look()
    {
        int status = 0;
        if (waitpid(process_, &status, WNOHANG) != process_) return;
        has_ended_ = true;
        heard_.how = WIFSIGNALED(status) ? ended::by_signal : ended::by_itself;
        heard_.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    }

    pid_t process_;
    std::array<pollfd, 2> pipes_;
    bool has_ended_ = false;
    ending heard_;
};

/// The last line with anything in it.
std::string last_line(std::string text)
{
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    const auto begin = text.rfind('\n');
    return begin == std::string::npos ? text : text.substr(begin + 1);
}

} // namespace

ending run(const child& c)
{
    pipe_ends said, answer;
    const pid_t process = fork();
    if (process < 0) throw error(fmt::format("no process can be started: {}", std::strerror(errno)));
    if (process == 0) become(c, said, answer);
    setpgid(process, process); // whoever of the two is first
    said.only_read();
    answer.only_read();
    listener it(process, said.to_read(), answer.to_read());
    it.listen_until(clock::now() +
                    std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(c.limit_s)));
    it.kill_all();
    return it.take_heard();
}

std::string problem_of(const ending& e, double limit_s)
{
    const std::string last = last_line(e.said);
    const std::string quoted = last.empty() ? "" : fmt::format("; it said last: {}", last);
    switch (e.how) {
    case ended::by_limit:
        return fmt::format("no answer within {} s{}", limit_s, quoted);
    case ended::by_signal:
        return fmt::format("it crashed (signal {}: {}){}", e.code, strsignal(e.code), quoted);
    case ended::by_itself:
        break;
    }
    return e.code == 0 ? "" : fmt::format("it ended with exit code {}{}", e.code, quoted);
}

} // namespace skelrt::tool::doctor
