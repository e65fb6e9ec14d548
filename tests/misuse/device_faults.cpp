// SPDX-License-Identifier: BSD-3-Clause
/// Faults of devices: device_faults WHAT. 0: as it must be; 77: no such device here.

#include <skelrt/skelrt.hpp>

#ifdef WITH_OPENCL
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#endif

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>

namespace sk = skelrt;

namespace
{

constexpr int not_here = 77;

/// Calls of the function under test that go well before one fails; negative: all do.
std::atomic<int> launches_left{-1}, copies_left{-1};

#ifdef WITH_OPENCL
bool fails_now(std::atomic<int>& left) { return left >= 0 && left.fetch_sub(1) == 0; }

template <class Function>
Function* next(const char* name)
{
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}
#endif

bool has(const sk::runtime& rt, sk::device kind)
{
    for (const auto& d : rt.devices())
        if (d.kind == kind) return true;
    return false;
}

const auto twice = sk::map(SKELRT_FN((int a) { return 2 * a; }));
const auto sum = sk::reduce(sk::plus, 0);
const auto wild = sk::map(SKELRT_FN((int a, sk::vec<int> v) { return a + v[(size_t)a * 1000000007u]; }));

/// Whether the error names the call, its line and the device.
bool names(const sk::error& e, const char* call, const char* device)
{
    const bool all =
        std::strstr(e.what(), call) && std::strstr(e.what(), "device_faults.cpp:") && std::strstr(e.what(), device);
    if (!all) std::printf("the error says too little: %s\n", e.what());
    return all;
}

bool is_right(const sk::vector<int>& x, int value)
{
    const auto h = sk::host_read(x);
    for (const int v : h)
        if (v != value) return false;
    return true;
}

/// What fails on OpenCL once, there and then; afterwards all is as before, there and on the cores.
int on_opencl(std::atomic<int>& left)
{
    sk::options o;
    o.tiles = 3;
    const sk::runtime rt(o);
    if (!has(rt, sk::device::opencl)) return not_here;
    const sk::only here(sk::device::opencl);
    const auto reads_all = sk::map(SKELRT_FN((int a, sk::vec<int> v) { return a + v[0] + v[v.size() - 1]; }));
    sk::vector<int> x(30'000, 1), y;
    const auto computes = [&] {
        y = reads_all(twice(x), x);
        return is_right(y, 4);
    };
    if (!computes()) return 1;
    x = twice(x);
    x = reads_all(x, sk::vector<int>(10, -1)); // x is 0 then, and only the device has it
    left = 0;
    try {
        y = reads_all(x, x);
        sk::wait(y);
        std::puts("no error");
        return 1;
    } catch (const sk::error& e) {
        const bool of_call = &left == &launches_left;
        if (of_call && !names(e, "map", "OpenCL")) return 1;
        std::printf("%s\n", e.what());
    }
    left = -1;
    x = sk::vector<int>(30'000, 1);
    if (!computes() || sum(x).get() != 30'000) return 1;
    const sk::only cores(sk::device::cpu);
    return computes() ? 0 : 1;
}

int opencl_launch() { return on_opencl(launches_left); }
int opencl_gather() { return on_opencl(copies_left); }

/// In a child: an index that is nowhere in the device's memory. StarPU ends a process whose GPU has failed; whoever
/// waits is told, or reads at the end which call it was.
int cuda_address()
{
    int ends[2];
    if (pipe(ends) != 0) return 1;
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        dup2(ends[1], STDERR_FILENO);
        try {
            const sk::runtime
                rt; // CUDA's first in this process: its driver is of no use in children of those that had one
            if (!has(rt, sk::device::cuda)) std::_Exit(not_here);
            const sk::only here(sk::device::cuda);
            sk::vector<int> x(100'000, 123'456'789), y = wild(x, x);
            sk::wait(y);
            std::_Exit(5);
        } catch (const sk::error& e) {
            std::fprintf(stderr, "caught %s\n", e.what());
        }
        std::_Exit(0);
    }
    close(ends[1]);
    std::string said(1 << 16, '\0');
    std::size_t n = 0;
    for (ssize_t got; n < said.size() && (got = read(ends[0], said.data() + n, said.size() - n)) > 0;)
        n += static_cast<std::size_t>(got);
    said.resize(n);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == not_here) return not_here;
    std::printf("status %x, said: %s\n", static_cast<unsigned>(status), said.c_str());
    const bool told =
        said.find("device_faults.cpp:") != std::string::npos && said.find("CUDA device") != std::string::npos;
    const bool no_hang = !(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM);
    const bool silent = WIFEXITED(status) && WEXITSTATUS(status) == 5;
    return told && no_hang && !silent ? 0 : 1;
}

struct fault {
    const char* name;
    int (*provoke)();
};
constexpr fault faults[] = {
    {"opencl_launch", opencl_launch}, {"opencl_gather", opencl_gather}, {"cuda_address", cuda_address}};

} // namespace

#ifdef WITH_OPENCL
// In the place of the OpenCL loader's functions.

extern "C" __attribute__((visibility("default"))) cl_int
clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t* offset,
                       const size_t* global, const size_t* local, cl_uint waits, const cl_event* list, cl_event* event)
{
    if (fails_now(launches_left)) return CL_OUT_OF_RESOURCES;
    static auto* const real = next<decltype(clEnqueueNDRangeKernel)>("clEnqueueNDRangeKernel");
    return real(queue, kernel, dimensions, offset, global, local, waits, list, event);
}

extern "C" __attribute__((visibility("default"))) cl_int
clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t bytes,
                    cl_uint waits, const cl_event* list, cl_event* event)
{
    if (fails_now(copies_left)) return CL_OUT_OF_RESOURCES;
    static auto* const real = next<decltype(clEnqueueCopyBuffer)>("clEnqueueCopyBuffer");
    return real(queue, from, to, from_offset, to_offset, bytes, waits, list, event);
}
#endif

int main(int argc, char** argv)
{
    for (const fault& f : faults)
        if (argc == 2 && std::strcmp(argv[1], f.name) == 0) return f.provoke();
    std::puts("device_faults WHAT, where WHAT is one of:");
    for (const fault& f : faults) std::puts(f.name);
    return 2;
}
