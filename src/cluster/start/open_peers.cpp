// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/start/open_peers.hpp"

#include "src/cluster/peers.hpp"
#include "src/cluster/start/plugin.hpp"
#include "src/runtime/cores/compute_right.hpp"
#include "src/runtime/environment/environment.hpp"
#include "src/runtime/log.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include <dlfcn.h>

namespace skelrt::detail
{

namespace
{

std::string how_started(const launch& l)
{
    if (l.communicator) return "the program asks for the ranks of a communicator (sk::on)";
    return l.known
               ? fmt::format("{} processes of this program were started, of which this is number {}", l.size, l.rank)
               : std::string("SKELRT_CLUSTER=mpi asks for MPI");
}

/// Beside the library that this code is in; for a program that has it inside, where its other libraries are.
std::string usual_library()
{
    const std::string name = "libskelrt-mpi.so.0";
    Dl_info here{};
    if (!dladdr(reinterpret_cast<const void*>(&open_peers), &here) || !here.dli_fname) return name;
    const std::filesystem::path beside = std::filesystem::path(here.dli_fname).replace_filename(name);
    std::error_code ignored;
    return std::filesystem::exists(beside, ignored) ? beside.string() : name;
}

std::string text_of_version(const char* skelrt, const std::array<int, 3>& starpu)
{
    return fmt::format("skelrt {} with StarPU {}", skelrt, fmt::join(starpu, "."));
}

void check_version(const launch& l, const std::string& path, const peers_plugin& found)
{
    const std::string mine = text_of_version(SKELRT_VERSION_TEXT, starpu_built_with);
    const std::string its = found.interface == peers_interface ? text_of_version(found.version, found.starpu)
                                                               : fmt::format("interface {}", found.interface);
    if (its == mine) return;
    throw error(fmt::format("sk::runtime: {}, and {} is of {}, but this is {} (interface {}): install both from one "
                            "build",
                            how_started(l), path, its, mine, peers_interface));
}

/// Never closed: MPI ends with the process.
const peers_plugin& load_plugin(const launch& l)
{
    const std::string path = peers_library();
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        throw error(fmt::format(
            "sk::runtime: {}, and skelrt speaks with the others through libskelrt-mpi, which cannot be loaded ({}); "
            "build skelrt where MPI and StarPU-MPI are found (-Dmpi=enabled), or set SKELRT_CLUSTER=off for copies of "
            "the program that know nothing of each other",
            how_started(l), dlerror()));
    const auto* found = static_cast<const peers_plugin*>(dlsym(library, peers_symbol));
    if (!found)
        throw error(fmt::format("sk::runtime: {}, and {} is no libskelrt-mpi: it has no symbol {}", how_started(l),
                                path, peers_symbol));
    check_version(l, path, *found);
    return *found;
}

void check_size(const launch& l, const peers& found)
{
    if (!l.known || (found.size() == l.size && found.rank() == l.rank)) return;
    throw error(fmt::format("sk::runtime: {}, but MPI calls it number {} of {}: the program that started it belongs to "
                            "another MPI than libskelrt-mpi",
                            how_started(l), found.rank(), found.size()));
}

void warn(const char* text) noexcept { log_warning("{}", text); }

} // namespace

std::string peers_library() { return env_text("SKELRT_CLUSTER_LIBRARY").value_or(usual_library()); }

std::unique_ptr<peers> open_peers(const launch& started)
{
    constexpr long usual_patience_s = 60, most_s = 1'000'000;
    const long patience = env_number("SKELRT_CLUSTER_PATIENCE", 0, most_s).value_or(usual_patience_s);
    if (!started.is_cluster()) return nullptr;
    std::unique_ptr<peers> opened(
        load_plugin(started).open({patience, &warn, &falls_asleep::now, started.communicator}));
    check_size(started, *opened);
    return opened;
}

} // namespace skelrt::detail
