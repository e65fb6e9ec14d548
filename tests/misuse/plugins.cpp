// SPDX-License-Identifier: BSD-3-Clause
#include "plugin.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <string>
#include <vector>

/// A plug-in with calls of its own is opened, used and closed, twice: plugins FILE. 0: what the library keeps of it is
/// sound.

namespace sk = skelrt;

namespace
{

constexpr int n = 20'000;

bool use(const char* file, sk::device kind, const sk::vector<int>& x)
{
    void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return std::puts(dlerror()), false;
    plugin_work w;
    {
        const sk::only here(kind);
        reinterpret_cast<plugin_function*>(dlsym(library, "work"))(w, x);
    }
    dlclose(library);
    if (dlopen(file, RTLD_NOW | RTLD_NOLOAD) != nullptr) return std::puts("the plug-in is still there"), false;
    if (w.sum != n * 16) return std::printf("a sum of %d\n", w.sum), false;
    const auto h = sk::host_read(w.made);
    for (int i = 0; i < n; ++i)
        if (h[static_cast<std::size_t>(i)] != (i + 1) * 32) return std::printf("element %d is wrong\n", i), false;
    try {
        if (w.error) std::rethrow_exception(w.error);
    } catch (const sk::error& e) {
        if (std::string(e.what()).find("plugin.cpp:") != std::string::npos) return true;
        std::puts(e.what());
    }
    return std::puts("no error that names the plug-in's call"), false;
}

bool own_calls(sk::device kind, const sk::vector<int>& x)
{
    const sk::only here(kind);
    const sk::vector<int> y = sk::map(SKELRT_FN((int v) { return 2 * v; }))(x);
    const int sum = sk::reduce(SKELRT_FN((int a, int b) { return a + b; }), 0)(y);
    return sum == 2 * n || (std::puts("a call of the program's own is wrong"), false);
}

} // namespace

int main(int, char** arguments)
{
    const sk::runtime rt;
    const sk::vector<int> x(n, 1);
    sk::device_set there;
    for (const auto& d : rt.devices()) there = there | d.kind;
    for (int round = 0; round < 2; ++round)
        for (const sk::device kind : {sk::device::cpu, sk::device::opencl, sk::device::cuda})
            if (there.has(kind) && !(use(arguments[1], kind, x) && own_calls(kind, x))) return 1;
    std::puts("right");
    return 0;
}
