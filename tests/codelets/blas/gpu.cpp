// SPDX-License-Identifier: BSD-3-Clause
#include "product.hpp"

#include "../cuda/device.hpp"
#include "run_cases.hpp"

#include "codelets/blas/cublas.hpp"
#include "codelets/blas/library.hpp"

#include <cmath>
#include <complex>
#include <cstdio>
#include <limits>
#include <random>

/// Products by cuBLAS against sequential references, and against our own kernels. Exit code 77: no GPU.

using namespace products;
using device::buffer;

namespace
{

template <class T>
struct product_case {
    shape size;
    sides across;
    std::size_t tiles = 1, pad = 0;
    front in_front = front::nothing;
};

/// The result's elements, without what lies between the rows; by cuBLAS if it does it.
template <class T, class Side>
std::vector<T> result_of(const product_case<T>& c, const side_values<Side>& a, const side_values<Side>& b, T before)
{
    product_recipe<T, Side> what(c.across);
    const std::size_t ld = c.size.cols + c.pad;
    const buffer<Side> x(a.memory), y(b.memory);
    const buffer<T> z(c.size.rows * ld, before);
    const product_work<T, Side> w(what.get(), a, x.data(), b, y.data(), z.data(), ld, c.tiles);
    const T start = c.in_front == front::value ? front_value<T> : T{0};
    const bool starts = c.in_front == front::value || c.in_front == front::zero;
    cuda::launch(w.get(starts ? &start : nullptr, c.in_front == front::begun), nullptr);
    const auto all = z.read();
    std::vector<T> result;
    std::size_t spoilt = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i % ld < c.size.cols) result.push_back(all[i]);
        else spoilt += !(all[i] == before);
    }
    CHECK(spoilt == 0);
    return result;
}

template <class T, class Side = T>
void check_exact(const product_case<T>& c)
{
    CAPTURE(c.size.rows, c.size.cols, c.size.depth, c.across.left, c.across.right, c.tiles, c.pad,
            static_cast<int>(c.in_front), sizeof(T));
    const auto a = side_of<Side>(c.size.rows, c.size.depth, c.across.left, c.pad,
                                 [](std::size_t r, std::size_t k) { return small_value<Side>(r, k, 7); });
    const auto b = side_of<Side>(c.size.cols, c.size.depth, c.across.right, c.pad,
                                 [](std::size_t r, std::size_t k) { return small_value<Side>(r, k, 5); });
    const auto got = result_of(c, a, b, c.in_front == front::begun ? front_value<T> : T{-1});
    const bool in_front = c.in_front == front::value || c.in_front == front::begun;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < c.size.rows; ++i)
        for (std::size_t j = 0; j < c.size.cols; ++j) {
            T sum = in_front ? front_value<T> : T{0};
            for (std::size_t k = 0; k < c.size.depth; ++k) sum += a.at(i, k) * b.at(j, k);
            wrong += got[i * c.size.cols + j] != sum;
        }
    CHECK(wrong == 0);
}

template <class T, class Side = T>
void check_all_sizes()
{
    const shape sizes[] = {{1, 1, 1},    {1, 300, 100}, {300, 1, 100},  {17, 19, 23},    {64, 64, 64},
                           {3, 400, 50}, {400, 3, 50},  {257, 131, 97}, {130, 128, 1000}};
    for_each_case(sizes,
                  [](const shape& s, const sides& across, std::size_t tiles, front in_front, std::size_t number) {
                      check_exact<T, Side>({s, across, tiles, number % 2 * 5, in_front});
                  });
}

void check_all_types()
{
    check_all_sizes<float>();
    check_all_sizes<double>();
    check_all_sizes<std::complex<float>>();
    check_all_sizes<std::complex<double>>();
    check_all_sizes<float, sk::half>();
    check_all_sizes<float, sk::bfloat16>();
}

/// A matrix times a vector, by row or by column.
template <class T, class Side = T>
void check_vector(const segment& all, bool by_row, std::size_t tiles)
{
    CAPTURE(all.rows, all.cols, by_row, tiles, sizeof(T));
    const std::size_t depth = by_row ? all.cols : all.rows, results = by_row ? all.rows : all.cols;
    std::vector<Side> m(all.rows * all.cols), v(depth);
    std::vector<T> want(results, T{0});
    for (std::size_t r = 0; r < all.rows; ++r)
        for (std::size_t c = 0; c < all.cols; ++c) {
            const std::size_t i = by_row ? r : c, k = by_row ? c : r;
            v[k] = small_value<Side>(k, 1, 5);
            m[r * all.cols + c] = small_value<Side>(r, c, 7);
            want[i] += m[r * all.cols + c] * v[k];
        }
    vector_recipe<T, Side> what(by_row);
    const buffer<Side> x(m), y(v);
    const buffer<T> z(results, T{-1});
    const vector_work<T, Side> pieces(what.get(), all, x.data(), all.cols, y.data(), 1, z.data(), tiles);
    work w = pieces.get();
    const buffer<std::byte> scratch(cuda::scratch_bytes(what.get(), all.rows * all.cols, all.cols), std::byte{0});
    w.scratch = {scratch.data(), 0, 1, 0, 0, 1};
    cuda::launch(w, nullptr);
    CHECK(z.read() == want);
}

