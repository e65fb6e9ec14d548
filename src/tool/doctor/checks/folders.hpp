// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/tool/doctor/finding.hpp"

#include <cstdint>
#include <filesystem>

/// Folders in which something is kept from run to run. Pure.
namespace skelrt::tool::doctor
{

struct folder_facts {
    std::string about;            ///< "kernels"
    std::filesystem::path folder; ///< empty: nothing says where it might be
    std::string setting;          ///< variable that names it
    std::string cost;             ///< what programs do without: "each run builds its kernels anew"
    bool switched_off = false;    ///< the variable says that nothing is kept
    bool exists = false;          ///< else it is made when it is needed
    std::string problem = {};     ///< why it cannot be used, with the folder's name; empty: it can
    std::uintmax_t files = 0, bytes = 0, free = 0;
};

findings check_folder(const folder_facts& f);

/// A file of facts that is read back.
struct kept_file {
    std::string about;
    std::filesystem::path file;
    std::string problem;        ///< why it makes no sense; empty: it does, or is not there
    bool other_version = false; ///< it belongs to another skelrt, which reads it
};
findings check_file(const kept_file& f);

} // namespace skelrt::tool::doctor
