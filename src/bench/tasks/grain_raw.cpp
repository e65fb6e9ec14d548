// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/tasks/grain.hpp"
#include "src/bench/tasks/raw_tasks.hpp"

#include <array>
#include <iterator>

namespace bench
{
namespace
{

using cell = std::uint32_t;

template <int Neighbours>
void run_cell(void* buffers[], void* rounds)
{
    const auto at = [&](int k) -> cell& { return *reinterpret_cast<cell*>(STARPU_VARIABLE_GET_PTR(buffers[k])); };
    const cell one = Neighbours > 0 ? at(1) : 0, other = Neighbours > 1 ? at(2) : 0;
    at(1 + Neighbours) = next_cell(at(0), one, other, *static_cast<const std::size_t*>(rounds));
}

class raw_grain : public grain_entrant
{
public:
    explicit raw_grain(std::size_t width) : width_(width), cells_{raw_values(width), raw_values(width)} {}

    void run(std::size_t steps, std::size_t rounds) override
    {
        rounds_ = rounds;
        for (std::size_t step = 0; step < steps; ++step)
            for (std::size_t i = 0; i < width_; ++i) submit(cells_[step % 2], cells_[1 - step % 2], i);
        starpu_task_wait_for_all();
    }
    std::vector<cell> cells() override
    {
        std::vector<cell> values;
        for (std::size_t i = 0; i < width_; ++i) values.push_back(cells_[0].value(i));
        return values;
    }

private:
    void submit(const raw_values& from, const raw_values& to, std::size_t i)
    {
        std::array<starpu_data_handle_t, 4> used{from[i]};
        std::size_t n = 1;
        if (i > 0) used[n++] = from[i - 1];
        if (i + 1 < width_) used[n++] = from[i + 1];
        used[n++] = to[i];
        submit_raw(codelets_[n - 2], {used.data(), n}, &rounds_);
    }

    std::size_t width_, rounds_ = 0;
    std::array<raw_values, 2> cells_;
    std::array<starpu_codelet, 3> codelets_{raw_codelet(run_cell<0>, 2, STARPU_W),
                                            raw_codelet(run_cell<1>, 3, STARPU_W),
                                            raw_codelet(run_cell<2>, 4, STARPU_W)};
};

} // namespace

std::unique_ptr<grain_entrant> make_raw_grain(std::size_t width) { return std::make_unique<raw_grain>(width); }

} // namespace bench
