// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/caller/trial_log.hpp"

#include "src/data/waiting/wait_for_all.hpp"
#include "src/model/times/history.hpp"
#include "src/program/now_ns.hpp"
#include "src/runtime/environment/environment.hpp"

#include <starpu.h>

#include <cstdio>
#include <exception>
#include <mutex>
#include <string>

namespace skelrt::detail
{

namespace
{

thread_local bool obeys = false;

const std::string& trial_file()
{
    static const auto& file = *new std::string(env_text("SKELRT_TRIAL").value_or(""));
    return file;
}

/// One line: key, elements, time, whether the plan was obeyed, name.
void note(const recipe& r, std::size_t elements, double us)
{
    static std::mutex guard;
    static FILE* const out = std::fopen(trial_file().c_str(), "ae"); // closed, and written out, when the process ends
    if (!out) return;
    std::lock_guard lock(guard);
    std::fprintf(out, "%s %zu %.3f %d %s\n", key_text(r.key).c_str(), elements, us, obeys ? 1 : 0, r.name.c_str());
}

} // namespace

void timed_call::begin(const call& c, const plan_range* obeyed)
{
    wait_for_all_tasks(engine_);
    call_ = &c;
    exceptions_ = std::uncaught_exceptions();
    obeys = obeyed != nullptr;
    begin_us_ = now_us();
}

void timed_call::end()
{
    if (std::uncaught_exceptions() > exceptions_) return;
    wait_for_all_tasks(engine_);
    note(call_->site->what, call_->rows * call_->cols, now_us() - begin_us_);
}

void note_disobedience() noexcept { obeys = false; }

} // namespace skelrt::detail
