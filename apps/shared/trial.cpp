// SPDX-License-Identifier: BSD-3-Clause
#include "trial.hpp"

#include "apps/shared/program/devices.hpp"
#include "apps/shared/program/program.hpp"

#include <algorithm>
#include <chrono>
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
    row_ = measure(row_.device, rt_, options_, prepare, run);
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
    : options_(o), rt_(rt), name_(name), devices_(std::move(devices))
{
}

void trial::reference(const std::function<void()>& plain)
{
    if (!options_.check) return;
    const auto start = std::chrono::steady_clock::now();
    plain();
    reference_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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
    problem_.problem = fields;
    problem_.rates = rates;
    fmt::print("{}\n", table_of(rows(), rates));
    if (!options_.check) return;
    fmt::print("{}", check_text(rows(), words));
    const measurement& first = rows().front();
    if (reference_seconds_ > 0)
        fmt::print("the reference, plain loops on one core: {}, {:.2f} times what {} takes\n",
                   duration_text(reference_seconds_), reference_seconds_ / first.median(), first.device);
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
        for (const trial& t : all) problems.push_back(t.problem_);
        write_csv(o.csv, problems);
    }
    for (const trial& t : all) {
        for (const auto& [name, device, other] : t.figures_) fmt::print("{}", figure(name, t.rows(), device, other));
        fmt::print("{}", figure(t.name_ + "_hybrid_vs_gpu", t.rows(), "hybrid", gpu_of(t.rows())));
    }
    return std::ranges::all_of(all, [](const trial& t) { return all_good(t.rows()); }) ? all_well : failed;
}

void save(const common_options& o, const image& picture)
{
    write_png(o.picture, picture);
    fmt::print("picture: {}\n", o.picture.string());
}

} // namespace apps
