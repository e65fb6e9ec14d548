// SPDX-License-Identifier: BSD-3-Clause
/// Data larger than the device's memory: run with STARPU_LIMIT_CUDA_MEM or STARPU_LIMIT_OPENCL_MEM (MB) below 100.
/// SKELRT_TEST_DEVICE=cuda|opencl; exit code 77 without such a device.

#include <skelrt/skelrt.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace sk = skelrt;

namespace
{

int failures = 0;

void check(bool good, const char* what)
{
    std::printf("%s: %s\n", good ? "ok" : "FAILED", what);
    if (!good) ++failures;
}

bool uniform(const sk::vector<float>& v, float expected)
{
    for (float x : sk::host_read(v))
        if (x != expected) return false;
    return true;
}

} // namespace

int main()
try {
    const char* wanted = std::getenv("SKELRT_TEST_DEVICE");
    const sk::device kind = wanted && std::string(wanted) == "cuda" ? sk::device::cuda : sk::device::opencl;
    sk::options o;
    o.opencl_on_cpu = true;
    sk::runtime rt(o);
    std::size_t memory = 0;
    for (const sk::device_info& d : rt.devices())
        if (d.kind == kind) memory = d.memory;
    if (memory == 0) {
        std::printf("no such device\n");
        return 77;
    }
    const std::size_t n = std::size_t{24} << 20; // 96 MiB each
    std::printf("device memory: %zu MiB; three vectors of %zu MiB\n", memory >> 20, n * sizeof(float) >> 20);
    check(memory < 2 * n * sizeof(float), "the data is larger than the memory (set the limit)");

    const auto triad = sk::map(SKELRT_FN((float s, float b, float c) { return b + s * c; }));
    const auto first_of = sk::map(SKELRT_FN((sk::vec<float> v, float x) { return x + v[0]; }));
    const auto sum = sk::reduce(sk::plus, 0.0);
    sk::vector<float> a(n, 0.0f), b(n, 1.0f), c(n, 2.0f);
    {
        const sk::only there(kind);
        for (int i = 0; i < 3; ++i) a = triad(0.5f, b, c);
        check(uniform(a, 2.0f), "map");
        for (int i = 0; i < 5; ++i) a = triad(0.5f, a, c);
        check(uniform(a, 7.0f), "a chain of maps in place");
        const auto widen = sk::map(SKELRT_FN((float x) { return (double)x; }));
        check(double(sum(widen(a))) == 7.0 * static_cast<double>(n), "reduce");
        const auto thirds = sk::generate(SKELRT_FN((sk::index1 i) { return (float)(i.i % 3); }));
        b = thirds(sk::shape(n));
        const sk::vector<float> ones = sk::filter(SKELRT_FN((float v) { return v == 1; }))(b);
        check(ones.size() == n / 3 && uniform(ones, 1.0f), "filter");
        const sk::vector<unsigned> counts = sk::histogram(b, 3, 0.0f, 3.0f);
        check(sk::host_read(counts)[2] == n / 3, "histogram");
        b = sk::vector<float>(n, 1.0f);
        try {
            a = first_of(b, a);
            check(false, "a whole operand that cannot fit is an error");
        } catch (const sk::error& e) {
            std::printf("%s\n", e.what());
            check(std::string(e.what()).find("MiB") != std::string::npos,
                  "a whole operand that cannot fit is an error");
        }
    }
    a = first_of(b, a);
    check(uniform(a, 8.0f), "on all devices the cores take what fits nowhere else");
    return failures == 0 ? 0 : 1;
} catch (const std::exception& e) {
    std::printf("FAILED: %s\n", e.what());
    return 1;
}
