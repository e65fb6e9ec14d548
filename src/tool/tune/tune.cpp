// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/tune/tune.hpp"

#include "src/model/files/files.hpp"
#include "src/runtime/environment/environment.hpp"
#include "src/tool/tune/plans.hpp"
#include "src/tool/tune/process.hpp"
#include "src/tool/tune/search.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>

#include <unistd.h>

namespace skelrt::tool
{

namespace
{

namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;

constexpr double for_ever = std::numeric_limits<double>::infinity();

std::vector<device_info> devices_here()
{
    const runtime rt;
    return rt.devices();
}

void say(const std::string& line) { fmt::print(stderr, "{}\n", line); }

/// Before minutes are spent on it.
void require_writable(const fs::path& plan)
{
    const fs::path folder = plan.has_parent_path() ? plan.parent_path() : fs::path(".");
    if (fs::is_directory(plan) || (fs::exists(folder) && access(folder.c_str(), W_OK) != 0))
        throw error(fmt::format("the plan cannot be written to {}: name another file with -o", plan.string()));
}

class tuning_session
{
public:
    explicit tuning_session(const tune_request& r)
        : request_(r), begin_(clock::now()), choices_(choices_for(devices_here()))
    {
    }

    void run()
    {
        say(fmt::format("{}: at most about {:.0f} s (--budget)", request_.command[0], request_.budget_s));
        const double first = automatic_run(); // may build kernels, and make memory
        run_s_ = std::min(first, automatic_run());
        say(fmt::format("a run takes {:.3f} s where calls are placed automatically", run_s_));
        survey();
        if (!time_for(least_runs)) {
            write({},
                  fmt::format("nothing was tried, which takes {} runs at least: give more time (--budget {:.0f}), or "
                              "tune a shorter run",
                              least_runs, std::ceil(enough_s())));
            return;
        }
        say("whole runs, as you make them: nothing is waited for");
        const search_result found = search(places_, choices_, runs());
        tell(found);
    }

private:
    double clock_s() const { return std::chrono::duration<double>(clock::now() - begin_).count(); }

    bool time_for(std::size_t runs) const { return clock_s() + run_s_ * static_cast<double>(runs) < request_.budget_s; }

    /// What a search takes, about.
    double enough_s() const { return run_s_ * static_cast<double>(choices_.size() + 3 * least_runs); }

    std::string complaint(const run_ending& e) const
    {
        std::string said = detail::read_file(scratch_.file("said")).value_or("");
        constexpr std::size_t most = 2000;
        if (said.size() > most) said = "..." + said.substr(said.size() - most);
        return fmt::format("{} ended with exit code {}; only a program that works is tuned. {}{}", request_.command[0],
                           e.status, said.empty() ? "It said nothing on stderr" : "It said:\n", said);
    }

    double automatic_run()
    {
        const run_ending e = run_program(request_.command, {{}, {}, scratch_.file("said"), for_ever});
        if (e.status != 0) throw error(complaint(e));
        return e.seconds;
    }

    double seconds_of(const assignment& a)
    {
        const auto is_automatic = [](std::size_t k) { return k == 0; };
        if (std::ranges::all_of(a, is_automatic)) return automatic_run();
        constexpr double hopeless = 2; // times what automatic takes
        const fs::path plan = scratch_.file("plan.json");
        detail::save_program_plans(plan.string(), plans_of(a, places_, choices_));
        const run_ending e = run_program(request_.command, {plan, {}, scratch_.file("said"), hopeless * run_s_});
        return e.stopped || e.status != 0 ? for_ever : e.seconds;
    }

    whole_runs runs()
    {
        return {[this](const assignment& a) { return seconds_of(a); }, [this](std::size_t n) { return time_for(n); },
                say};
    }

    /// The calls of one run in which each is waited for; none if it was stopped or failed.
    std::vector<surveyed_call> calls_with(std::size_t choice, double limit_s)
    {
        const fs::path log = scratch_.file(fmt::format("calls-{}", choice)), plan = scratch_.file("plan.json");
        const bool forced = !choices_[choice].shares.empty();
        if (forced) detail::save_plan(plan.string(), skelrt::plan(choices_[choice].shares));
        const run_ending e =
            run_program(request_.command, {forced ? plan : fs::path(), log, scratch_.file("said"), limit_s});
        if (!forced && e.status != 0) throw error(complaint(e));
        auto calls = e.stopped || e.status != 0 ? std::vector<surveyed_call>{}
                                                : read_survey(detail::read_file(log).value_or(""), choice);
        survey_s_ = forced ? survey_s_ : e.seconds;
        const std::string how = e.stopped  ? "stopped: it takes too long"
                                : e.status ? fmt::format("failed with exit code {}: not tried further", e.status)
                                           : fmt::format("{} calls, {:.3f} s", calls.size(), e.seconds);
        say(fmt::format("  {:<44} {}", choices_[choice].name, how));
        return calls;
    }

