// SPDX-License-Identifier: BSD-3-Clause
// Scans of 256 Mi elements with tiles of several shapes, against a device copy, each checked. Needs a GPU with 8 GB.
#include "../recipes.hpp"
#include "timing.hpp"

#include "codelets/cuda/cuda.hpp"
#include "codelets/cuda/shape.hpp"

using namespace recipes;

namespace
{

using timing::elements;

constexpr std::size_t period = 1021;

/// Whole numbers whose sum over a period is 0: all running sums are exact.
template <class T>
T value(std::size_t i)
{
    return static_cast<T>(i % period) - static_cast<T>(period / 2);
}

template <class T>
bool right(const T* device)
{
    std::vector<T> y(elements);
    timing::check(cudaMemcpy(y.data(), device, elements * sizeof(T), cudaMemcpyDeviceToHost));
    T sum = 0;
    for (std::size_t i = 0; i < elements; ++i)
        if (y[i] != (sum += value<T>(i))) {
            std::printf("    WRONG: y[%zu] is %g instead of %g\n", i, double(y[i]), double(sum));
            return false;
        }
    return true;
}

/// The median over equal tiles, as a container has them.
template <class T>
void one_shape(const cuda::scan_tuning& shape, const std::string& type, const T* x, T* y, void* scratch, double copy)
{
    static const auto plus = USER_FUNCTION((auto a, auto b) { return a + b; });
    cuda::scans = shape;
    auto& scan = *new builder(skeleton::scan, "scan"); // kernels refer to it until the process ends
    scan.slots({element<T>(), element<T>()}).combine(plus).template result<T>();
    const recipe& what = scan.get();
    constexpr std::size_t tiles = 32, count = elements / tiles;
    std::vector<segment> segments;
    std::vector<slot_view> slots;
    for (std::size_t t = 0; t < tiles; ++t) {
        segments.push_back({1, count, 0, t * count});
        slots.push_back({const_cast<T*>(x) + t * count, 0, 1, count, count, 1});
        slots.push_back({y + t * count, 0, 1, count, count, 1});
    }
    const work w{what, false, elements, segments, slots, {}, nullptr, {scratch, 0, 1, 0, 0, 1}};
    cuda::prepare(what, 0);
    timing::check(cudaMemset(y, 0xff, elements * sizeof(T)));
    const double ms = timing::milliseconds([&] { cuda::launch(w, nullptr); });
    const std::string name = "scan " + type + ", " + std::to_string(shape.threads) + " x " +
                             std::to_string(shape.depth) + ", " + std::to_string(shape.resident);
    const double rate = timing::report(name, 2 * elements * sizeof(T), ms);
    std::printf("    %.3f of the copy\n", rate / copy);
    right(y);
}

template <class T>
void all_shapes(const std::string& type, double copy)
{
    std::vector<T> values(elements);
    for (std::size_t i = 0; i < elements; ++i) values[i] = value<T>(i);
    T *const x = timing::zeros<T>(elements), *const y = timing::zeros<T>(elements);
    timing::check(cudaMemcpy(x, values.data(), elements * sizeof(T), cudaMemcpyHostToDevice));
    void* const scratch = timing::zeros<char>(std::size_t{64} << 20);
    for (const unsigned resident : {0u, 1024u})
        for (const unsigned threads : {256u, 512u})
            for (const unsigned depth : {4u, 6u, 8u})
                one_shape<T>({threads, depth, resident}, type, x, y, scratch, copy);
    timing::check(cudaFree(x));
    timing::check(cudaFree(y));
    timing::check(cudaFree(scratch));
}

} // namespace

int main()
{
    const double copy = timing::copy_rate();
    all_shapes<float>("f32", copy);
    all_shapes<double>("f64", copy);
}
