// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// How StarPU's workers wait for tasks without taking the cores from everybody else.
namespace skelrt::detail
{

/// While it lives, idle workers yield.
class polite_workers
{
public:
    polite_workers();
    ~polite_workers();
    polite_workers(const polite_workers&) = delete;
    polite_workers& operator=(const polite_workers&) = delete;

private:
    int idle_hook_, progression_hook_;
};

/// The calling worker, of a GPU, has a task: it polls more closely for a while.
void note_busy_worker() noexcept;

} // namespace skelrt::detail