void check_vectors()
{
    for (const segment s : {segment{1, 1, 0, 0}, {1, 3000, 0, 0}, {3000, 1, 0, 0}, {257, 131, 0, 0}})
        for (const bool by_row : {true, false})
            for (const std::size_t tiles : {1, 3}) {
                if (tiles > s.rows) continue;
                check_vector<float>(s, by_row, tiles);
                check_vector<std::complex<double>>(s, by_row, tiles);
                check_vector<float, sk::half>(s, by_row, tiles);
            }
}

bool has_cublas() { return blas::cuda::find_library().missing.empty(); }

template <class T>
void check_bound(const shape& s)
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> number(-1, 1);
    const auto any = [&](std::size_t, std::size_t) { return static_cast<T>(number(random)); };
    const auto a = side_of<T>(s.rows, s.depth, false, 0, any), b = side_of<T>(s.cols, s.depth, true, 0, any);
    const auto got = result_of<T>(product_case<T>{s, {false, true}}, a, b, T{-1});
    const double eps = std::numeric_limits<T>::epsilon() / 2 * static_cast<double>(s.depth);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < s.rows; ++i)
        for (std::size_t j = 0; j < s.cols; ++j) {
            long double sum = 0, all = 0;
            for (std::size_t k = 0; k < s.depth; ++k) {
                const long double one = static_cast<long double>(a.at(i, k)) * b.at(j, k);
                sum += one;
                all += std::abs(one);
            }
            wrong += !(std::abs(static_cast<double>(sum - got[i * s.cols + j])) <= eps * static_cast<double>(all));
        }
    CHECK(wrong == 0);
}

} // namespace

TEST_CASE("products on a GPU: sizes, orientations, tiles, what is in front", "[blas][gpu]")
{
    std::printf("cuBLAS: %s %s\n", blas::cuda::find_library().name.c_str(), blas::cuda::find_library().missing.c_str());
    check_all_types();
    blas::want(false);
    check_all_types();
    blas::want(true);
}

/// TF32 keeps 10 bits of a factor, and would be off by far more.
TEST_CASE("results on a GPU are off by no more than a product may be", "[blas][gpu]")
{
    check_bound<float>({100, 120, 40});
    check_bound<double>({100, 120, 40});
    check_bound<float>({256, 256, 2000});
}

TEST_CASE("products with a vector on a GPU", "[blas][gpu]")
{
    check_vectors();
    blas::want(false);
    check_vectors();
    blas::want(true);
}

TEST_CASE("values that are not finite, and what the result held before, on a GPU", "[blas][gpu]")
{
    const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const auto one = [](std::size_t, std::size_t) { return 1.0f; };
    auto a = side_of<float>(40, 50, false, 0, one), b = side_of<float>(45, 50, true, 0, one);
    a.at(3, 7) = inf;
    a.at(5, 9) = nan;
    b.at(11, 7) = 0; // inf * 0
    const auto got = result_of<float>(product_case<float>{{40, 45, 50}, {false, true}}, a, b, nan);
    for (std::size_t i = 0; i < 40; ++i)
        for (std::size_t j = 0; j < 45; ++j) {
            const float v = got[i * 45 + j];
            CAPTURE(i, j, v);
            if (i == 5 || (i == 3 && j == 11)) CHECK(std::isnan(v));
            else if (i == 3) CHECK(v == inf);
            else CHECK(v == (j == 11 ? 49 : 50));
        }
}

TEST_CASE("handles end, and others begin; a stream has its own", "[blas][gpu]")
{
    product_recipe<float> what({});
    for (int round = 0; round < 3; ++round) {
        blas::cuda::load_for(what.get(), 0);
        blas::cuda::wait_until_loaded(0);
        check_exact<float>({{130, 64, 50}, {}, 3});
        cudaStream_t other = nullptr;
        device::check(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
        const auto a = side_of<float>(64, 64, false, 0, [](auto, auto) { return 1.0f; });
        const buffer<float> x(a.memory), z(64 * 64, 0.0f);
        const product_work<float> w(what.get(), a, x.data(), a, x.data(), z.data(), 64, 1);
        CHECK(blas::cuda::multiply(w.get(), other) == has_cublas());
        device::check(cudaStreamSynchronize(other));
        if (has_cublas()) CHECK(z.read() == std::vector<float>(64 * 64, 64.0f));
        blas::cuda::release();
        device::check(cudaStreamDestroy(other));
    }
}

TEST_CASE("which products go to cuBLAS", "[blas][gpu]")
{
    const auto goes = [](bool known, const float* start) {
        product_recipe<float> what({}, known);
        const auto a = side_of<float>(64, 64, false, 0, [](auto, auto) { return 1.0f; });
        const buffer<float> x(a.memory), z(64 * 64, 0.0f);
        const product_work<float> w(what.get(), a, x.data(), a, x.data(), z.data(), 64, 1);
        blas::cuda::load_for(what.get(), 0);
        blas::cuda::wait_until_loaded(0);
        const bool went = blas::cuda::multiply(w.get(start), nullptr);
        device::check(cudaDeviceSynchronize());
        return went;
    };
    const float zero = 0, two = 2;
    CHECK(goes(true, nullptr) == has_cublas());
    CHECK(goes(true, &zero) == has_cublas());
    CHECK_FALSE(goes(true, &two));
    CHECK_FALSE(goes(false, nullptr));
}

int main(int argc, char** argv)
{
    if (!device::available()) {
        std::puts("no CUDA device: skipped");
        return 77;
    }
    product_recipe<float> what({});
    blas::cuda::load_for(what.get(), 0);
    blas::cuda::wait_until_loaded(0);
    return test::run_cases(argc, argv);
}
