// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/doctor/trial.hpp"

#include "src/cluster/start/open_peers.hpp"
#include "src/cluster/start/plugin.hpp"
#include "src/jit/versions.hpp"
#include "src/lowering/engine.hpp"
#include "src/model/files/plan_file.hpp"
#include "src/model/knowledge.hpp"
#include "src/model/machine/machine.hpp"
#include "src/tool/doctor/child.hpp"
#include "src/tool/doctor/small_program.hpp"

#include <skelrt/error.hpp>
#include <skelrt/runtime.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <starpu.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <exception>

#include <dlfcn.h>
#include <unistd.h>

namespace skelrt::tool::doctor
{

namespace
{

using json = nlohmann::ordered_json;

json devices_of(const runtime& rt)
{
    json all = json::array();
    for (const device_info& d : rt.devices())
        all.push_back({{"kind", detail::kind_text(d.kind)},
                       {"number", d.number},
                       {"name", d.name},
                       {"cores", d.cores},
                       {"memory", d.memory}});
    return all;
}

/// As a program would find it. Nothing is computed, so nothing is learnt.
json answer_of_start()
{
    const runtime rt;
    const detail::engine& e = *detail::engine::current();
    json places = json::array();
    for (const int w : e.devices().cpu_workers()) places.push_back(starpu_worker_get_bindid(w));
    return {{"devices", devices_of(rt)},
            {"policy", starpu_sched_get_sched_policy()->policy_name},
            {"workers", places},
            {"known", detail::to_json(*e.learnt.models.machine())}};
}

json answer_of_cuda()
{
    const detail::cuda_versions v = detail::find_cuda_versions();
    return {{"built_in", v.built_in}, {"driver", v.driver}, {"runtime", v.runtime}, {"nvrtc", v.nvrtc}};
}

json answer_of_opencl()
{
    json platforms = json::array();
    for (const detail::opencl_platform& p : detail::find_opencl_platforms()) {
        json here = json::array();
        for (const detail::opencl_device& d : p.devices) here.push_back({{"name", d.name}, {"cpu", d.is_cpu}});
        platforms.push_back({{"name", p.name}, {"devices", here}});
    }
    return {{"built_in", detail::opencl_built_in()}, {"platforms", platforms}};
}

std::string text_of_version(const char* skelrt, const std::array<int, 3>& starpu)
{
    return fmt::format("skelrt {} with StarPU {}", skelrt, fmt::join(starpu, "."));
}

/// Of the MPI that the library brings along; may be asked before MPI starts.
std::string mpi_of(void* library)
{
    constexpr std::size_t most = 8192; // MPI_MAX_LIBRARY_VERSION_STRING of any MPI
    std::string text(most, '\0');
    int length = 0;
    const auto ask = reinterpret_cast<int (*)(char*, int*)>(dlsym(library, "MPI_Get_library_version"));
    if (!ask || ask(text.data(), &length) != 0) return {};
    text.resize(static_cast<std::size_t>(length));
    return text;
}

json answer_of_mpi()
{
    const std::string ours = text_of_version(SKELRT_VERSION_TEXT, detail::starpu_built_with);
    void* const library = dlopen(detail::peers_library().c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) return {{"not_loaded", dlerror()}, {"ours", ours}};
    const auto* found = static_cast<const detail::peers_plugin*>(dlsym(library, detail::peers_symbol));
    if (!found) return {{"not_loaded", fmt::format("it has no symbol {}", detail::peers_symbol)}, {"ours", ours}};
    const std::string its = found->interface == detail::peers_interface ? text_of_version(found->version, found->starpu)
                                                                        : fmt::format("interface {}", found->interface);
    return {{"not_loaded", ""}, {"its", its}, {"ours", ours}, {"mpi", mpi_of(library)}};
}

json answer_to(const std::string& question)
{
    if (question == "start") return answer_of_start();
    if (question == "cuda") return answer_of_cuda();
    if (question == "opencl") return answer_of_opencl();
    if (question == "mpi") return answer_of_mpi();
    return run_small_program(question);
}

/// Pipes take as much as this at once, or wait for the reader.
void tell(const std::string& text)
{
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t n = write(answer_descriptor, text.data() + done, text.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0)
            throw error(fmt::format("skelrt doctor --answer is for skelrt doctor itself: nobody listens ({})",
                                    std::strerror(errno)));
        done += static_cast<std::size_t>(n);
    }
}

} // namespace

void answer_question(const std::string& question)
{
    json answer;
    try {
        answer = answer_to(question);
    } catch (const std::exception& e) {
        answer = {{"refused", e.what()}};
    }
    tell(answer.dump(-1, ' ', false, json::error_handler_t::replace));
}

} // namespace skelrt::tool::doctor
