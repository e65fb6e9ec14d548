// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/shared/host_array.hpp"
#include "src/bench/shared/race/rival_team.hpp"
#include "src/bench/wavefront/wavefront_rivals.hpp"

#include <algorithm>

namespace bench
{
namespace
{

constexpr std::size_t tile = 128; // of 64 to 256, the best on sixteen cores

/// The table has its edges around it.
template <class Problem>
class openmp_table : public wavefront_entrant<Problem>
{
    using value = typename Problem::value;

public:
    openmp_table(openmp_wavefront how, std::size_t n, rival_team& team)
        : how_(how), team_(team), n_(n), ld_(n + 1), table_(make_host_array<value>(ld_ * ld_)),
          a_(make_host_array<char>(n)), b_(make_host_array<char>(n))
    {
        team_.run([this] {
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
            for (std::size_t r = 0; r < ld_; ++r)
                for (std::size_t c = 0; c < ld_; ++c)
                    table_[r * ld_ + c] = r > 0 && c > 0 ? value{-1} : static_cast<value>(r + c);
        });
        for (std::size_t i = 0; i < n; ++i) {
            a_[i] = wavefront_letter(i, 1);
            b_[i] = wavefront_letter(i, 2);
        }
    }

    void launch() override
    {
        team_.run([this] { how_ == openmp_wavefront::doacross ? across() : along_antidiagonals(); });
    }
    void wait() override {}
    void look(const std::function<void(const std::function<const value*(std::size_t)>&)>& see) override
    {
        see([this](std::size_t row) { return table_.get() + (row + 1) * ld_ + 1; });
    }

private:
    void fill(std::size_t down, std::size_t across) const
    {
        const std::size_t r1 = std::min(n_, (down + 1) * tile), c0 = across * tile, c1 = std::min(n_, c0 + tile);
        for (std::size_t r = down * tile; r < r1; ++r) {
            const value* const above = table_.get() + r * ld_ + 1;
            value* const own = table_.get() + (r + 1) * ld_ + 1;
            value left = own[static_cast<std::ptrdiff_t>(c0) - 1],
                  diagonal = above[static_cast<std::ptrdiff_t>(c0) - 1];
            const char a = a_[r];
            for (std::size_t c = c0; c < c1; ++c) {
                left = Problem{}(left, above[c], diagonal, a, b_[c]);
                diagonal = above[c];
                own[c] = left;
            }
        }
    }

    void along_antidiagonals() const
    {
        const std::size_t tiles = (n_ + tile - 1) / tile;
#pragma omp parallel num_threads(team_.threads())
        for (std::size_t d = 0; d + 1 < 2 * tiles; ++d) {
            const std::size_t first = d < tiles ? 0 : d - tiles + 1, last = std::min(d, tiles - 1);
#pragma omp for schedule(static)
            for (std::size_t down = first; down <= last; ++down) fill(down, d - down);
        }
    }

    void across() const
    {
        const auto tiles = static_cast<long>((n_ + tile - 1) / tile);
#pragma omp parallel for num_threads(team_.threads()) schedule(static, 1) ordered(2)
        for (long down = 0; down < tiles; ++down)
            for (long across = 0; across < tiles; ++across) {
#pragma omp ordered depend(sink : down - 1, across)
                fill(static_cast<std::size_t>(down), static_cast<std::size_t>(across));
#pragma omp ordered depend(source)
            }
    }

    openmp_wavefront how_;
    rival_team& team_;
    std::size_t n_, ld_;
    host_array<value> table_;
    host_array<char> a_, b_;
};

} // namespace

template <class Problem>
std::unique_ptr<wavefront_entrant<Problem>> make_openmp_wavefront(openmp_wavefront how, std::size_t n, rival_team& team)
{
    return std::make_unique<openmp_table<Problem>>(how, n, team);
}
template std::unique_ptr<wavefront_entrant<synchronization>> make_openmp_wavefront(openmp_wavefront, std::size_t,
                                                                                   rival_team&);
template std::unique_ptr<wavefront_entrant<levenshtein>> make_openmp_wavefront(openmp_wavefront, std::size_t,
                                                                               rival_team&);

} // namespace bench
