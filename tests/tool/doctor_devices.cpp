// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/doctor/checks/devices.hpp"

#include <catch2/catch.hpp>

using namespace skelrt;
using namespace skelrt::tool::doctor;
using Catch::Matchers::Contains;

namespace
{

const device_info cores{device::cpu, 0, "a CPU", 8, 0}, gpu{device::cuda, 0, "a GPU", 0, std::size_t{80} << 30};

void is_first(const findings& f, verdict is, const std::string& what, const std::string& way_out)
{
    REQUIRE_FALSE(f.empty());
    CAPTURE(f[0].what);
    REQUIRE(f[0].is == is);
    REQUIRE_THAT(f[0].what, Contains(what));
    REQUIRE_THAT(f[0].way_out, Contains(way_out));
    REQUIRE(f[0].way_out.empty() == (is == verdict::ok));
}

start_facts started()
{
    start_facts f;
    f.devices = {cores, gpu};
    f.policy = "skelrt";
    return f;
}

cuda_facts cuda_of(const std::string& driver, const std::string& nvrtc, const std::string& runtime = "13.0")
{
    cuda_facts f;
    f.versions = {true, driver, runtime, nvrtc};
    f.has_gpu = f.in_use = true;
    return f;
}

opencl_facts opencl_with(std::vector<detail::opencl_device> devices)
{
    opencl_facts f;
    f.built_in = true;
    f.platforms = {{"a platform", "OpenCL 3.0", std::move(devices)}};
    return f;
}

trial sound_trial()
{
    trial t;
    t.device = "cuda 0";
    t.name = "a GPU";
    t.first_call_ms = 200;
    t.memory = 2e6;
    t.to = t.from = 20e3;
    return t;
}

detail::device_peaks known_gpu(detail::source from)
{
    detail::device_peaks d;
    d.memory = {2e6, from};
    d.to = d.from = {20e3, from};
    return d;
}

} // namespace

TEST_CASE("a runtime that starts, or does not", "[doctor]")
{
    is_first(check_start(started(), {}), verdict::ok, "starts with cpu (8 cores), cuda 0, policy skelrt", "");
    start_facts f;
    f.refused = "sk::runtime: StarPU found no worker to run on";
    is_first(check_start(f, {}), verdict::wrong, "no worker to run on", "skelrt env");
    f = {};
    f.problem = "no answer within 60 s";
    is_first(check_start(f, {}), verdict::wrong, "does not start: no answer within 60 s", "OCL_ICD_VENDORS=/nowhere");
    is_first(check_start_of("cuda", f), verdict::wrong,
             "SKELRT_DEVICES=cuda and no other driver: no answer within 60 s", "nvidia-smi");
    is_first(check_start_of("cpu", started()), verdict::ok, "SKELRT_DEVICES=cpu and no other driver it starts", "");
}

TEST_CASE("a runtime with something else than was asked for", "[doctor]")
{
    is_first(check_start(started(), {{"STARPU_SCHED", "mine"}}), verdict::wrong,
             "STARPU_SCHED=mine was asked for, and skelrt runs", "STARPU_SCHED_LIB");
    const findings f = check_start(started(), {{"SKELRT_DEVICES", "cuda,opencl"}});
    REQUIRE(f.size() == 2);
    REQUIRE(f[1].is == verdict::wrong);
    REQUIRE_THAT(f[1].what, Contains("asks for opencl, and programs get none"));
}

TEST_CASE("CUDA: driver, toolkit and GPU belong together", "[doctor]")
{
    is_first(check_cuda(cuda_of("13.0", "13.0"), {}), verdict::ok, "driver 13.0, runtime 13.0, NVRTC 13.0", "");
    is_first(check_cuda(cuda_of("13.0", ""), {}), verdict::wrong, "NVRTC, which compiles kernels, is missing",
             "libnvrtc");
    is_first(check_cuda(cuda_of("12.4", "13.0"), {}), verdict::wrong, "for CUDA 12.4, and skelrt was built with 13.0",
             "a driver for CUDA 13.0");
    is_first(check_cuda(cuda_of("13.0", "13.1", "13.1"), {}), verdict::ok, "NVRTC 13.1",
             ""); // minor versions go together
    is_first(check_cuda(cuda_of("", "13.0"), {}), verdict::warning, "no driver: libcuda.so.1", "NVIDIA's driver");
    cuda_facts f = cuda_of("", "13.0");
    f.has_gpu = f.in_use = false;
    is_first(check_cuda(f, {}), verdict::ok, "no NVIDIA GPU", "");
    f = {};
    is_first(check_cuda(f, {}), verdict::ok, "built without it", "");
    f.has_gpu = true;
    is_first(check_cuda(f, {}), verdict::warning, "built without CUDA", "-Dcuda=enabled");
    f.problem = "no answer within 60 s";
    is_first(check_cuda(f, {}), verdict::wrong, "does not answer: no answer within 60 s", "nvidia-smi");
}

