// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/cache.hpp"
#include "src/model/files/files.hpp"
#include "src/model/files/format_version.hpp"
#include "src/model/files/records.hpp"
#include "src/model/machine/machine.hpp"
#include "src/runtime/environment/environment.hpp"
#include "src/runtime/environment/starpu_home.hpp"
#include "src/runtime/trust.hpp"
#include "src/tool/doctor/gather.hpp"
#include "src/tool/facts.hpp"

#include <system_error>
#include <utility>

namespace skelrt::tool::doctor
{

namespace
{

namespace fs = std::filesystem;

/// The folder, or what is above it, as far as it is there.
fs::path nearest_there(fs::path folder)
{
    std::error_code none;
    folder = fs::absolute(folder, none);
    while (!fs::exists(folder, none) && folder != folder.root_path()) folder = folder.parent_path();
    return folder;
}

folder_facts look_at(folder_facts f)
{
    if (f.folder.empty()) return f;
    const fs::path there = nearest_there(f.folder);
    std::error_code none;
    f.exists = fs::is_directory(f.folder, none);
    if (f.exists) f.problem = detail::why_not_trusted(f.folder);
    if (f.problem.empty()) f.problem = detail::why_not_writable(there);
    const cache contents = contents_of(f.about, f.folder);
    f.files = contents.files;
    f.bytes = contents.bytes;
    f.free = fs::space(there, none).available;
    return f;
}

/// StarPU's folder and those above it must be the user's own, too.
folder_facts look_at_starpu()
{
    folder_facts f = look_at({.about = "starpu",
                              .folder = detail::bus_folder(),
                              .setting = "XDG_CACHE_HOME",
                              .cost = "StarPU measures the machine anew in each run"});
    for (fs::path above = f.folder; f.problem.empty() && above.has_relative_path(); above = above.parent_path()) {
        f.problem = detail::why_not_trusted(above);
        if (above.filename() == ".starpu") break;
        if (above.filename() == "sampling" && detail::env_text("STARPU_PERF_MODEL_DIR")) break;
    }
    return f;
}

/// Why a text makes no sense; `read` throws.
template <class Read>
kept_file read_back(std::string about, fs::path file, Read read)
{
    kept_file f{std::move(about), std::move(file), {}};
    const auto text = detail::read_file(f.file);
    if (!text) return f;
    try {
        read(*text);
    } catch (const detail::other_version& e) {
        f.problem = e.what();
        f.other_version = true;
    } catch (const std::exception& e) {
        f.problem = e.what();
    }
    return f;
}

} // namespace

std::vector<folder_facts> gather_folders()
{
    const auto is_off = [](const char* setting) { return detail::env_text(setting).value_or("") == "none"; };
    return {look_at({.about = "kernels",
                     .folder = detail::cache_folder(),
                     .setting = "SKELRT_CACHE",
                     .cost = "each run builds its kernels anew",
                     .switched_off = is_off("SKELRT_CACHE")}),
            look_at({.about = "models",
                     .folder = detail::models_folder(),
                     .setting = "SKELRT_MODELS",
                     .cost = "each run starts from assumptions, and nothing learnt is kept",
                     .switched_off = is_off("SKELRT_MODELS")}),
            look_at_starpu()};
}

std::vector<kept_file> gather_files()
{
    std::vector<kept_file> all;
    if (const fs::path folder = detail::models_folder(); !folder.empty()) {
        const std::string name = detail::machine_name();
        all.push_back(read_back("models", folder / (name + ".json"),
                                [&](const std::string& t) { static_cast<void>(detail::records_from_json(t, name)); }));
        all.push_back(read_back("calibration", folder / (name + ".machine.json"),
                                [](const std::string& t) { static_cast<void>(detail::machine_from_json(t)); }));
    }
    for (const char* kind : {"config", "affinity", "latency", "bandwidth"})
        all.push_back(read_back("starpu", detail::bus_file(kind), [&](const std::string& t) {
            if (!detail::is_sound_bus_file(kind, t)) throw error("it is damaged");
        }));
    return all;
}

} // namespace skelrt::tool::doctor
