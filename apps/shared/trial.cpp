// SPDX-License-Identifier: BSD-3-Clause
#include "trial.hpp"

#include "devices.hpp"
#include "program.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

namespace apps
{

void turn::time(const std::function<void()>& run)
{
    time([] {}, run);
}

void turn::time(const std::function<void()>& prepare, const std::function<void()>& run)
{
    row_ = measure(row_.device, rt_, options_.repeat, prepare, run);
}

void turn::check(const std::function<comparison()>& compare)
{
    if (options_.check) row_.check = compare();
}

void turn::picture(const std::function<image()>& draw) const
{
    if (last_ && !options_.picture.empty()) save(options_, draw());
}

trial::trial(const std::string& name, const common_options& o, const skelrt::runtime& rt)
    : trial(name, o, rt, devices_for(o.device, rt))
{
}

trial::trial(const std::string& name, const common_options& o, const skelrt::runtime& rt,
             std::vector<std::string> devices)
    : options_(o), rt_(rt), devices_(std::move(devices)), all_{name, {}, {}, 0}
{
}

void trial::reference(const std::function<void()>& plain)
{
    if (options_.check) all_.reference_seconds = seconds_of(plain);
}

void trial::on_each(const std::function<void(turn&)>& body)
{
    std::fflush(stdout);
    for (const auto& device : devices_) {
        const skelrt::only here(set_of(device));
        turn now(options_, rt_, device, device == devices_.back());
        body(now);
        add(now.row());
    }
}

void trial::figure(const std::string& name, const std::string& device, const std::string& other)
{
    figures_.push_back({name, device, other});
}

void trial::tell(const problem_fields& fields, const std::vector<rate>& rates, const check_words& words)
{
    all_.problem.problem = fields;
    all_.problem.rates = rates;
    all_.words = words;
    tell_outcome(options_, all_);
}

int trial::report(const problem_fields& fields, const std::vector<rate>& rates, const check_words& words)
{
    tell(fields, rates, words);
    return finish(options_, {*this});
}

int finish(const common_options& o, const std::vector<trial>& all)
{
    if (!o.csv.empty()) {
        std::vector<problem_rows> problems;
        for (const trial& t : all) problems.push_back(t.all_.problem);
        write_csv(o.csv, problems);
    }
    for (const trial& t : all) {
        for (const auto& [name, device, other] : t.figures_) fmt::print("{}", figure(name, t.rows(), device, other));
        fmt::print("{}", figure(t.all_.name + "_hybrid_vs_gpu", t.rows(), "hybrid", gpu_of(t.rows())));
    }
    return std::ranges::all_of(all, [](const trial& t) { return all_good(t.rows()); }) ? all_well : failed;
}

void save(const common_options& o, const image& picture)
{
    write_png(o.picture, picture);
    fmt::print("picture: {}\n", o.picture.string());
}

} // namespace apps
