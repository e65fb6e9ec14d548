// SPDX-License-Identifier: BSD-3-Clause
/// Plays what ways took on a real machine, sample by sample, to the episodes' book, and says how often it would have
/// lost to the better single device. So rules of the book are judged by a machine's own noise, without the machine.
///
///     skelrt-bench hybrid --no-splits --no-policies --samples samples.csv      (on the machine)
///     replay_episodes < samples.csv
///
/// Cores and GPU take what was measured in that round. The planner's way is one of them, up to half as slow;
/// predictions are off by up to two; splits are made up. Each point is played three times, and an episode on another
/// device than the last takes 1.3 times as long, as its caches are cold.
#include "one_program_book.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace
{

using skelrt::detail::episode_start;
using skelrt::detail::episode_ways;

/// Microseconds by round.
struct point {
    std::map<int, double> cores, gpu;
};

/// Lines of "name",way,round,us.
std::map<std::string, point> read_points(std::istream& from)
{
    std::map<std::string, point> all;
    std::string line;
    while (std::getline(from, line)) {
        const std::size_t end = line.rfind('"');
        if (end == std::string::npos) continue;
        std::istringstream rest(line.substr(end + 2));
        std::string way, round, us;
        std::getline(rest, way, ','), std::getline(rest, round, ','), std::getline(rest, us);
        point& p = all[line.substr(1, end - 1)];
        if (way == "cpu") p.cores[std::stoi(round)] = std::stod(us);
        if (way == "cuda") p.gpu[std::stoi(round)] = std::stod(us);
    }
    return all;
}

double median(std::vector<double> x)
{
    std::ranges::nth_element(x, x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2));
    return x[x.size() / 2];
}

/// One for each round of either; where there was no sample, the last one.
std::vector<double> without_gaps(const std::map<int, double>& times, const point& p)
{
    std::vector<double> known;
    for (const auto& [round, us] : times) known.push_back(us);
    double last = median(known);
    std::map<int, double> all = p.cores;
    all.insert(p.gpu.begin(), p.gpu.end());
    std::vector<double> made;
    for (auto& [round, us] : all) {
        if (const auto at = times.find(round); at != times.end()) last = at->second;
        made.push_back(last);
    }
    return made;
}

/// The median of the book's time over the better single device's.
double play(const point& p, bool chain, unsigned seed)
{
    constexpr double cold = 1.3;
    const std::vector<double> cores = without_gaps(p.cores, p), gpu = without_gaps(p.gpu, p);
    const double usual_cores = median(cores), usual_gpu = median(gpu);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> spread(-1, 1);
    const double slower = 1 + 0.5 * std::max(0.0, spread(random)), hindered = 1.15 * std::pow(1.4, spread(random));
    const bool on_cores = spread(random) < 0 ? usual_cores < usual_gpu : usual_cores * 1.3 < usual_gpu;
    std::vector<double> predicted{(on_cores ? usual_cores : usual_gpu) * slower, usual_cores, usual_gpu};
    for (std::size_t k : {1, 2}) predicted[k] *= std::pow(2, spread(random));

    const episode_ways ways{2, {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}, 2, 1};
    const episode_start here{7, 1, 1};
    one_program_book book(ways);
    std::vector<double> ratios;
    std::size_t last = 0;
    for (std::size_t i = 0; i < cores.size(); ++i) {
        const std::size_t way = book.choose(here);
        double us = way == 1 ? cores[i] : gpu[i];
        if (way == 0) us = (on_cores ? cores[i] : gpu[i]) * slower;
        else if (ways.is_split(way))
            us = hindered * std::max(ways.part(way) * gpu[i], (1 - ways.part(way)) * cores[i]) + 60;
        if (i >= 16) ratios.push_back(us / (usual_cores < usual_gpu ? cores[i] : gpu[i]));
        const double built = i < 2 ? 5 : 1;
        book.note(here, way, chain ? 100 : 1, us * built * (way != last ? cold : 1), predicted);
        last = way;
    }
    return ratios.empty() ? 1 : median(ratios);
}

} // namespace

int main()
{
    int over = 0, far_over = 0;
    unsigned played = 0;
    double worst = 0;
    for (const auto& [name, p] : read_points(std::cin)) {
        if (p.cores.empty() || p.gpu.empty()) continue;
        for (int time = 0; time < 3; ++time) {
            const double ratio = play(p, name.find(" x ") != std::string::npos, ++played);
            if (ratio > 1.05) std::cout << name << ": " << ratio << "\n";
            over += ratio > 1.05, far_over += ratio > 1.10;
            worst = std::max(worst, ratio);
        }
    }
    std::cout << played << " played: " << over << " over 1.05, " << far_over
              << " over 1.10 of the better device's time, worst " << worst << "\n";
}
