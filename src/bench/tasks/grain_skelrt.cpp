// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/tasks/grain.hpp"

#include <skelrt/host.hpp>
#include <skelrt/scalar.hpp>
#include <skelrt/task.hpp>

#include <array>

namespace bench
{
namespace
{

namespace sk = skelrt;
using cell = std::uint32_t;

class skelrt_grain : public grain_entrant
{
public:
    explicit skelrt_grain(std::size_t width) : cells_{row(width), row(width)} {}

    void run(std::size_t steps, std::size_t rounds) override
    {
        for (std::size_t step = 0; step < steps; ++step)
            for (std::size_t i = 0; i < cells_[0].size(); ++i)
                submit(cells_[step % 2], cells_[1 - step % 2], i, rounds);
        for (const auto& c : cells_[0]) sk::wait(c);
    }
    std::vector<cell> cells() override
    {
        std::vector<cell> values;
        for (const auto& c : cells_[0]) values.push_back(c.get());
        return values;
    }

private:
    using cells_type = std::vector<sk::scalar<cell>>;

    static cells_type row(std::size_t width)
    {
        cells_type cells;
        for (std::size_t i = 0; i < width; ++i) cells.emplace_back(static_cast<cell>(i));
        return cells;
    }

    static void submit(const cells_type& from, cells_type& to, std::size_t i, std::size_t rounds)
    {
        const bool left = i > 0, right = i + 1 < from.size();
        if (left && right)
            sk::task([rounds](cell m, cell l, cell r, cell& next) { next = next_cell(m, l, r, rounds); },
                     sk::in(from[i]), sk::in(from[i - 1]), sk::in(from[i + 1]), sk::out(to[i]));
        else if (left || right)
            sk::task([rounds](cell m, cell one, cell& next) { next = next_cell(m, one, 0, rounds); }, sk::in(from[i]),
                     sk::in(from[left ? i - 1 : i + 1]), sk::out(to[i]));
        else
            sk::task([rounds](cell m, cell& next) { next = next_cell(m, 0, 0, rounds); }, sk::in(from[i]),
                     sk::out(to[i]));
    }

    std::array<cells_type, 2> cells_;
};

} // namespace

std::unique_ptr<grain_entrant> make_skelrt_grain(std::size_t width) { return std::make_unique<skelrt_grain>(width); }

} // namespace bench
