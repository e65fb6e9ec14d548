// SPDX-License-Identifier: BSD-3-Clause
#include "product.hpp"

#include "codelets/blas/library.hpp"
#include "codelets/blas/openblas.hpp"
#include "codelets/cpu/cpu.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <random>
#include <thread>

#include <dlfcn.h>

using namespace products;

namespace
{

/// For a scope: whether products go to OpenBLAS.
class with_blas
{
public:
    explicit with_blas(bool yes) { blas::want(yes); }
    with_blas(const with_blas&) = delete;
    with_blas& operator=(const with_blas&) = delete;
    ~with_blas() { blas::want(true); }
};

/// Shares of a team, one after the other or each on a thread.
void run(const work& w, std::size_t shares, bool threads)
{
    cpu::partials none(w, shares);
    if (!threads) {
        for (std::size_t k = 0; k < shares; ++k) cpu::run_share(w, none, k, shares);
        return;
    }
    std::vector<std::thread> team;
    for (std::size_t k = 0; k < shares; ++k) team.emplace_back([&, k] { cpu::run_share(w, none, k, shares); });
    for (std::thread& t : team) t.join();
}

template <class T>
struct product_case {
    shape size;
    sides across;
    std::size_t tiles = 1, shares = 1, pad = 0;
    front in_front = front::nothing;
    bool threads = false;
};

/// The result with what lies between its rows and tiles.
template <class T, class Side>
std::vector<T> result_of(const product_case<T>& c, const side_values<Side>& a, const side_values<Side>& b,
                         bool known = true)
{
    product_recipe<T, Side> what(c.across, known);
    const std::size_t ld = c.size.cols + c.pad, gap = c.pad;
    std::vector<T> result(c.size.rows * ld + c.tiles * gap, c.in_front == front::begun ? front_value<T> : T{-1});
    const product_work<T, Side> w(what.get(), a, a.memory.data(), b, b.memory.data(), result.data(), ld, c.tiles, gap);
    const T start = c.in_front == front::value ? front_value<T> : T{0};
    const bool starts = c.in_front == front::value || c.in_front == front::zero;
    run(w.get(starts ? &start : nullptr, c.in_front == front::begun), c.shares, c.threads);
    return result;
}

template <class T>
std::size_t place_of(const product_case<T>& c, std::size_t row, std::size_t col)
{
    const std::size_t height = (c.size.rows + c.tiles - 1) / c.tiles;
    return row * (c.size.cols + c.pad) + row / height * c.pad + col;
}

template <class T, class Side = T>
void check_exact(const product_case<T>& c)
{
    CAPTURE(c.size.rows, c.size.cols, c.size.depth, c.across.left, c.across.right, c.tiles, c.shares, c.pad,
            static_cast<int>(c.in_front), sizeof(T));
    const auto a = side_of<Side>(c.size.rows, c.size.depth, c.across.left, c.pad,
                                 [](std::size_t r, std::size_t k) { return small_value<Side>(r, k, 7); });
    const auto b = side_of<Side>(c.size.cols, c.size.depth, c.across.right, c.pad,
                                 [](std::size_t r, std::size_t k) { return small_value<Side>(r, k, 5); });
    std::vector<T> got = result_of(c, a, b);
    const bool in_front = c.in_front == front::value || c.in_front == front::begun;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < c.size.rows; ++i)
        for (std::size_t j = 0; j < c.size.cols; ++j) {
            T sum = in_front ? front_value<T> : T{0};
            for (std::size_t k = 0; k < c.size.depth; ++k) sum += a.at(i, k) * b.at(j, k);
            T& mine = got[place_of(c, i, j)];
            wrong += mine != sum;
            mine = c.in_front == front::begun ? front_value<T> : T{-1};
        }
    CHECK(wrong == 0);
    // What lies between is as it was.
    const T between = c.in_front == front::begun ? front_value<T> : T{-1};
    CHECK(std::ranges::count(got, between) == static_cast<std::ptrdiff_t>(got.size()));
}

