// SPDX-License-Identifier: BSD-3-Clause
// Bandwidth of the CUDA codelets against a device copy, and the host's time per launch. Needs a GPU with 8 GB.
#include "../recipes.hpp"
#include "timing.hpp"

#include "codelets/cuda/cuda.hpp"

#include <chrono>

using namespace recipes;

namespace
{

using timing::elements;

slot_view tile_of(const void* data, std::size_t bytes, std::size_t first, std::size_t count)
{
    return {const_cast<char*>(static_cast<const char*>(data)) + first * bytes, 0, 1, count, count, 1};
}

/// A call over all elements in equal tiles. The operands are what the element slots of the recipe see.
struct bench_call {
    std::vector<segment> segments;
    std::vector<slot_view> slots;

    bench_call(const recipe& what, std::size_t tiles, const std::vector<void*>& operands)
    {
        const std::size_t count = elements / tiles;
        for (std::size_t t = 0; t < tiles; ++t) {
            segments.push_back({1, count, 0, t * count});
            for (std::size_t k = 0; k < operands.size(); ++k)
                slots.push_back(tile_of(operands[k], what.slots[k].size, t * count, count));
        }
    }
};

slot_view memory(void* data) { return {data, 0, 1, 1, 1, 1}; }

template <class T>
void map_bench(const std::string& type, double copy)
{
    const auto triad = USER_FUNCTION((auto a, auto b) { return a + decltype(a)(0.4) * b; });
    const auto scale = USER_FUNCTION((auto a) { return decltype(a)(0.4) * a; });
    builder three(skeleton::map, "triad"), two(skeleton::map, "scale");
    three.slots({element<T>(), element<T>(), element<T>()})
        .template call<T>(triad, {operand(0), operand(1)})
        .template result<T>();
    two.slots({element<T>(), element<T>()}).template call<T>(scale, {operand(0)}).template result<T>();
    T *a = timing::zeros<T>(elements), *b = timing::zeros<T>(elements), *c = timing::zeros<T>(elements);
    cuda::prepare(three.get(), 0);
    cuda::prepare(two.get(), 0);

    const auto time = [&](const char* name, const recipe& what, std::size_t tiles, const std::vector<void*>& operands) {
        const bench_call call(what, tiles, operands);
        const work w{what, false, elements, call.segments, call.slots, {}, nullptr, {}};
        const double ms = timing::milliseconds([&] { cuda::launch(w, nullptr); });
        const double rate = timing::report(name + (" " + type), operands.size() * elements * sizeof(T), ms);
        std::printf("    %.3f of the copy\n", rate / copy);
    };
    time("triad, 64 tiles,", three.get(), timing::tiles, {a, b, c});
    time("triad, 1 tile,", three.get(), 1, {a, b, c});
    time("triad in place, 64 tiles,", three.get(), timing::tiles, {a, c, c});
    time("scale, 64 tiles,", two.get(), timing::tiles, {a, c});
    for (void* p : {a, b, c}) timing::check(cudaFree(p));
}

template <class T>
void unaligned_bench(const std::string& type, double copy)
{
    const auto triad = USER_FUNCTION((auto a, auto b) { return a + decltype(a)(0.4) * b; });
    builder three(skeleton::map, "triad");
    three.slots({element<T>(), element<T>(), element<T>()})
        .template call<T>(triad, {operand(0), operand(1)})
        .template result<T>();
    T* all[3];
    for (T*& one : all) one = timing::zeros<T>(elements + 1);
    const std::size_t cols = 16384, rows = elements / cols;
    const segment line{1, elements, 0, 0}, block{rows, cols - 4, 0, 0};
    std::vector<slot_view> lines, blocks;
    for (T* one : all) {
        lines.push_back(tile_of(one + 1, sizeof(T), 0, elements));
        blocks.push_back({one, 0, rows, cols - 4, cols, 1});
    }
    const auto time = [&](const char* name, const segment& s, const std::vector<slot_view>& slots) {
        const work w{three.get(), true, s.cols, {&s, 1}, slots, {}, nullptr, {}};
        const double ms = timing::milliseconds([&] { cuda::launch(w, nullptr); });
        std::printf("    %.3f of the copy\n",
                    timing::report(name + (" " + type), 3 * s.rows * s.cols * sizeof(T), ms) / copy);
    };
    time("triad, unaligned,", line, lines);
    time("triad, block of a matrix,", block, blocks);
    for (T* one : all) timing::check(cudaFree(one));
}

template <class T>
void reduce_bench(const std::string& type, double copy)
{
    const auto times = USER_FUNCTION((auto a, auto b) { return a * b; });
    const auto plus = USER_FUNCTION((auto a, auto b) { return a + b; });
    T *a = timing::zeros<T>(elements), *b = timing::zeros<T>(elements);
    const auto time = [&](const char* name, const recipe& what, std::size_t inputs,
                          const std::vector<segment>& segments, const std::vector<slot_view>& slots,
                          std::size_t columns, std::size_t results) {
        T* result = timing::zeros<T>(results);
        char* scratch = timing::zeros<char>(cuda::scratch_bytes(what, elements, columns) + 1);
        const work w{what, columns != elements, columns, segments, slots, memory(result), nullptr, memory(scratch)};
        cuda::prepare(what, 0);
        const double ms = timing::milliseconds([&] { cuda::launch(w, nullptr); });
        std::printf("    %.3f of the copy\n",
                    timing::report(name + (" " + type), inputs * elements * sizeof(T), ms) / copy);
        timing::check(cudaFree(result));
        timing::check(cudaFree(scratch));
    };

    builder dot(skeleton::reduce, "dot"), sum(skeleton::reduce, "sum"), rows(skeleton::reduce_rows, "rows"),
        columns(skeleton::reduce_columns, "columns");
    dot.slots({element<T>(), element<T>()})
        .template call<T>(times, {operand(0), operand(1)})
        .combine(plus)
        .template result<T>();
    for (builder* one : {&sum, &rows, &columns}) one->slots({element<T>()}).combine(plus).template result<T>();
    const bench_call both(dot.get(), timing::tiles, {a, b}), one(sum.get(), timing::tiles, {a});
    time("dot, 64 tiles,", dot.get(), 2, both.segments, both.slots, elements, 1);
    time("sum, 64 tiles,", sum.get(), 1, one.segments, one.slots, elements, 1);
    for (const std::size_t cols :
         {std::size_t{4}, std::size_t{64}, std::size_t{1} << 10, std::size_t{1} << 14, std::size_t{1} << 24}) {
        const std::size_t height = elements / cols;
        const std::vector<segment> all{{height, cols, 0, 0}};
        const std::vector<slot_view> view{{a, 0, height, cols, cols, 1}};
        std::printf("%zu columns:\n", cols);
        time("rows,", rows.get(), 1, all, view, cols, height);
        time("columns,", columns.get(), 1, all, view, cols, cols);
    }
    for (void* p : {a, b}) timing::check(cudaFree(p));
}

void launch_bench()
{
    const auto f = USER_FUNCTION((float a, float x, float y) { return a * x + y; });
    builder b(skeleton::map, "saxpy");
    b.slots({uniform<float>(), element<float>(), element<float>(), element<float>()})
        .call<float>(f, {operand(0), operand(1), operand(2)})
        .result<float>();
    cuda::prepare(b.get(), 0);
    const std::size_t tile = 1024;
    float *x = timing::zeros<float>(64 * tile), *y = timing::zeros<float>(64 * tile);
    float a = 1;
    for (const std::size_t tiles : {1, 8, 64}) {
        std::vector<segment> segments;
        std::vector<slot_view> slots;
        for (std::size_t t = 0; t < tiles; ++t) {
            segments.push_back({1, tile, 0, t * tile});
            slots.push_back(tile_of(&a, 0, 0, 1));
            for (const float* p : {x, y, y}) slots.push_back(tile_of(p, sizeof(float), t * tile, tile));
        }
        const work w{b.get(), false, tiles * tile, segments, slots, {}, nullptr, {}};
        double best = 1e9;
        for (int round = 0; round < 20; ++round) {
            timing::check(cudaDeviceSynchronize());
            const auto begin = std::chrono::steady_clock::now();
            for (int i = 0; i < 100; ++i) cuda::launch(w, nullptr);
            best = std::min(
                best,
                std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count() / 100);
        }
        std::printf("host time of a launch, %zu segments: %.2f us\n", tiles, best);
    }
}

} // namespace

int main()
{
    const double copy = timing::copy_rate();
    launch_bench();
    map_bench<double>("f64", copy);
    map_bench<float>("f32", copy);
    map_bench<unsigned char>("u8", copy);
    unaligned_bench<float>("f32", copy);
    reduce_bench<double>("f64", copy);
    reduce_bench<float>("f32", copy);
}
