// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/cluster/peers.hpp"
#include "src/cluster/start/plugin.hpp"

#include <dlfcn.h>
#include <sched.h>
#include <starpu.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>

/// StarPU's tasks on handles that travel, for tests of the plug-in alone.
namespace test
{

inline std::atomic<long> wrong{0}, checked{0};

/// Handles of an interface that StarPU-MPI does not know, as the library's are.
inline starpu_data_interface_ops& own_interface()
{
    static starpu_data_interface_ops ops = [] {
        starpu_data_interface_ops o = starpu_interface_vector_ops;
        o.interfaceid = STARPU_UNKNOWN_INTERFACE_ID;
        o.name = const_cast<char*>("message");
        return o;
    }();
    return ops;
}

inline starpu_data_handle_t make_handle(std::size_t bytes)
{
    starpu_vector_interface all{};
    all.id = STARPU_VECTOR_INTERFACE_ID;
    all.nx = static_cast<std::uint32_t>(bytes);
    all.elemsize = 1;
    all.allocsize = bytes;
    starpu_data_handle_t made = nullptr;
    starpu_data_register(&made, -1, &all, &own_interface());
    return made;
}

inline unsigned char value_at(std::size_t k, unsigned seed) { return static_cast<unsigned char>(7 * k + seed); }

inline void fill(void** buffers, void* seed)
{
    auto* const bytes = reinterpret_cast<unsigned char*>(STARPU_VECTOR_GET_PTR(buffers[0]));
    for (std::size_t k = 0; k < STARPU_VECTOR_GET_NX(buffers[0]); ++k)
        bytes[k] = value_at(k, *static_cast<unsigned*>(seed));
}

inline void compare(void** buffers, void* seed)
{
    const auto* const bytes = reinterpret_cast<unsigned char*>(STARPU_VECTOR_GET_PTR(buffers[0]));
    for (std::size_t k = 0; k < STARPU_VECTOR_GET_NX(buffers[0]); ++k)
        if (bytes[k] != value_at(k, *static_cast<unsigned*>(seed))) ++wrong;
    ++checked;
}

inline starpu_codelet make_codelet(starpu_cpu_func_t function, starpu_data_access_mode mode)
{
    starpu_codelet c;
    starpu_codelet_init(&c);
    c.cpu_funcs[0] = function;
    c.nbuffers = 1;
    c.modes[0] = mode;
    return c;
}

inline void submit(starpu_codelet& what, starpu_data_handle_t handle, unsigned seed)
{
    starpu_task* const t = starpu_task_create();
    t->cl = &what;
    t->handles[0] = handle;
    t->cl_arg = new unsigned(seed);
    t->callback_func = [](void* s) { delete static_cast<unsigned*>(s); };
    t->callback_arg = t->cl_arg;
    if (starpu_task_submit(t) != 0) ++wrong;
}

/// StarPU as the library starts it.
class started_starpu
{
public:
    started_starpu()
    {
        starpu_conf conf;
        starpu_conf_init(&conf);
        conf.ncuda = conf.nopencl = 0;
        conf.will_use_mpi = 1;
        runs_ = starpu_init(&conf) == 0;
        const auto yield = [](void*) {
            sched_yield();
            return 1u;
        };
        if (runs_) hook_ = starpu_idle_hook_register(yield, nullptr);
    }
    ~started_starpu()
    {
        if (!runs_) return;
        starpu_idle_hook_deregister(hook_);
        starpu_shutdown();
    }
    started_starpu(const started_starpu&) = delete;
    started_starpu& operator=(const started_starpu&) = delete;
    bool runs() const noexcept { return runs_; }

private:
    bool runs_ = false;
    int hook_ = 0;
};

/// Null, and a text on stderr, if there is none in this file.
inline const skelrt::detail::peers_plugin* open_plugin(const char* file)
{
    void* const library = file ? dlopen(file, RTLD_NOW | RTLD_LOCAL) : nullptr;
    void* const found = library ? dlsym(library, skelrt::detail::peers_symbol) : nullptr;
    if (!found) std::fprintf(stderr, "no plug-in: %s\n", file ? dlerror() : "no file is named");
    return static_cast<const skelrt::detail::peers_plugin*>(found);
}

} // namespace test
