// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/jit/versions.hpp"
#include "src/model/machine/machine.hpp"
#include "src/tool/doctor/checks/variables.hpp"

#include <skelrt/runtime.hpp>

#include <string>
#include <vector>

/// What programs find of devices, and whether a small program runs on each. Pure.
namespace skelrt::tool::doctor
{

/// How a question to another process ended, which a driver may have hung or ended.
struct asked {
    std::string problem; ///< why there is no answer: "it crashed (signal 11)"; empty: there is one
};

/// A runtime, as a program here would start it.
struct start_facts : asked {
    std::string refused; ///< what sk::runtime threw; empty: it started
    std::vector<device_info> devices;
    std::string policy;       ///< that runs
    std::vector<int> workers; ///< where each CPU worker is bound
    detail::machine known;    ///< facts that plans go by
};
findings check_start(const start_facts& f, const variables& set);
/// After a start that hung or crashed: one with a single kind of device, and the drivers of others hidden.
findings check_start_of(const std::string& kind, const start_facts& f);

struct cuda_facts : asked {
    detail::cuda_versions versions;
    bool has_gpu = false; ///< by the PCI bus
    bool in_use = false;  ///< the runtime got one
};
findings check_cuda(const cuda_facts& f, const variables& set);

struct opencl_facts : asked {
    bool built_in = false;
    std::vector<detail::opencl_platform> platforms;
    bool has_gpu = false; ///< of any maker, by the PCI bus
    bool in_use = false;
    bool gpus_in_use = false; ///< by CUDA or OpenCL
};
findings check_opencl(const opencl_facts& f, const variables& set);

/// A device file that is there.
struct device_file {
    std::string path, group; ///< "/dev/dri/renderD128", "render"
    bool may_open = true;    ///< to read and write
};
findings check_permissions(const std::vector<device_file>& files);

/// A map and a reduction on one device, and how fast its memory and link were.
struct trial : asked {
    std::string device; ///< "cuda 0"
    std::string name;
    std::string refused;                 ///< what was thrown
    std::string differs;                 ///< what is not as it should be: "element 3 is 7 and not 8"
    double first_call_ms = 0;            ///< kernels are built, or loaded
    double memory = 0, to = 0, from = 0; ///< bytes per microsecond; 0: not measured
    std::string not_measured;            ///< why, where the small program ran and the measurement did not
};
findings check_trial(const trial& t);
/// What was measured beside what is known; null: nothing is.
findings check_speed(const trial& t, const detail::device_peaks* known);

} // namespace skelrt::tool::doctor
