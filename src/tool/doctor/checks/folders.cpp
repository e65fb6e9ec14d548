// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/doctor/checks/folders.hpp"

#include "src/tool/show.hpp"

#include <fmt/format.h>

namespace skelrt::tool::doctor
{

namespace
{

std::string contents(const folder_facts& f)
{
    if (!f.exists) return "made when it is needed";
    return fmt::format("{} file{}, {}", f.files, f.files == 1 ? "" : "s", bytes_text(f.bytes));
}

} // namespace

findings check_folder(const folder_facts& f)
{
    const std::string elsewhere = fmt::format("set {} to a folder of yours that can be written", f.setting);
    if (f.switched_off)
        return {warn(f.about, fmt::format("{}=none, so {}", f.setting, f.cost), fmt::format("unset {}", f.setting))};
    if (f.folder.empty())
        return {wrong(f.about, fmt::format("there is no folder, as neither HOME nor {} is set; {}", f.setting, f.cost),
                      elsewhere)};
    if (!f.problem.empty()) return {wrong(f.about, fmt::format("{}; {}", f.problem, f.cost), elsewhere)};

    constexpr std::uintmax_t little = std::uintmax_t{100} << 20;
    const std::string room = fmt::format("{} free", bytes_text(f.free));
    if (f.free < little)
        return {
            warn(f.about, fmt::format("{}: only {}", f.folder.string(), room), "delete something, or " + elsewhere)};
    return {fine(f.about, fmt::format("{}: {}, {}", f.folder.string(), contents(f), room))};
}

findings check_file(const kept_file& f)
{
    if (f.problem.empty()) return {};
    if (f.other_version)
        return {wrong(f.about,
                      fmt::format("{}: {}, so nothing of it is used and nothing saved", f.file.string(), f.problem),
                      "set SKELRT_MODELS to another folder")};
    return {warn(f.about,
                 fmt::format("{}: {}; programs set it aside, with .bad behind its name, and start a new one",
                             f.file.string(), f.problem),
                 fmt::format("copy it back from where it was whole, or delete it: rm {}", f.file.string()))};
}

} // namespace skelrt::tool::doctor
