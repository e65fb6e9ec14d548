// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/tasks/grain.hpp"

#include <numeric>

namespace bench
{
namespace
{

using cell = std::uint32_t;

class omp_grain : public grain_entrant
{
public:
    explicit omp_grain(std::size_t width) : first_(width), second_(width)
    {
        std::iota(first_.begin(), first_.end(), 0u);
    }

    void run(std::size_t steps, std::size_t rounds) override
    {
        const int threads = static_cast<int>(first_.size());
#pragma omp parallel num_threads(threads)
#pragma omp single
        for (std::size_t step = 0; step < steps; ++step)
            for (std::size_t i = 0; i < first_.size(); ++i)
                if (step % 2 == 0) submit(first_.data(), second_.data(), i, rounds);
                else submit(second_.data(), first_.data(), i, rounds);
    }
    std::vector<cell> cells() override { return first_; }

private:
    void submit(const cell* from, cell* to, std::size_t i, std::size_t rounds) const
    {
        const bool left = i > 0, right = i + 1 < first_.size();
        if (left && right) {
#pragma omp task depend(in : from[i], from[i - 1], from[i + 1]) depend(out : to[i])
            to[i] = next_cell(from[i], from[i - 1], from[i + 1], rounds);
        } else if (left || right) {
            const std::size_t one = left ? i - 1 : i + 1;
#pragma omp task depend(in : from[i], from[one]) depend(out : to[i])
            to[i] = next_cell(from[i], from[one], 0, rounds);
        } else {
#pragma omp task depend(in : from[i]) depend(out : to[i])
            to[i] = next_cell(from[i], 0, 0, rounds);
        }
    }

    std::vector<cell> first_, second_;
};

} // namespace

std::unique_ptr<grain_entrant> make_omp_grain(std::size_t width) { return std::make_unique<omp_grain>(width); }

} // namespace bench