template <class T, class Side = T>
void check_all_sizes()
{
    const shape sizes[] = {{1, 1, 1},    {1, 1, 100},  {1, 140, 50},  {140, 1, 50},  {16, 16, 16}, {17, 19, 23},
                           {3, 200, 50}, {200, 3, 50}, {67, 131, 97}, {130, 64, 16}, {64, 64, 700}};
    for_each_case(sizes,
                  [](const shape& s, const sides& across, std::size_t tiles, front in_front, std::size_t number) {
                      const std::size_t shares = std::size_t{1} << number % 3, pad = number % 2 * 5;
                      check_exact<T, Side>({s, across, tiles, shares, pad, in_front});
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

/// A matrix times a vector whose elements have others between them.
template <class T, class Side = T>
void check_vectors(const segment& all, bool by_row, std::size_t tiles, std::size_t shares, const T* start)
{
    CAPTURE(all.rows, all.cols, by_row, tiles, shares, start != nullptr, sizeof(T));
    const std::size_t ld = all.cols + 3, step = 2, depth = by_row ? all.cols : all.rows,
                      results = by_row ? all.rows : all.cols;
    std::vector<Side> m(all.rows * ld, Side(-77.0f)), v(depth * step, Side(-77.0f));
    std::vector<T> to(results, T{-1}), want(results, start ? *start : T{0});
    for (std::size_t r = 0; r < all.rows; ++r)
        for (std::size_t c = 0; c < all.cols; ++c) {
            const std::size_t i = by_row ? r : c, k = by_row ? c : r;
            v[k * step] = small_value<Side>(k, 1, 5);
            m[r * ld + c] = small_value<Side>(r, c, 7);
            want[i] += m[r * ld + c] * v[k * step];
        }
    vector_recipe<T, Side> what(by_row);
    const vector_work<T, Side> pieces(what.get(), all, m.data(), ld, v.data(), step, to.data(), tiles);
    const work w = pieces.get(start);
    cpu::partials partials(w, shares);
    for (std::size_t k = 0; k < shares; ++k) cpu::run_share(w, partials, k, shares);
    cpu::finish(w, partials, shares);
    CHECK(to == want);
}

template <class T, class Side = T>
void check_all_vectors()
{
    const T zero{0}, start = front_value<T>;
    const T* const starts[] = {nullptr, &zero, &start};
    const segment sizes[] = {{1, 1, 0, 0}, {1, 5000, 0, 0}, {5000, 1, 0, 0}, {63, 65, 0, 0}, {131, 97, 0, 0}};
    std::size_t number = 0;
    for (const segment& s : sizes)
        for (const bool by_row : {true, false})
            for (const std::size_t tiles : {1, 3}) {
                if (tiles > s.rows) continue;
                check_vectors<T, Side>(s, by_row, tiles, std::size_t{1} << number % 3, starts[number % 3]);
                ++number;
            }
}

void check_all_types_of_vectors()
{
    check_all_vectors<float>();
    check_all_vectors<double>();
    check_all_vectors<std::complex<float>>();
    check_all_vectors<std::complex<double>>();
    check_all_vectors<float, sk::half>();
}

bool has_openblas() { return blas::cores::find_library().missing.empty(); }

} // namespace

TEST_CASE("products on cores: sizes, orientations, tiles, shares, what is in front", "[blas][cores]")
{
    INFO("OpenBLAS: " << blas::cores::find_library().name << blas::cores::find_library().missing);
    check_all_types();
    const with_blas off(false);
    check_all_types();
}

TEST_CASE("products with a vector on cores: sizes, tiles, shares, what is in front", "[blas][cores]")
{
    check_all_types_of_vectors();
    const with_blas off(false);
    check_all_types_of_vectors();
}

TEST_CASE("which products with a vector go to OpenBLAS", "[blas][cores]")
{
    const auto goes = [](std::size_t rows, std::size_t cols, bool by_row) {
        const std::vector<float> m(rows * cols), v(std::max(rows, cols));
        std::vector<float> to(std::max(rows, cols));
        vector_recipe<float> what(by_row);
        const vector_work<float> w(what.get(), {rows, cols, 0, 0}, m.data(), cols, v.data(), 1, to.data(), 1);
        return blas::cores::multiplies(w.get());
    };
    CHECK(goes(100, 100, true) == has_openblas());
    CHECK(goes(100, 100, false) == has_openblas());
    CHECK_FALSE(goes(10, 10, true));
    CHECK_FALSE(goes(1, 40'000, true)); // our levels lose less
    CHECK_FALSE(goes(40'000, 1, false));
    CHECK(goes(40'000, 1, true) == has_openblas());
}

TEST_CASE("shares run at once", "[blas][cores]")
{
    for (int round = 0; round < 20; ++round)
        check_exact<double>({{150, 170, 64}, {false, true}, 3, 8, 1, front::begun, true});
}

TEST_CASE("who has no BLAS gets our kernel, bit for bit", "[blas][cores]")
{
    std::mt19937 random(5);
    std::uniform_real_distribution<float> number(-1, 1);
    const auto any = [&](std::size_t, std::size_t) { return number(random); };
    const product_case<float> c{{90, 75, 333}, {false, true}, 3, 2, 0, front::value};
    const auto a = side_of<float>(90, 333, false, 0, any), b = side_of<float>(75, 333, true, 0, any);
    const auto users = result_of(c, a, b, false); // whose functions nobody sees
    const with_blas off(false);
    const auto ours = result_of(c, a, b);
    CHECK(std::memcmp(ours.data(), users.data(), ours.size() * sizeof(float)) == 0);
}

TEST_CASE("results are off by no more than a product may be", "[blas][cores]")
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> number(-1, 1);
    const auto check = [&]<class T>(T) {
        const shape s{61, 83, 2000};
        const auto any = [&](std::size_t, std::size_t) { return static_cast<T>(number(random)); };
        const auto a = side_of<T>(s.rows, s.depth, true, 3, any), b = side_of<T>(s.cols, s.depth, false, 3, any);
        const product_case<T> c{s, {true, false}, 3, 4, 3, front::begun};
        const auto got = result_of(c, a, b);
        const double eps = std::numeric_limits<T>::epsilon() / 2 * static_cast<double>(s.depth + 1);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < s.rows; ++i)
            for (std::size_t j = 0; j < s.cols; ++j) {
                long double sum = front_value<T>, all = sum;
                for (std::size_t k = 0; k < s.depth; ++k) {
                    const long double one = static_cast<long double>(a.at(i, k)) * b.at(j, k);
                    sum += one;
                    all += std::abs(one);
                }
                const auto off = static_cast<double>(std::abs(sum - got[place_of(c, i, j)]));
                wrong += !(off <= eps * static_cast<double>(all));
            }
        CHECK(wrong == 0);
    };
    check(float{});
    check(double{});
}

TEST_CASE("values that are not finite spoil their row and column, and nothing else", "[blas][cores]")
{
    const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    for (const bool right : {false, true}) {
        const auto one = [](std::size_t, std::size_t) { return 1.0f; };
        auto a = side_of<float>(40, 50, false, 0, one), b = side_of<float>(45, 50, right, 0, one);
        a.at(3, 7) = inf;
        a.at(5, 9) = nan;
        b.at(11, 7) = 0; // inf * 0
        b.at(20, 30) = -inf;
        b.at(22, 1) = nan;
        product_case<float> c{{40, 45, 50}, {false, right}};
        const auto got = result_of(c, a, b);
        // The result's memory was NaN before: what it held must not matter.
        product_recipe<float> what(c.across);
        std::vector<float> fresh(40 * 45, nan);
        const product_work<float> w(what.get(), a, a.memory.data(), b, b.memory.data(), fresh.data(), 45, 1);
        run(w.get(), 1, false);
        CHECK(std::memcmp(got.data(), fresh.data(), got.size() * sizeof(float)) == 0);
        for (std::size_t i = 0; i < 40; ++i)
            for (std::size_t j = 0; j < 45; ++j) {
                const float v = got[i * 45 + j];
                CAPTURE(i, j, v);
                if (i == 5 || j == 22 || (i == 3 && (j == 11 || j == 20))) CHECK(std::isnan(v));
                else if (i == 3) CHECK(v == inf);
                else if (j == 20) CHECK(v == -inf);
                else CHECK(v == (j == 11 ? 49 : 50));
            }
    }
}

TEST_CASE("which products go to OpenBLAS", "[blas][cores]")
{
    const auto goes = [](const shape& s, bool known = true) {
        product_recipe<float> what({}, known);
        const auto one = [](std::size_t, std::size_t) { return 1.0f; };
        const auto a = side_of<float>(s.rows, s.depth, false, 0, one),
                   b = side_of<float>(s.cols, s.depth, false, 0, one);
        std::vector<float> c(s.rows * s.cols);
        const product_work<float> w(what.get(), a, a.memory.data(), b, b.memory.data(), c.data(), s.cols, 1);
        return blas::cores::multiplies(w.get());
    };
    CHECK(goes({100, 100, 100}) == has_openblas());
    CHECK_FALSE(goes({100, 100, 100}, false));
    CHECK(goes({1, 100, 100}) == has_openblas());
    CHECK(goes({100, 1, 100}) == has_openblas());
    CHECK_FALSE(goes({1, 10, 10}));
    CHECK_FALSE(goes({32, 32, 32}));
    CHECK_FALSE(goes({2, 100, 100}));
    CHECK_FALSE(goes({100, 2, 100}));
    CHECK_FALSE(goes({20, 20, 40'000})); // our levels lose less
    const with_blas off(false);
    CHECK_FALSE(goes({100, 100, 100}));
}

TEST_CASE("OpenBLAS has the threads afterwards that the program gave it", "[blas][cores]")
{
    void* const lib = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_NOLOAD);
    if (!lib || !has_openblas()) return;
    const auto get = reinterpret_cast<int (*)()>(dlsym(lib, "openblas_get_num_threads"));
    const auto set = reinterpret_cast<void (*)(int)>(dlsym(lib, "openblas_set_num_threads"));
    const int before = get();
    for (const int threads : {2, 1}) {
        set(threads);
        check_exact<float>({{150, 170, 64}, {}, 1, 4, 0, front::nothing, true});
        CHECK(get() == threads);
    }
    set(before);
    dlclose(lib);
}
