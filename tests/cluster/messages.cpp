/// Messages between StarPU's handles, through the plug-in alone, under mpirun: messages PLUG-IN, or messages PLUG-IN
/// orphan for one that never comes.

#include "src/cluster/peers.hpp"
#include "src/cluster/plugin.hpp"
#include "src/cluster/tags.hpp"

#include <dlfcn.h>
#include <sched.h>
#include <starpu.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>

using namespace skelrt::detail;

namespace
{

std::atomic<long> wrong{0}, checked{0};

/// Handles of an interface that StarPU-MPI does not know, as the library's are.
starpu_data_interface_ops& own_interface()
{
    static starpu_data_interface_ops ops = [] {
        starpu_data_interface_ops o = starpu_interface_vector_ops;
        o.interfaceid = STARPU_UNKNOWN_INTERFACE_ID;
        o.name = const_cast<char*>("message");
        return o;
    }();
    return ops;
}

starpu_data_handle_t make_handle(std::size_t bytes)
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

unsigned char value_at(std::size_t k, unsigned seed) { return static_cast<unsigned char>(7 * k + seed); }

void fill(void** buffers, void* seed)
{
    auto* const bytes = reinterpret_cast<unsigned char*>(STARPU_VECTOR_GET_PTR(buffers[0]));
    for (std::size_t k = 0; k < STARPU_VECTOR_GET_NX(buffers[0]); ++k)
        bytes[k] = value_at(k, *static_cast<unsigned*>(seed));
}

void compare(void** buffers, void* seed)
{
    const auto* const bytes = reinterpret_cast<unsigned char*>(STARPU_VECTOR_GET_PTR(buffers[0]));
    for (std::size_t k = 0; k < STARPU_VECTOR_GET_NX(buffers[0]); ++k)
        if (bytes[k] != value_at(k, *static_cast<unsigned*>(seed))) ++wrong;
    ++checked;
}

starpu_codelet make_codelet(starpu_cpu_func_t function, starpu_data_access_mode mode)
{
    starpu_codelet c;
    starpu_codelet_init(&c);
    c.cpu_funcs[0] = function;
    c.nbuffers = 1;
    c.modes[0] = mode;
    return c;
}

void submit(starpu_codelet& what, starpu_data_handle_t handle, unsigned seed)
{
    starpu_task* const t = starpu_task_create();
    t->cl = &what;
    t->handles[0] = handle;
    t->cl_arg = new unsigned(seed);
    t->callback_func = [](void* s) { delete static_cast<unsigned*>(s); };
    t->callback_arg = t->cl_arg;
    if (starpu_task_submit(t) != 0) ++wrong;
}

unsigned yield_when_idle(void*)
{
    sched_yield();
    return 1;
}

/// One of each size to the next rank, and one from the one before, at the same time.
void exchange(peers& others)
{
    static starpu_codelet filling = make_codelet(&fill, STARPU_W), comparing = make_codelet(&compare, STARPU_R);
    static std::atomic<long> received{0};
    const int me = others.rank(), n = others.size(), next = (me + 1) % n, before = (me + n - 1) % n;
    constexpr std::size_t mib = std::size_t{1} << 20;
    const long checked_before = checked, received_before = received;
    long rounds = 0;
    for (const std::size_t bytes :
         {std::size_t{0}, std::size_t{1}, std::size_t{5000}, mib, mib + 1, 3 * mib, 100 * mib})
        for (int k = 0; k < (bytes < mib ? 20 : 2); ++k, ++rounds) {
            others.calls.record(bytes, "exchange", caller::here());
            starpu_data_handle_t out = make_handle(bytes), in = make_handle(bytes);
            submit(filling, out, static_cast<unsigned>(100 * me + k));
            others.send(out, next, message_tag(others.calls, 0, me, next));
            if (k % 5 == me % 5) std::this_thread::sleep_for(std::chrono::milliseconds(1)); // some come early
            others.receive(
                in, before, message_tag(others.calls, 0, before, me),
                [](void* r) { ++*static_cast<std::atomic<long>*>(r); }, &received);
            submit(comparing, in, static_cast<unsigned>(100 * before + k));
            starpu_data_unregister_submit(out);
            starpu_data_unregister_submit(in);
        }
    starpu_task_wait_for_all();
    if (checked - checked_before != rounds || received - received_before != rounds) ++wrong;
}

/// The job ends here: no task can throw.
void await_what_nobody_sends(peers& others)
{
    starpu_data_handle_t in = make_handle(8);
    others.receive(in, 1, message_tag(others.calls, 0, 1, 0), nullptr, nullptr);
    starpu_data_unregister(in);
}

} // namespace

int main(int argc, char** argv)
{
    void* const library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
    const bool orphan = argc > 2 && std::strcmp(argv[2], "orphan") == 0;
    const auto* plugin = library ? static_cast<const peers_plugin*>(dlsym(library, peers_symbol)) : nullptr;
    if (!plugin) {
        std::fprintf(stderr, "no plug-in: %s\n", dlerror());
        return 2;
    }
    for (int round = 0; round < 3; ++round) {
        const std::unique_ptr<peers> others(
            plugin->open({60, [](const char* text) noexcept { std::fputs(text, stderr); }}));
        starpu_conf conf;
        starpu_conf_init(&conf);
        conf.ncuda = conf.nopencl = 0;
        conf.will_use_mpi = 1;
        if (starpu_init(&conf) != 0) return 2;
        const int hook = starpu_idle_hook_register(&yield_when_idle, nullptr);
        others->start();
        if (orphan) {
            if (others->rank() == 0) await_what_nobody_sends(*others);
            others->leave({});
            continue;
        }
        exchange(*others);
        const traffic sent = others->so_far();
        if (sent.messages_sent == 0 || sent.largest_sent != 100u << 20) ++wrong;
        others->leave({});
        others->stop();
        starpu_idle_hook_deregister(hook);
        starpu_shutdown();
    }
    if (wrong) std::fprintf(stderr, "%ld wrong\n", wrong.load());
    return wrong ? 1 : 0;
}