    void survey()
    {
        say("what there is to choose, for all calls; each call is waited for, and its time noted");
        std::vector<surveyed_call> calls = calls_with(0, for_ever);
        if (calls.empty())
            throw error(fmt::format("{} called no skeleton; there is nothing to tune", request_.command[0]));
        constexpr double hopeless = 4, for_kernels_s = 10; // which are built at their first use
        std::size_t k = 1;
        for (; k < choices_.size() && time_for(least_runs); ++k)
            for (surveyed_call& c : calls_with(k, hopeless * survey_s_ + for_kernels_s)) calls.push_back(std::move(c));
        surveyed_all_ = k == choices_.size();
        places_ = places_of(calls, choices_.size());
        require_choices();
        say(fmt::format("where the time of the calls goes, {:.3f} s:", seconds_of_places()));
        for (std::size_t p = 0; p < places_.size(); ++p) say(fmt::format("{:>3}  {}", p + 1, as_text(places_[p])));
    }

    double seconds_of_places() const
    {
        return std::accumulate(places_.begin(), places_.end(), 0.0,
                               [](double s, const place& p) { return s + p.seconds(0); });
    }

    void require_choices() const
    {
        const auto policy = detail::env_text("STARPU_SCHED");
        if (!policy) return;
        for (const place& p : places_)
            if (std::ranges::any_of(p.us.begin() + 1, p.us.end(), [](double us) { return us > 0; })) return;
        throw error(fmt::format("no call obeys a plan while STARPU_SCHED={} places them: unset it", *policy));
    }

    void tell(const search_result& found)
    {
        const char* const more =
            found.in_time && surveyed_all_ ? "" : "; not all was tried: more time is given by --budget";
        if (std::ranges::all_of(found.kept, [](std::size_t k) { return k == 0; })) {
            write({},
                  fmt::format("nothing that was tried makes the whole program {:.0f} % faster than automatic placement"
                              "{}{}",
                              100 * once_more.least, few_calls(), more));
            return;
        }
        for (std::size_t p = 0; p < places_.size(); ++p)
            if (found.kept[p] != 0)
                fmt::print("{}, {} to {} elements: {}\n", places_[p].codelet, places_[p].from, places_[p].to,
                           choices_[found.kept[p]].name);
        write(plans_of(found.kept, places_, choices_),
              fmt::format("the whole program: automatic {:.3f} s, with the plan {:.3f} s, medians of {} turns{}",
                          median_of(found.last.without), median_of(found.last.with), found.last.with.size(), more));
    }

    /// Why nothing can gain, if that is so.
    std::string few_calls() const
    {
        constexpr double few = 0.1; // of the time of a run
        if (seconds_of_places() > few * run_s_) return {};
        return fmt::format(": its calls take {:.3f} s of {:.3f} s", seconds_of_places(), run_s_);
    }

    void write(const detail::program_plans& plans, const std::string& why)
    {
        detail::save_program_plans(request_.plan.string(), plans);
        fmt::print("{}\n", why);
        if (plans.codelets.empty()) {
            fmt::print("{}: changes nothing\n", request_.plan.string());
            return;
        }
        std::string line = "SKELRT_PLAN=" + quoted_for_shell(request_.plan.string());
        for (const std::string& word : request_.command) line += " " + quoted_for_shell(word);
        fmt::print("{}: use it with {}\n", request_.plan.string(), line);
    }

    const tune_request& request_;
    const clock::time_point begin_;
    const std::vector<choice> choices_;
    const scratch_folder scratch_;
    std::vector<place> places_;
    double run_s_ = 0, survey_s_ = 0;
    bool surveyed_all_ = false;
};

} // namespace

void tune_program(const tune_request& request)
{
    require_writable(request.plan);
    for (const char* const ours : {"SKELRT_PLAN", "SKELRT_TRIAL"}) unsetenv(ours); // an old plan is not what is tuned
    tuning_session(request).run();
}

} // namespace skelrt::tool
