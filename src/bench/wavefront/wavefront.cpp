// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/race/race.hpp"
#include "src/bench/wavefront/wavefront_rivals.hpp"

#include <fmt/core.h>
#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace bench
{
namespace
{

namespace sk = skelrt;

const auto sums = sk::wavefront(SKELRT_FN((sk::before2<double> d) { return d.above() + d.left() - d.diagonal(); }));
const auto distances = sk::wavefront(SKELRT_FN((sk::before2<int> d, char a, char b) {
    const int changed = d.diagonal() + (a == b ? 0 : 1), other = (d.left() < d.above() ? d.left() : d.above()) + 1;
    return changed < other ? changed : other;
}));

template <class Problem>
sk::vector<typename Problem::value> edge_of(std::size_t n)
{
    std::vector<typename Problem::value> edge;
    for (std::size_t i = 0; i < n; ++i) edge.push_back(wavefront_edge<Problem>(i));
    return sk::vector<typename Problem::value>(edge.begin(), edge.end());
}

sk::vector<char> text_of(std::size_t n, unsigned seed)
{
    std::vector<char> text;
    for (std::size_t i = 0; i < n; ++i) text.push_back(wavefront_letter(i, seed));
    return sk::vector<char>(text.begin(), text.end());
}

template <class Problem>
class skelrt_entrant : public wavefront_entrant<Problem>
{
    using value = typename Problem::value;

public:
    explicit skelrt_entrant(std::size_t n) : edge_(edge_of<Problem>(n)), a_(text_of(n, 1)), b_(text_of(n, 2)) {}

    void launch() override
    {
        const sk::edges around(edge_, edge_, 0);
        if constexpr (std::is_same_v<Problem, levenshtein>)
            table_ = distances(around, sk::per_row(a_), sk::per_column(b_));
        else table_ = sums(around);
    }
    void wait() override { sk::wait(table_); }
    void look(const std::function<void(const std::function<const value*(std::size_t)>&)>& see) override
    {
        const auto table = sk::host_read(table_);
        see([&](std::size_t row) { return table.data() + row * table.cols(); });
    }

private:
    sk::vector<value> edge_;
    sk::vector<char> a_, b_;
    sk::matrix<value> table_;
};

template <class Problem>
struct filler : entrant<wavefront_entrant<Problem>> {
    using value = typename Problem::value;

    /// Against plain loops, a row after the other.
    void check(std::size_t n) const
    {
        this->work->launch();
        this->work->wait();
        this->work->look([&](const std::function<const value*(std::size_t)>& row_of) {
            std::vector<value> above;
            for (std::size_t c = 0; c < n; ++c) above.push_back(wavefront_edge<Problem>(c));
            for (std::size_t r = 0; r < n; ++r) {
                value left = wavefront_edge<Problem>(r), diagonal = r > 0 ? wavefront_edge<Problem>(r - 1) : 0;
                const value* const row = row_of(r);
                for (std::size_t c = 0; c < n; ++c) {
                    left = Problem{}(left, above[c], diagonal, wavefront_letter(r, 1), wavefront_letter(c, 2));
                    diagonal = above[c];
                    above[c] = left;
                    if (row[c] != left)
                        throw std::runtime_error(fmt::format("wavefront, {}: element ({}, {}) is {} instead of {}",
                                                             this->name, r, c, row[c], left));
                }
            }
        });
    }
};

/// The median time of skelrt over that of its best rival.
template <class Problem>
double race_of(report& out, std::size_t n, const race_options& o, rival_team& team)
{
    std::vector<filler<Problem>> all;
    const auto add = [&](const char* name, std::unique_ptr<wavefront_entrant<Problem>> work, runs_as who) {
        if (work) all.push_back({{name, std::move(work), who}});
    };
    add("skelrt", std::make_unique<skelrt_entrant<Problem>>(n), runs_as::skelrt);
    if (o.on_gpu()) {
        add("CUDA by hand", make_cuda_wavefront<Problem>(n), runs_as::rival);
    } else {
        add("OpenMP, antidiagonals", make_openmp_wavefront<Problem>(openmp_wavefront::antidiagonals, n, team),
            runs_as::team);
        add("OpenMP, doacross", make_openmp_wavefront<Problem>(openmp_wavefront::doacross, n, team), runs_as::team);
    }
    for (const auto& e : all) e.check(n);
    out.heading(fmt::format("{0}, {1} x {1}", Problem::name, n));
    const auto times = race(out, "wavefront", all, team, o, double(n) * double(n), "G elements/s");
    for (const auto& e : all) e.check(n);
    double best = 0;
    for (std::size_t i = 1; i < times.size(); ++i) best = i == 1 ? times[i].median : std::min(best, times[i].median);
    return best > 0 ? times[0].median / best : 0;
}

int wavefront(report& out, race_options o)
{
    complete_race(o);
    const auto rt = start_runtime(o.device);
    out.note("devices:     " + devices_text(*rt));
    out.note(
        "square tables by dynamic programming, Levenshtein's with twice as many rows and columns; rates are of the "
        "best time, figures of the medians, of the worse table: time over the best rival's; contestants alternate");
    rival_team team;
    const sk::only kind(o.kind());
    const double worse =
        std::max(race_of<synchronization>(out, o.n, o, team), race_of<levenshtein>(out, 2 * o.n, o, team));
    if (worse > 0) out.figure(o.on_gpu() ? "wavefront_gpu_vs_hand" : "wavefront_cpu_vs_openmp", worse);
    return 0;
}

} // namespace

runner declare_wavefront(apps::option_list& line)
{
    auto o = std::make_shared<race_options>(race_options{4096, 4096, 15, 20});
    declare_race(line, *o, "cpu: against tiled OpenMP loops; cuda: resident, against a kernel by hand",
                 "rows and columns");
    return [o](report& out) { return wavefront(out, *o); };
}

} // namespace bench
