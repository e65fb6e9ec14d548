// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/summary/table.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace skelrt::detail
{

/// SKELRT_SUMMARY=1: what calls took, by function and device, for a table on stderr when the runtime ends.
///
/// Names are those of recipes and of kernels, which live as long as the process. Lifetime: a runtime's; it is printed
/// while StarPU still runs, for it knows the devices' names and what was copied. Any thread.
class call_summary
{
public:
    call_summary();

    /// A call that the calling thread has computed, alone or with all cores.
    void add_inline(const std::string& name, double us) noexcept;
    /// The task that has just ended on this worker, or that part of it: `begins` a call if it is the first of it.
    void add_task(const std::string& name, bool begins, double part = 1) noexcept;
    void print() const;

private:
    static constexpr int inline_place = -1, cores_place = -2; ///< others: the worker of a GPU
    struct sums {
        std::size_t calls = 0, tasks = 0;
        double us = 0;
    };

    void add(const std::string& name, int place, const sums& more) noexcept;
    static std::string place_text(int place);

    const double began_us_;
    mutable std::mutex guard_;
    std::map<std::pair<const std::string*, int>, sums> all_;
};

} // namespace skelrt::detail
