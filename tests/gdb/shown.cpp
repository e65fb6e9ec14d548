// SPDX-License-Identifier: BSD-3-Clause
/// What gdb shows of containers, views and host views at stop_here(): shown.sh compares.

#include <skelrt/skelrt.hpp>

namespace sk = skelrt;

[[gnu::noinline]] void stop_here() { asm volatile(""); }

int main()
{
    const sk::runtime rt;
    sk::vector<float> x{1, 2, 3, 4};
    sk::matrix<int> m(2, 3, 7);
    const sk::tensor<double, 3> t({2, 1, 2}, 0.5);
    const sk::scalar<int> s(42);
    const sk::vector<float> none;
    const auto odd = m.column(1);
    const auto block = m.sub(0, 1, 2, 2);
    const auto range = x.range(1, 2);
    const auto back = x.reversed();

    sk::vector<float> by_tasks(4, 1.0f);
    {
        const sk::follow cores(sk::plan({{sk::device::cpu}}));
        by_tasks = sk::map(SKELRT_FN((float v) { return v + 1; }))(by_tasks);
        sk::wait(by_tasks);
    }
    {
        const auto h = sk::host(x);
        const auto rows = sk::host_read(m);
        h[0] = 5;
        stop_here();
    }
    sk::task([](std::span<float> v) { v[0] = 9; }, sk::inout(by_tasks));
    sk::wait(by_tasks);
    stop_here();
}