TEST_CASE("CUDA: a driver, and no device", "[doctor]")
{
    cuda_facts f = cuda_of("13.0", "13.0");
    f.in_use = false;
    is_first(check_cuda(f, {}), verdict::wrong, "programs get no CUDA device", "nvidia-smi");
    is_first(check_cuda(f, {{"SKELRT_DEVICES", "cpu"}}), verdict::ok, "left out", "");
    is_first(check_cuda(f, {{"STARPU_NCUDA", "0"}}), verdict::ok, "left out", "");
    is_first(check_cuda(f, {{"CUDA_VISIBLE_DEVICES", ""}}), verdict::warning, "CUDA_VISIBLE_DEVICES= hides all GPUs",
             "unset");
    is_first(check_cuda(f, {{"CUDA_VISIBLE_DEVICES", "-1"}}), verdict::warning, "hides all GPUs", "unset");
    is_first(check_cuda(f, {{"CUDA_VISIBLE_DEVICES", "1"}}), verdict::wrong, "programs get no CUDA device",
             "nvidia-smi");
}

TEST_CASE("OpenCL: loader, platforms and devices", "[doctor]")
{
    opencl_facts f;
    is_first(check_opencl(f, {}), verdict::ok, "built without it", "");
    f.has_gpu = true;
    is_first(check_opencl(f, {}), verdict::warning, "built without OpenCL", "-Dopencl=enabled");
    f.built_in = true;
    is_first(check_opencl(f, {}), verdict::warning, "finds no platform", "OCL_ICD_VENDORS");
    f.gpus_in_use = true; // by CUDA
    is_first(check_opencl(f, {}), verdict::ok, "finds no platform", "");
    f.problem = "it crashed (signal 11: Segmentation fault)";
    is_first(check_opencl(f, {}), verdict::wrong, "it crashed", "OCL_ICD_VENDORS");

    is_first(check_opencl(opencl_with({}), {}), verdict::warning, "platform a platform has no device", "clinfo");
    f = opencl_with({{"PoCL", "", true, 0}});
    is_first(check_opencl(f, {}), verdict::ok, "PoCL: a CPU, left out; SKELRT_OPENCL_ON_CPU=1", "");
    is_first(check_opencl(f, {{"SKELRT_OPENCL_ON_CPU", "1"}}), verdict::ok, "PoCL: a CPU, used", "");
    f = opencl_with({{"a GPU", "", false, 0}});
    is_first(check_opencl(f, {}), verdict::wrong, "a GPU is there, and programs get no OpenCL device", "clinfo");
    is_first(check_opencl(f, {{"STARPU_NOPENCL", "0"}}), verdict::ok, "left out", "");
    f.gpus_in_use = true;
    is_first(check_opencl(f, {}), verdict::ok, "a GPU: used by CUDA", "");
    f.in_use = true;
    is_first(check_opencl(f, {}), verdict::ok, "a GPU", "");
}

TEST_CASE("device files that may not be opened", "[doctor]")
{
    REQUIRE(check_permissions({{"/dev/nvidia0", "", true}}).empty());
    is_first(check_permissions({{"/dev/nvidia0", "", true}, {"/dev/dri/renderD128", "render", false}}),
             verdict::warning, "/dev/dri/renderD128", "usermod -aG render");
    is_first(check_permissions({{"/dev/nvidia0", "", false}}), verdict::warning, "/dev/nvidia0",
             "chmod a+rw /dev/nvidia0");
}

TEST_CASE("small programs that are right, and others", "[doctor]")
{
    is_first(check_trial(sound_trial()), verdict::ok,
             "the first call took 200 ms; memory 2e+03 GB/s, link to it 20 GB/s", "");
    trial t = sound_trial();
    t.not_measured = "no memory";
    REQUIRE(check_trial(t).size() == 2);
    REQUIRE(check_trial(t)[1].is == verdict::warning);
    t.differs = "element 3 of a map is 7 and not 8";
    is_first(check_trial(t), verdict::wrong, "computes wrongly: element 3 of a map is 7 and not 8",
             "SKELRT_DEVICES without cuda");
    t.refused = "map (x.cpp:1): out of memory";
    is_first(check_trial(t), verdict::wrong, "is refused: map (x.cpp:1)", "SKELRT_DEVICES without cuda");
    t.problem = "it crashed (signal 6: Aborted)";
    is_first(check_trial(t), verdict::wrong, "did not end: it crashed", "SKELRT_DEVICES without cuda");
}

TEST_CASE("memory and links beside what is known of them", "[doctor]")
{
    using detail::source;
    const auto measured = known_gpu(source::measured), asked = known_gpu(source::asked),
               assumed = known_gpu(source::assumed);
    REQUIRE(check_speed(sound_trial(), nullptr).empty());
    REQUIRE(check_speed(sound_trial(), &measured).empty());
    trial t = sound_trial();
    t.to = 9e3;
    is_first(check_speed(t, &measured), verdict::warning,
             "the link to it reaches 9 GB/s now, and 20 GB/s when it was calibrated", "skelrt calibrate");
    REQUIRE(check_speed(t, &asked).empty()); // others measure otherwise
    t.to = 2e3;
    is_first(check_speed(t, &asked), verdict::warning, "the link to it reaches 2 GB/s now", "skelrt calibrate");
    REQUIRE(check_speed(t, &assumed).empty());
    t = sound_trial();
    t.memory = 5e6;
    is_first(check_speed(t, &measured), verdict::warning, "memory reaches 5e+03 GB/s now", "skelrt calibrate");
    t.problem = "no answer within 60 s";
    REQUIRE(check_speed(t, &measured).empty());
}
