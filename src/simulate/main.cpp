/// skelrt-simulate: simulated times of task graphs, one a line: name and microseconds. The environment names the machine and the
/// policy; tools/simulate.sh sets it. Includes starpu.h, which makes main a simulated thread.

#include <skelrt/skelrt.hpp>

#include <starpu.h>

#include <cstdio>
#include <exception>
#include <utility>

namespace
{

namespace sk = skelrt;

/// Calls before the one that counts: containers are cut for how a program was seen to use them.
constexpr int calls_before = 3;

constexpr std::size_t elements = std::size_t{64} << 20;

/// `prepare` has the data in host memory; `play` ends when its results are.
template <class Prepare, class Play>
void simulate(const char* name, Prepare prepare, Play play)
{
    double us = 0;
    for (int i = 0; i <= calls_before; ++i) {
        prepare();
        const double begin = starpu_timing_now();
        play();
        us = starpu_timing_now() - begin;
    }
    std::printf("%s %.3f\n", name, us);
    std::fflush(stdout); // StarPU ends the process at once where it does not know what to do
}

/// As in skelrt-bench onepass: once over data that comes from the host and goes back there.
template <class F>
void one_pass(const char* name, F f)
{
    sk::vector<float> x(elements, sk::uninitialized), y(elements, sk::uninitialized);
    simulate(
        name,
        [&] {
            static_cast<void>(sk::host_write(x));
            static_cast<void>(sk::host_write(y));
        },
        [&] {
            y = f(x, y);
            static_cast<void>(sk::host_read(y));
        });
}

void one_passes()
{
    one_pass("onepass_K1", sk::map(SKELRT_FN((float x, float y) { return y * 0.999f + x; })));
    one_pass("onepass_K16", sk::map(SKELRT_FN((float x, float y) {
                 for (int i = 0; i < 16; ++i) y = y * 0.999f + x;
                 return y;
             })));
    one_pass("onepass_K64", sk::map(SKELRT_FN((float x, float y) {
                 for (int i = 0; i < 64; ++i) y = y * 0.999f + x;
                 return y;
             })));
    one_pass("onepass_K256", sk::map(SKELRT_FN((float x, float y) {
                 for (int i = 0; i < 256; ++i) y = y * 0.999f + x;
                 return y;
             })));
    one_pass("onepass_K1024", sk::map(SKELRT_FN((float x, float y) {
                 for (int i = 0; i < 1024; ++i) y = y * 0.999f + x;
                 return y;
             })));
}

/// 100 steps that each need the one before.
void chain()
{
    const auto saxpy = sk::map(SKELRT_FN((float a, float x, float y) { return a * x + y; }));
    sk::vector<float> x(elements, sk::uninitialized), y(elements, sk::uninitialized);
    simulate(
        "chain_100",
        [&] {
            static_cast<void>(sk::host_write(x));
            static_cast<void>(sk::host_write(y));
        },
        [&] {
            for (int i = 0; i < 100; ++i) y = saxpy(0.5f, x, y);
            static_cast<void>(sk::host_read(y));
        });
}

void stencil()
{
    const auto mean =
        sk::stencil(SKELRT_FN((sk::hood2<float> u) { return 0.25f * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1)); }),
                    sk::border::constant(0.0f));
    constexpr std::size_t side = 8192;
    sk::matrix<float> u(side, side, sk::uninitialized), v;
    simulate(
        "stencil_100", [&] { static_cast<void>(sk::host_write(u)); },
        [&] {
            v = mean.iterate(100, u);
            static_cast<void>(sk::host_read(v));
        });
}

void matmul()
{
    constexpr std::size_t n = 8192;
    const auto product = sk::all_pairs(sk::multiplies, sk::plus, 0.0f);
    sk::matrix<float> a(n, n, sk::uninitialized), b(n, n, sk::uninitialized), c(n, n, sk::uninitialized);
    simulate(
        "matmul",
        [&] {
            static_cast<void>(sk::host_write(a));
            static_cast<void>(sk::host_write(b));
        },
        [&] {
            c = product(a, sk::transpose(b));
            static_cast<void>(sk::host_read(c));
        });
}

void dot()
{
    const auto sum = sk::reduce(sk::plus, 0.0f);
    const auto times = sk::map(sk::multiplies);
    sk::vector<float> x(elements, sk::uninitialized), y(elements, sk::uninitialized);
    simulate(
        "dot",
        [&] {
            static_cast<void>(sk::host_write(x));
            static_cast<void>(sk::host_write(y));
        },
        [&] { static_cast<void>(static_cast<float>(sum(times(x, y)))); });
}

} // namespace

int main(int, char**)
{
    try {
        const sk::runtime rt;
        std::printf("machine: %u cores, %u GPUs\n", starpu_cpu_worker_get_count(), starpu_cuda_worker_get_count());
        one_passes();
        chain();
        stencil();
        matmul();
        dot();
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "skelrt-simulate: %s\n", e.what());
        return 1;
    }
}
