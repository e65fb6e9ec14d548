// SPDX-License-Identifier: BSD-3-Clause
#include "src/trace/last_words.hpp"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>

namespace skelrt::detail
{

namespace
{

constexpr std::array signals{SIGINT, SIGTERM};

std::atomic<void (*)() noexcept> words{nullptr};
std::terminate_handler terminate_before = nullptr;

/// Drivers handle signals, too (LLVM's, to remove files): theirs come after ours. What was there before them is the
/// program's.
struct watched_signal {
    bool is_free = false, is_ours = false;
    struct sigaction before {
    }; ///< when it became ours
};
std::array<watched_signal, signals.size()> watched;
std::thread watcher;
int wake[2] = {-1, -1};
pid_t watched_process = 0;
std::atomic<bool> interrupted{false};

void speak() noexcept
{
    if (getpid() != watched_process) return; // the child of a fork has nothing to say
    if (const auto say = words.exchange(nullptr)) say();
}

[[noreturn]] void speak_and_terminate()
{
    speak();
    if (terminate_before) terminate_before();
    std::abort();
}

void die_of(int signal) noexcept
{
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, signal);
    pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
    for (std::size_t i = 0; i < signals.size(); ++i)
        if (signals[i] == signal) sigaction(signal, &watched[i].before, nullptr);
    raise(signal);
    ::signal(signal, SIG_DFL); // if that one did not
    raise(signal);
}

/// A second signal does not wait for the file. Async-signal-safe.
void on_signal(int signal)
{
    const int error = errno;
    const auto byte = static_cast<unsigned char>(signal);
    if (getpid() != watched_process || interrupted.exchange(true) || write(wake[1], &byte, 1) != 1) die_of(signal);
    errno = error;
}

/// The program's threads may be anywhere, also with locks: a thread of our own writes, and ends the process as the
/// signal would have.
void watch() noexcept
{
    unsigned char signal = 0;
    ssize_t got = 0;
    while ((got = read(wake[0], &signal, 1)) < 0 && errno == EINTR) {}
    if (got != 1 || signal == 0) return;
    speak();
    die_of(signal);
}

void start_watcher()
{
    if (pipe(wake) != 0) throw std::system_error(errno, std::generic_category(), "SKELRT_TRACE: pipe");
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
        watcher = std::thread(&watch);
    } catch (...) {
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        throw;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

bool is(const struct sigaction& now, void (*handler)(int)) noexcept
{
    return !(now.sa_flags & SA_SIGINFO) && now.sa_handler == handler;
}

bool are_same(const struct sigaction& a, const struct sigaction& b) noexcept
{
    return a.sa_flags == b.sa_flags && a.sa_handler == b.sa_handler;
}

void take_free_signals() noexcept
{
    for (std::size_t i = 0; i < signals.size(); ++i) {
        watched[i].is_ours = watched[i].is_free;
        if (!watched[i].is_ours) continue;
        struct sigaction mine {
        };
        mine.sa_handler = &on_signal;
        mine.sa_flags = SA_RESTART;
        sigaction(signals[i], &mine, &watched[i].before);
    }
}

void give_signals_back() noexcept
{
    for (std::size_t i = 0; i < signals.size(); ++i) {
        struct sigaction now {
        };
        sigaction(signals[i], nullptr, &now);
        if (std::exchange(watched[i].is_ours, false) && is(now, &on_signal))
            sigaction(signals[i], &watched[i].before, nullptr);
    }
}

} // namespace

void find_free_signals() noexcept
{
    for (std::size_t i = 0; i < signals.size(); ++i) {
        struct sigaction now {
        };
        sigaction(signals[i], nullptr, &now);
        watched[i].is_free = is(now, SIG_DFL) || (watched[i].is_free && are_same(now, watched[i].before));
    }
}

void watch_endings(void (*say)() noexcept)
{
    watched_process = getpid();
    start_watcher();
    words = say;
    take_free_signals();
    terminate_before = std::set_terminate(&speak_and_terminate);
    [[maybe_unused]] static const int once = std::atexit([] {
        speak();
        if (watcher.joinable() && getpid() == watched_process) ignore_endings();
    });
}

void ignore_endings() noexcept
{
    words = nullptr;
    give_signals_back();
    if (std::get_terminate() == &speak_and_terminate) std::set_terminate(terminate_before);
    const unsigned char stop = 0;
    if (write(wake[1], &stop, 1) == 1 && watcher.joinable()) watcher.join();
    for (int& end : wake) close(std::exchange(end, -1));
}

} // namespace skelrt::detail
