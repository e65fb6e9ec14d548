// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/mixes/work.hpp"

#include <fmt/core.h>
#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <cstdint>
#include <stdexcept>

namespace bench
{
namespace
{

namespace sk = skelrt;

const auto rise = sk::map(SKELRT_FN((float x) {
    for (int k = 0; k < 400; ++k) x = x * 0.9999f + 0.0001f;
    return x;
}));
const auto saxpy = sk::map(SKELRT_FN((float a, float x, float y) { return a * x + y; }));
const auto sum = sk::reduce(SKELRT_FN((float a, float b) { return a + b; }));
const auto smooth =
    sk::stencil(SKELRT_FN((sk::hood2<float> u) { return 0.25f * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1)); }),
                sk::border::constant(1.0f));
const auto step = sk::map(SKELRT_FN((float x) { return x * 0.99f + 0.01f; }));

void fill(sk::vector<float>& x, float with)
{
    auto values = sk::host_write(x);
    std::ranges::fill(values, with);
}

/// Many operations for each element.
class compute final : public item_work
{
public:
    void write_anew() override { fill(x_, 0.5f); }
    double run() override
    {
        y_ = rise(x_);
        return sum(y_);
    }

private:
    sk::vector<float> x_ = sk::vector<float>(1'000'000, 0.5f), y_ = sk::vector<float>(1'000'000);
};

/// As fast as the memory, or the way there.
class stream final : public item_work
{
public:
    void write_anew() override { fill(x_, 1), fill(y_, 2); }
    double run() override
    {
        z_ = saxpy(0.5f, x_, y_);
        return sum(z_);
    }

private:
    static constexpr std::size_t n = 4'000'000;
    sk::vector<float> x_ = sk::vector<float>(n, 1.0f), y_ = sk::vector<float>(n, 2.0f), z_ = sk::vector<float>(n);
};

/// Some steps on a grid that is copied once.
class stencil final : public item_work
{
public:
    void write_anew() override
    {
        auto values = sk::host_write(u_);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) values(i, j) = 1;
    }
    double run() override
    {
        for (int k = 0; k < 10; ++k) u_ = smooth(u_);
        return sk::host_read(u_)(n / 2, n / 2);
    }

private:
    static constexpr std::size_t n = 1000;
    sk::matrix<float> u_ = sk::matrix<float>(n, n, 1.0f);
};

/// A chain of calls of some microseconds.
class short_calls final : public item_work
{
public:
    void write_anew() override { fill(x_, 2.0f); }
    double run() override
    {
        for (int k = 0; k < 100; ++k) x_ = step(x_);
        return sk::host_read(x_)[0];
    }

private:
    sk::vector<float> x_ = sk::vector<float>(20'000, 2.0f);
};

/// No calls: the thread's own work.
class plain final : public item_work
{
public:
    void write_anew() override {}
    double run() override
    {
        std::uint64_t x = 88172645463325252u, sum = 0;
        for (int k = 0; k < 2'000'000; ++k) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            sum += x & 1;
        }
        return static_cast<double>(sum);
    }
};

} // namespace

std::unique_ptr<item_work> make_item_work(std::string_view kind)
{
    if (kind == "compute") return std::make_unique<compute>();
    if (kind == "stream") return std::make_unique<stream>();
    if (kind == "stencil") return std::make_unique<stencil>();
    if (kind == "short") return std::make_unique<short_calls>();
    if (kind == "plain") return std::make_unique<plain>();
    throw std::runtime_error(fmt::format("mixes: no work is called {}", kind));
}

std::vector<mix> all_mixes()
{
    std::vector<mix> all;
    for (const bool fresh : {true, false}) {
        const std::string data = fresh ? ", fresh" : ", resident";
        all.push_back({"compute" + data, {"compute"}, fresh});
        all.push_back({"stream" + data, {"stream"}, fresh});
        all.push_back({"stencil" + data, {"stencil"}, fresh});
        all.push_back({"compute and stream" + data, {"compute", "stream"}, fresh});
        all.push_back({"short and stencil" + data, {"short", "stencil"}, fresh});
        all.push_back({"all" + data, {"compute", "stream", "stencil", "short", "plain"}, fresh});
    }
    return all;
}

} // namespace bench
