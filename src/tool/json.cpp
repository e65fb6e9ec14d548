// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/show.hpp"

#include <skelrt/version.hpp>

#include <nlohmann/json.hpp>

namespace skelrt::tool
{

namespace
{

using json = nlohmann::ordered_json;

json devices(const facts& f)
{
    json all = json::array();
    for (const device_info& d : f.devices)
        all.push_back({{"kind", kind_text(d.kind)},
                       {"number", d.number},
                       {"name", d.name},
                       {"cores", d.cores},
                       {"memory", d.memory}});
    return all;
}

json starpu(const facts& f)
{
    json limits = json::object();
    for (const auto& [what, most] : f.starpu_limits) limits[what] = most;
    return {{"version", f.starpu_version}, {"policy", f.policy}, {"limits", limits}};
}

json opencl(const facts& f)
{
    json platforms = json::array();
    for (const auto& p : f.opencl) {
        json here = json::array();
        for (const auto& d : p.devices)
            here.push_back({{"name", d.name}, {"version", d.version}, {"cpu", d.is_cpu}, {"memory", d.memory}});
        platforms.push_back({{"name", p.name}, {"version", p.version}, {"devices", here}});
    }
    return {{"built_in", f.opencl_built_in}, {"platforms", platforms}};
}

json blas(const facts& f)
{
    json all = json::object();
    for (const auto& [what, library] : f.blas) all[what] = {{"name", library.name}, {"missing", library.missing}};
    return all;
}

json caches(const facts& f)
{
    json all = json::array();
    for (const cache& c : f.caches)
        all.push_back({{"what", c.what}, {"folder", c.folder.string()}, {"files", c.files}, {"bytes", c.bytes}});
    return all;
}

json variables(const facts& f)
{
    json all = json::object();
    for (const set_variable& v : f.variables) all[std::string(v.which.name)] = v.value;
    return all;
}

} // namespace

std::string as_json(const facts& f)
{
    const json all = {
        {"version", version()},
        {"devices", devices(f)},
        {"problem", f.problem},
        {"starpu", starpu(f)},
        {"cuda",
         {{"built_in", f.cuda.built_in},
          {"driver", f.cuda.driver},
          {"runtime", f.cuda.runtime},
          {"nvrtc", f.cuda.nvrtc},
          {"nvrtc_file", f.cuda.nvrtc_file},
          {"nvrtc_missing", f.cuda.nvrtc_missing}}},
        {"opencl", opencl(f)},
        {"blas", blas(f)},
        {"caches", caches(f)},
        {"environment", variables(f)},
        {"unknown", f.complaints},
    };
    // Names come from drivers and the environment: not all of them are UTF-8.
    return all.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

} // namespace skelrt::tool
