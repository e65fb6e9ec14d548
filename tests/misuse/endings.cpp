/// Ways for a program to end: endings NAME. Each must come to exit code 0, without a hang and without a crash.

#include <skelrt/skelrt.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <thread>

namespace sk = skelrt;

namespace
{

const auto twice = sk::map(SKELRT_FN((int a) { return 2 * a; }));

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

struct ending {
    const char* name;
    int (*run)();
};

constexpr ending endings[] = {
    {"unwinding", unwinding},           {"library_error", library_error},
    {"in_flight", in_flight},           {"static_container", static_container},
    {"static_runtime", static_runtime}, {"leaked_runtime", leaked_runtime},
    {"exit_within", exit_within},       {"open_view", open_view},
    {"kept_call", kept_call},           {"other_thread", other_thread},
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
