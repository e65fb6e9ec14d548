// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/files/files.hpp"
#include "src/tool/doctor/gather.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

namespace skelrt::tool::doctor
{

namespace
{

namespace fs = std::filesystem;

std::string group_of(const fs::path& file)
{
    struct stat there {
    };
    if (::stat(file.c_str(), &there) != 0 || !(there.st_mode & S_IWGRP)) return {};
    const group* g = getgrgid(there.st_gid);
    return g ? g->gr_name : std::to_string(there.st_gid);
}

/// Of NVIDIA's and AMD's drivers, and what all GPUs have for computing.
bool is_of_gpu(const fs::path& file)
{
    const std::string name = file.filename().string();
    const bool numbered = name.size() > 6 && name[6] >= '0' && name[6] <= '9';
    return (name.starts_with("nvidia") && numbered) || name == "nvidiactl" || name == "nvidia-uvm" || name == "kfd" ||
           name.starts_with("renderD");
}

} // namespace

gpus_there gather_gpus()
{
    gpus_there found;
    std::error_code none;
    for (const auto& d : fs::directory_iterator("/sys/bus/pci/devices", none)) {
        const std::string type = detail::read_file(d.path() / "class").value_or("");
        if (!type.starts_with("0x03") && !type.starts_with("0x12")) continue; // displays, and what only computes
        const std::string maker = detail::read_file(d.path() / "vendor").value_or("").substr(0, 6);
        found.of_nvidia = found.of_nvidia || maker == "0x10de";
        found.any = found.any || maker == "0x10de" || maker == "0x1002" || maker == "0x8086";
    }
    return found;
}

std::vector<device_file> gather_device_files()
{
    std::vector<device_file> all;
    std::error_code none;
    for (const char* folder : {"/dev", "/dev/dri"})
        for (const auto& d : fs::directory_iterator(folder, none))
            if (is_of_gpu(d.path()))
                all.push_back({d.path().string(), group_of(d.path()), access(d.path().c_str(), R_OK | W_OK) == 0});
    std::ranges::sort(all, {}, &device_file::path);
    return all;
}

} // namespace skelrt::tool::doctor
