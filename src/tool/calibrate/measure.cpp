// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/calibrate/measure.hpp"

#include "src/data/memory/memory.hpp"

#include <skelrt/error.hpp>
#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <chrono>
#include <vector>

namespace skelrt::tool
{

namespace
{

using detail::target;

/// The shortest time of some runs, in microseconds; for about a tenth of a second.
template <class Run>
double best_us(const Run& run)
{
    using clock = std::chrono::steady_clock;
    using us = std::chrono::duration<double, std::micro>;
    constexpr us enough(1e5);
    run(); // kernels, memory, caches
    us best = us::max();
    const auto begin = clock::now();
    for (int k = 0; k < 50 && (k < 3 || clock::now() - begin < enough); ++k) {
        const auto start = clock::now();
        run();
        best = std::min(best, us(clock::now() - start));
    }
    return best.count();
}

plan only_on(const target& t) { return plan({{t.kind, 1, t.number, t.kind == device::cpu ? 1u : 0u}}); }

/// Elements of two vectors beyond all caches, within a quarter of the device's memory.
std::size_t large(const target& t, std::size_t element_size)
{
    constexpr std::size_t beyond_caches = std::size_t{256} << 20;
    const std::size_t room = t.memory > 0 ? std::min(beyond_caches, t.memory / 8) : beyond_caches / 2;
    return room / element_size;
}

/// `elements` calls of a function of `operations`; 0 where a compiler refuses it.
template <class T, class Map>
double arithmetic_rate(const target& t, Map compute, double operations)
{
    const std::size_t elements = std::size_t{1} << (t.kind == device::cpu ? 16 : 20);
    const vector<T> x(elements, T(1));
    vector<T> y(elements);
    compute.use(only_on(t));
    try {
        const double us = best_us([&] {
            y = compute(x);
            skelrt::wait(y); // tasks may end before their kernels do
        });
        return static_cast<double>(elements) * operations / us;
    } catch (const error&) {
        return 0;
    }
}

/// Memory with a StarPU handle, whose copies StarPU moves as it moves those of containers.
class block_with_handle
{
public:
    static constexpr std::size_t bytes = std::size_t{64} << 20;

    explicit block_with_handle(bool pinned) : memory_(detail::allocate_block(bytes))
    {
        if (pinned) detail::pin_block(memory_);
        starpu_vector_data_register(&handle_, STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(memory_.data), bytes,
                                    1);
    }
    ~block_with_handle()
    {
        starpu_data_unregister(handle_);
        detail::free_block(memory_);
    }
    block_with_handle(const block_with_handle&) = delete;
    block_with_handle& operator=(const block_with_handle&) = delete;

    /// Waits until the newest copy is there; with `change`, it is the only one afterwards.
    void bring_to(unsigned node, bool change) const
    {
        const auto mode = change ? STARPU_RW : STARPU_R;
        if (starpu_data_acquire_on_node(handle_, static_cast<int>(node), mode) == 0)
            starpu_data_release_on_node(handle_, static_cast<int>(node));
    }
    void start_to(unsigned node) const { starpu_data_prefetch_on_node(handle_, node, 1); }

private:
    detail::memory_block memory_;
    starpu_data_handle_t handle_ = nullptr;
};

/// Of one such block, the best of some times.
template <class Prepare, class Copy>
double copy_rate(const Prepare& prepare, const Copy& copy)
{
    using clock = std::chrono::steady_clock;
    double best = 1e300;
    for (int k = 0; k < 5; ++k) {
        prepare();
        const auto start = clock::now();
        copy();
        best = std::min(best, std::chrono::duration<double, std::micro>(clock::now() - start).count());
    }
    return static_cast<double>(block_with_handle::bytes) / best;
}

} // namespace

double memory_rate(const target& t)
{
    auto twice = map(SKELRT_FN((float x) { return x + x; }));
    twice.use(only_on(t));
    const std::size_t elements = large(t, sizeof(float));
    vector<float> x(elements, 1.0f), y(elements);
    const double us = best_us([&] {
        y = twice(x);
        skelrt::wait(y);
    });
    return 2.0 * sizeof(float) * static_cast<double>(elements) / us;
}

double core_memory_rate()
{
    constexpr std::size_t elements = std::size_t{16} << 20;
    std::vector<float> x(elements, 1.0f), y(elements);
    const double us = best_us([&] { std::transform(x.begin(), x.end(), y.begin(), [](float v) { return v + v; }); });
    return 2.0 * sizeof(float) * elements / us;
}

double fp32_rate(const target& t)
{
    return arithmetic_rate<float>(t, map(SKELRT_FN((float x) {
                                      float a[16];
                                      for (int i = 0; i < 16; ++i) a[i] = x + i;
                                      for (int k = 0; k < 64; ++k)
                                          for (int i = 0; i < 16; ++i) a[i] = a[i] * 0.5f + x;
                                      float sum = 0;
                                      for (int i = 0; i < 16; ++i) sum += a[i];
                                      return sum;
                                  })),
                                  2.0 * 16 * 64);
}

double fp64_rate(const target& t)
{
    return arithmetic_rate<double>(t, map(SKELRT_FN((double x) {
                                       double a[16];
                                       for (int i = 0; i < 16; ++i) a[i] = x + i;
                                       for (int k = 0; k < 64; ++k)
                                           for (int i = 0; i < 16; ++i) a[i] = a[i] * 0.5 + x;
                                       double sum = 0;
                                       for (int i = 0; i < 16; ++i) sum += a[i];
                                       return sum;
                                   })),
                                   2.0 * 16 * 64);
}

double call_us(const target& t)
{
    auto next = map(SKELRT_FN((float x) { return x + 1.0f; }));
    next.use(only_on(t));
    constexpr int calls = 200;
    const bool waits = t.kind != device::cpu;
    vector<float> x(1, 0.0f);
    return best_us([&] {
               for (int i = 0; i < calls; ++i) {
                   x = next(x);
                   if (waits) skelrt::wait(x);
               }
               skelrt::wait(x);
           }) /
           calls;
}

double link_rate(const target& t, direction way)
{
    const bool pinned = t.kind == device::cuda;
    const block_with_handle there(pinned), back(pinned);
    const auto prepare = [&] {
        there.bring_to(STARPU_MAIN_RAM, true);
        back.bring_to(t.node, true);
    };
    const auto copy = [&] {
        if (way != direction::from_device) there.start_to(t.node);
        if (way != direction::to_device) back.bring_to(STARPU_MAIN_RAM, false);
        if (way != direction::from_device) there.bring_to(t.node, false);
    };
    return (way == direction::both ? 2.0 : 1.0) * copy_rate(prepare, copy);
}

double link_rate(const target& from, const target& to)
{
    const block_with_handle block(from.kind == device::cuda && to.kind == device::cuda);
    return copy_rate([&] { block.bring_to(from.node, true); }, [&] { block.bring_to(to.node, false); });
}

} // namespace skelrt::tool
