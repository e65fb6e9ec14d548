// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/doctor/checks/ranks.hpp"

#include <fmt/format.h>

#include <cctype>
#include <string_view>

namespace skelrt::tool::doctor
{

namespace
{

constexpr const char* about = "mpi";
constexpr const char* build = "build and install skelrt where MPI and StarPU-MPI are found (-Dmpi=enabled)";

/// The first number with a point in it, from a place on.
std::string version_behind(const std::string& text, std::size_t at)
{
    const auto digit = [&](std::size_t k) {
        return k < text.size() && std::isdigit(static_cast<unsigned char>(text[k]));
    };
    for (; at < text.size(); ++at) {
        if (!digit(at)) continue;
        std::size_t end = at;
        while (digit(end) || (end < text.size() && text[end] == '.' && digit(end + 1))) ++end;
        std::string number = text.substr(at, end - at);
        if (number.find('.') != std::string::npos) return number;
        at = end;
    }
    return {};
}

/// Loaders say the file's name first.
std::string why_not_loaded(const rank_facts& f)
{
    const std::string prefix = f.library + ": ";
    return f.not_loaded.starts_with(prefix) ? f.not_loaded.substr(prefix.size()) : f.not_loaded;
}

finding no_library(const rank_facts& f)
{
    if (f.asked_for)
        return wrong(about, fmt::format("{} cannot be loaded: {}", f.library, why_not_loaded(f)),
                     fmt::format("{}, or unset SKELRT_CLUSTER and SKELRT_CLUSTER_LIBRARY", build));
    if (f.launcher.empty()) return fine(about, "neither libskelrt-mpi nor mpirun: programs run alone");
    return warn(about,
                fmt::format("{} is there, and {} cannot be loaded: {}", f.launcher, f.library, why_not_loaded(f)),
                fmt::format("{}, or name the file by SKELRT_CLUSTER_LIBRARY", build));
}

finding with_library(const rank_facts& f)
{
    if (f.its != f.ours)
        return wrong(about, fmt::format("{} is of {}, and this is {}", f.library, f.its, f.ours),
                     "install both from one build");
    const std::string mpi = mpi_in(f.mpi);
    if (f.launcher.empty())
        return warn(about,
                    fmt::format("{} is there ({}), and mpirun is not in PATH", f.library, mpi.empty() ? f.mpi : mpi),
                    "install the programs of that MPI, or put their folder into PATH; srun starts ranks, too");
    const std::string launcher = mpi_in(f.launcher_is);
    if (!mpi.empty() && !launcher.empty() && mpi != launcher)
        return wrong(about,
                     fmt::format("{} is of {}, and {} was built with {}: each rank would believe that it is alone",
                                 f.launcher, launcher, f.library, mpi),
                     fmt::format("put the mpirun of {} first in PATH", mpi));
    return fine(about, fmt::format("{} and {}, {}", f.library, f.launcher,
                                   mpi.empty() ? "of an MPI that does not say its name" : mpi));
}

} // namespace

std::string mpi_in(const std::string& text)
{
    struct known {
        std::string_view word, name;
    };
    // mpirun of MPICH calls itself Hydra; Intel's library says MPICH nowhere, but its mpirun may.
    constexpr known all[] = {{"Open MPI", "Open MPI"}, {"OpenRTE", "Open MPI"}, {"Intel(R) MPI", "Intel MPI"},
                             {"MVAPICH", "MVAPICH"},   {"MPICH", "MPICH"},      {"HYDRA", "MPICH"}};
    for (const known& k : all)
        if (const auto at = text.find(k.word); at != std::string::npos) {
            const std::string version = version_behind(text, at);
            return version.empty() ? std::string(k.name) : fmt::format("{} {}", k.name, version);
        }
    return {};
}

findings check_ranks(const rank_facts& f)
{
    findings all;
    if (!f.problem.empty())
        all.push_back(wrong(about, fmt::format("{} cannot be looked at: {}", f.library, f.problem),
                            "SKELRT_CLUSTER=off goes without it"));
    else all.push_back(f.not_loaded.empty() ? with_library(f) : no_library(f));
    if (f.ranks > 1)
        all.push_back(fine(about, fmt::format("this is one of {} ranks: only the first looks at its node", f.ranks)));
    return all;
}

} // namespace skelrt::tool::doctor
