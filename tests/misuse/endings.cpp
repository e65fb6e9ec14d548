// SPDX-License-Identifier: BSD-3-Clause
/// Ways for a program to end: endings NAME. Each must come to exit code 0, without a hang and without a crash.

#include <skelrt/skelrt.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <vector>

namespace sk = skelrt;

namespace
{

const auto twice = sk::map(SKELRT_FN((int a) { return 2 * a; }));
const auto sum = sk::reduce(sk::plus, 0);

sk::vector<int> busy(std::size_t n = 50'000)
{
    sk::vector<int> x(n, 1);
    for (int k = 0; k < 20; ++k) x = twice(x);
    return x;
}

/// An exception of the program's own passes the runtime, with calls in flight.
int unwinding()
{
    try {
        const sk::runtime rt;
        const sk::vector<int> x = busy();
        throw std::logic_error("of the program's own");
    } catch (const std::logic_error&) {
        return sk::runtime::running() ? 1 : 0;
    }
}

/// The same for an error of the library's.
int library_error()
{
    try {
        const sk::runtime rt;
        sk::vector<int> x = busy(100), y = busy(99);
        x = sk::map(sk::plus)(x, y);
        return 1;
    } catch (const sk::error&) {
        return sk::runtime::running() ? 1 : 0;
    }
}

/// Nobody waits for the calls.
int in_flight()
{
    const sk::runtime rt;
    const sk::vector<int> x = busy();
    return 0;
}

sk::vector<int> global;
std::unique_ptr<sk::runtime> global_runtime;

/// Containers of static storage are destroyed after the runtime, and after main.
int static_container()
{
    const sk::runtime rt;
    global = busy();
    static sk::vector<int> local = busy();
    local = twice(local);
    return 0;
}

/// The runtime itself lives until the static destructors run.
int static_runtime()
{
    global_runtime = std::make_unique<sk::runtime>();
    const sk::vector<int> x = busy();
    return sk::host_read(x)[0] == 1 << 20 ? 0 : 1;
}

/// A runtime that is never destroyed.
int leaked_runtime()
{
    [[maybe_unused]] const auto* leaked = new sk::runtime;
    const sk::vector<int> x = busy();
    return sk::host_read(x)[0] == 1 << 20 ? 0 : 1;
}

/// std::exit in the midst of it: no destructor of main's runs.
int exit_within()
{
    const sk::runtime rt;
    const sk::vector<int> x = busy();
    std::exit(0);
}

/// An open host view when the runtime ends.
int open_view()
{
    sk::vector<int> x(50'000, 1);
    auto rt = std::make_unique<sk::runtime>();
    x = twice(x);
    const auto h = sk::host(x);
    rt.reset();
    return h[49'999] == 2 ? 0 : 1;
}

/// A call that was kept, and is gone only after the runtime.
int kept_call()
{
    auto rt = std::make_unique<sk::runtime>();
    const auto call = twice(busy());
    rt.reset();
    return 0;
}

/// Started in one thread, ended in another.
int other_thread()
{
    std::unique_ptr<sk::runtime> rt;
    sk::vector<int> x;
    std::thread([&] {
        rt = std::make_unique<sk::runtime>();
        x = busy();
    }).join();
    x = twice(x);
    std::thread([&] { rt.reset(); }).join();
    return sk::host_read(x)[0] == 1 << 21 ? 0 : 1;
}

/// Threads that make calls, keep views open and let containers go while the runtime ends: errors, if anything.
int ends_under_threads()
{
    for (int round = 0; round < 20; ++round) {
        auto rt = std::make_unique<sk::runtime>();
        std::atomic<int> wrong{0}, begun{0};
        const auto work = [&](std::size_t n) {
            try {
                for (int k = 0;; ++k) {
                    sk::vector<int> x(n, 1), y;
                    x = twice(x);
                    y = x;
                    if (k == 0) ++begun;
                    const auto h = sk::host(y);
                    if (h[n - 1] != 2) ++wrong;
                }
            } catch (const sk::error& e) {
                if (!std::strstr(e.what(), "runtime")) ++wrong;
            }
        };
        std::thread small(work, 100), large(work, 200'000), reads([&] {
            try {
                for (;; ++begun)
                    if (sum(sk::vector<int>(1000, 1)).get() != 1000) ++wrong;
            } catch (const sk::error&) {
            }
        });
        while (begun < 3) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::microseconds(300 * round));
        rt.reset();
        small.join();
        large.join();
        reads.join();
        if (wrong > 0) return 1;
    }
    return 0;
}

/// A container that others know, a view and a lazy call go while the runtime ends.
int lets_go_meanwhile()
{
    for (int round = 0; round < 20; ++round) {
        auto rt = std::make_unique<sk::runtime>();
        auto x = std::make_unique<sk::vector<int>>(busy());
        auto call = std::make_unique<decltype(twice(*x))>(twice(*x));
        auto view = std::make_unique<decltype(sk::host(*x))>(sk::host(*x));
        std::thread ends([&] { rt.reset(); });
        std::this_thread::sleep_for(std::chrono::microseconds(50 * round));
        view.reset();
        call.reset();
        x.reset();
        ends.join();
    }
    return 0;
}

/// The main thread is in the midst of calls, and does not die of what it misses.
int exit_in_other_thread()
{
    const sk::runtime rt;
    std::atomic<bool> begun{false};
    std::thread([&] {
        while (!begun) std::this_thread::yield();
        std::exit(0);
    }).detach();
    sk::vector<int> x(10'000, 1);
    while (true) {
        x = twice(x);
        sk::wait(x);
        begun = true;
    }
}

sk::vector<int> known_globally;

/// From where nothing can wait for the call's end: a user function.
int exit_in_function()
{
    const sk::runtime rt;
    known_globally = busy();
    sk::vector<int> x(50'000, 1);
    sk::host(x)[7] = 2; // one thread exits: C++ knows no more
    sk::vector<int> y = sk::map(SKELRT_FN((int a) {
        if (a == 2) std::exit(0);
        return a;
    }))(x);
    sk::wait(y);
    return 1;
}

/// The runtime is ended there.
int end_in_function()
{
    global_runtime = std::make_unique<sk::runtime>();
    const sk::vector<int> x = busy(1);
    sk::vector<int> y = sk::map(SKELRT_FN((int a) {
        global_runtime.reset();
        return a + 1;
    }))(x);
    return sk::host_read(y)[0] == (1 << 20) + 1 ? 0 : 1;
}

/// An item ends the program, or the runtime that its farm runs on: the first ends all, the second is refused.
int exit_in_item()
{
    global_runtime = std::make_unique<sk::runtime>();
    sk::farm([] { static_cast<void>(busy()); }, [] { std::exit(0); }, [] { static_cast<void>(busy()); })();
    return 1;
}
int end_in_item()
{
    global_runtime = std::make_unique<sk::runtime>();
    const auto [running, two] = sk::farm(
        [] {
            delete global_runtime.release();
            return sk::runtime::running();
        },
        [] { return 2; })();
    return running && two == 2 ? 0 : 1;
}

/// Items that end when they are told to, and some that never begin; nobody waits for them.
int exit_beside_items()
{
    global_runtime = std::make_unique<sk::runtime>();
    static std::atomic<bool> begun{false};
    static const std::vector<int> inputs(1000);
    sk::farm([](int, std::stop_token stop) {
        begun = true;
        while (!stop.stop_requested()) static_cast<void>(busy(1000));
    }).start(inputs);
    while (!begun) std::this_thread::yield();
    std::exit(0);
}

/// Whether the child of a fork ends as it says, in time.
template <class Child>
bool child_ends(int code, Child child)
{
    const pid_t pid = fork();
    if (pid == 0) {
        alarm(10);
        child();
        std::exit(code);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == code) return true;
    std::fprintf(stderr, "the child ended with status %x\n", static_cast<unsigned>(status));
    return false;
}

template <class Call>
bool refuses(Call call)
{
    try {
        call();
    } catch (const sk::error& e) {
        return std::strstr(e.what(), "fork") != nullptr;
    }
    std::fputs("no error\n", stderr);
    return false;
}

/// What a child can do, and what it cannot.
int try_in_child(sk::vector<int>& x, sk::vector<int>& host, std::unique_ptr<sk::scalar<int>>& scalar)
{
    bool all = refuses([&] { x = twice(x); });
    const bool by_tasks = std::strcmp(std::getenv("SKELRT_INLINE_US"), "0") == 0;
    if (by_tasks) { // else the host alone knows it
        all = refuses([&] { sk::wait(x); }) && all;
        all = refuses([&] { (void)sk::host_read(x); }) && all;
    }
    all = refuses([&] { sk::vector<int> y(100, 1); }) && all;
    all = refuses([&] { sk::vector<int> y = x; }) && all;
    all = refuses([&] { sk::scalar<int> s = sum(host); }) && all;
    all = refuses([&] { static_cast<void>(sum(host).get()); }) && all;
    all = refuses([&] { sk::runtime second; }) && all;
    all = refuses([&] { sk::forget_models(); }) && all;
    all = refuses([&] { sk::only cpu(sk::device::cpu); }) && all;
    all = sk::host_read(host)[9] == 3 && all;
    x = {};
    host = {};
    scalar.reset();
    return all ? 4 : 5;
}

/// The child of a process with a runtime ends as it likes, and has no runtime.
int forked()
{
    const sk::runtime rt;
    known_globally = busy();
    sk::vector<int> x = busy(), host(10, 3);
    auto scalar = std::make_unique<sk::scalar<int>>(sum(x));
    bool good = child_ends(3, [] { _exit(3); });
    good = child_ends(3, [] {}) && good;
    good = child_ends(3, [] { std::quick_exit(3); }) && good;
    good = child_ends(0, [] { execlp("true", "true", nullptr); }) && good;
    good = child_ends(4, [&] { std::exit(try_in_child(x, host, scalar)); }) && good;
    x = twice(x); // the parent goes on
    return good && sk::host_read(x)[0] == 1 << 21 ? 0 : 1;
}

/// The same while other threads make calls, and for a child that returns from main.
int forked_in_the_midst()
{
    auto rt = std::make_unique<sk::runtime>();
    std::atomic<bool> goes_on{true};
    std::thread other([&] {
        sk::vector<int> x(1000, 0);
        while (goes_on) x = twice(x);
    });
    bool good = true;
    for (int k = 0; k < 20 && good; ++k) {
        const sk::vector<int> x(10'000, 1), y = twice(x);
        good = child_ends(6, [] {});
    }
    const pid_t pid = fork();
    if (pid == 0) {
        alarm(10);
        other.detach();
        rt.reset();
        return 7;
    }
    int status = 0;
    waitpid(pid, &status, 0);
    goes_on = false;
    other.join();
    return good && WIFEXITED(status) && WEXITSTATUS(status) == 7 ? 0 : 1;
}

/// A fork without a runtime is none of our business, but for the drivers that one used before.
int forked_before()
{
    bool drivers = false;
    {
        const sk::runtime rt;
        for (const auto& d : rt.devices()) drivers = drivers || d.kind != sk::device::cpu;
        global = busy();
    }
    const bool good = child_ends(8, [&] {
        if (drivers && refuses([] { sk::runtime second; })) std::_Exit(8);
        const sk::runtime rt;
        global = twice(global);
        if (sk::host_read(global)[0] != 1 << 21) std::_Exit(1);
    });
    return good ? 0 : 1;
}

struct ending {
    const char* name;
    int (*run)();
};

constexpr ending endings[] = {
    {"unwinding", unwinding},
    {"library_error", library_error},
    {"in_flight", in_flight},
    {"static_container", static_container},
    {"static_runtime", static_runtime},
    {"leaked_runtime", leaked_runtime},
    {"exit_within", exit_within},
    {"open_view", open_view},
    {"kept_call", kept_call},
    {"other_thread", other_thread},
    {"ends_under_threads", ends_under_threads},
    {"lets_go_meanwhile", lets_go_meanwhile},
    {"exit_in_other_thread", exit_in_other_thread},
    {"exit_in_function", exit_in_function},
    {"end_in_function", end_in_function},
    {"exit_in_item", exit_in_item},
    {"end_in_item", end_in_item},
    {"exit_beside_items", exit_beside_items},
    {"forked", forked},
    {"forked_in_the_midst", forked_in_the_midst},
    {"forked_before", forked_before},
};

} // namespace

int main(int argc, char** argv)
{
    for (const ending& e : endings)
        if (argc == 2 && std::strcmp(argv[1], e.name) == 0) return e.run();
    std::puts("endings NAME, where NAME is one of:");
    for (const ending& e : endings) std::puts(e.name);
    return 2;
}
