// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// Where StarPU keeps its measurements of the machine. It ends the process where it cannot write there, or cannot read
/// what it finds.
namespace skelrt::detail
{

/// While it lives, StarPU has a folder that it can use: the usual one, or one of this process, which goes with this
/// object. Files there that make no sense are set aside. Each is said in one warning. Made before StarPU starts, gone
/// after its end.
class starpu_home
{
public:
    /// Throws error if there is no folder at all.
    starpu_home();
    ~starpu_home();
    starpu_home(const starpu_home&) = delete;
    starpu_home& operator=(const starpu_home&) = delete;

    /// StarPU has looked where its home is: the environment is the program's again.
    void is_found() noexcept;

private:
    void move_away(const std::string& why);
    void hide(const char* name);

    struct variable {
        const char* name;
        std::optional<std::string> value;
    };
    std::vector<variable> hidden_;
    std::filesystem::path temporary_; ///< empty: the usual one
};

/// Where StarPU keeps what it measured of this machine's connections: a file of each kind (see below), and the folder.
/// Empty: nowhere.
std::filesystem::path bus_file(const std::string& kind);
std::filesystem::path bus_folder();
/// Whether StarPU has measured this machine's connections before; else it does when it starts.
bool links_are_measured();

/// Whether StarPU would read one of its bus files of this kind ("config", "affinity", "latency", "bandwidth") to the
/// end. Pure.
bool is_sound_bus_file(const std::string& kind, const std::string& text);

} // namespace skelrt::detail
