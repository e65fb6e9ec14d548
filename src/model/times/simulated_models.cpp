// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/times/simulated_models.hpp"

#include "src/model/knowledge.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/running.hpp"

#include <set>

namespace skelrt::detail
{

namespace
{

constexpr double start_us = 5;

const device_peaks* peaks_of(const machine& m, const starpu_perfmodel_device& on)
{
    return on.type == STARPU_CUDA_WORKER ? m.find("cuda", on.devid) : m.any("cpu");
}

/// Bytes are read by one and written by another.
double copies_us(starpu_task* task, starpu_perfmodel_arch* arch, unsigned)
{
    double bytes = 0;
    for (unsigned i = 0; i < STARPU_TASK_GET_NBUFFERS(task); ++i)
        bytes += static_cast<double>(starpu_data_get_size(STARPU_TASK_GET_HANDLE(task, i)));
    const auto here = running::current()->learnt.models.machine();
    const device_peaks* peaks = peaks_of(*here, arch->devices[0]);
    return start_us + (peaks ? bytes / peaks->memory.value : 0);
}

} // namespace

starpu_perfmodel& model_of_copies()
{
    static starpu_perfmodel& model = [&]() -> starpu_perfmodel& {
        auto& m = *new starpu_perfmodel{};
        m.symbol = "skelrt_copies";
        m.type = STARPU_PER_ARCH;
        m.arch_cost_function = &copies_us;
        return m;
    }();
    return model;
}

void tell_guess(const recipe& r, const estimate& model)
{
    static std::set<std::uint64_t> told;
    if (!model.measured && told.insert(r.key).second)
        log_warning("{}: no model (key {}) among those of this machine: its time is guessed from the machine's peaks",
                    r.name, key_text(r.key));
}

} // namespace skelrt::detail
