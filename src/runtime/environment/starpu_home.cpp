// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/environment/starpu_home.hpp"

#include "src/runtime/environment/environment.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/simulated.hpp"
#include "src/runtime/trust.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace skelrt::detail
{

namespace
{

namespace fs = std::filesystem;

constexpr const char* kinds[] = {"config", "affinity", "latency", "bandwidth"};

/// What StarPU takes for its home; its folder lies below. Empty: it would take a folder that is everybody's.
fs::path usual_base()
{
    for (const char* name : {"XDG_CACHE_HOME", "STARPU_HOME", "HOME"})
        if (const auto value = env_text(name)) return *value;
    return {};
}

fs::path sampling_folder(const fs::path& base)
{
    return env_text("STARPU_PERF_MODEL_DIR").value_or((base / ".starpu" / "sampling").string());
}

/// Each folder that StarPU would make, from the outermost.
std::string why_not_usable(const fs::path& base, const fs::path& sampling)
{
    if (base.empty()) return "neither HOME nor XDG_CACHE_HOME is set";
    for (const fs::path& folder : {base / ".starpu", base / ".starpu" / "sampling", sampling, sampling / "bus"})
        if (std::string why = make_own_folder(folder); !why.empty()) return why;
    return why_not_writable(sampling / "bus");
}

/// As StarPU calls this host in names of files.
std::string host_name()
{
    if (const auto name = env_text("STARPU_HOSTNAME")) return *name;
    char name[65] = "";
    if (gethostname(name, sizeof name - 1) != 0) return {};
    return std::string(name).substr(0, std::string_view(name).find('.'));
}

/// Under the lock that StarPU takes: another process may be writing it.
std::optional<std::string> locked_text_of(const fs::path& file)
{
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) return {};
    std::ifstream in(file, std::ios::binary);
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return {};
    struct flock whole = {};
    whole.l_type = F_RDLCK;
    ::fcntl(descriptor, F_SETLKW, &whole); // where a file system has no locks, neither has StarPU
    std::string text{std::istreambuf_iterator<char>{in}, {}};
    ::close(descriptor);
    if (in.bad()) return {};
    return text;
}

/// StarPU makes a file before it locks it, so an empty one is given a moment.
std::optional<std::string> text_of(const fs::path& file)
{
    std::optional<std::string> text;
    for (int tries = 0; tries < 10; ++tries) {
        if (tries > 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        text = locked_text_of(file);
        if (!text || !text->empty()) break;
    }
    return text;
}

/// The numbers of a line; nothing if it has anything else.
std::optional<std::vector<double>> numbers_of(const std::string& line)
{
    std::istringstream words(line);
    std::vector<double> all;
    for (std::string word; words >> word;) {
        if (word[0] == '#') break;
        char* end = nullptr;
        all.push_back(std::strtod(word.c_str(), &end));
        if (*end) return {};
    }
    return all;
}

bool is_count(double x) { return x >= 0 && x < 1e9 && x == static_cast<double>(static_cast<long>(x)); }

/// Lines of numbers that count something.
bool is_sound_config(const std::vector<std::vector<double>>& lines)
{
    const auto sound = [](const std::vector<double>& l) { return l.size() == 1 && is_count(l[0]); };
    return !lines.empty() && std::ranges::all_of(lines, sound);
}

/// A device a line, each with as many NUMA nodes as the heading.
bool is_sound_affinity(const std::vector<std::vector<double>>& lines, std::size_t nodes)
{
    double next = 0;
    for (const auto& l : lines) {
        if (l.size() != nodes + 1 || !std::ranges::all_of(l, is_count) || (l[0] != next && l[0] != 0)) return false;
        next = l[0] + 1;
    }
    return nodes > 0;
}

std::size_t count_of(std::string_view text, std::string_view what)
{
    std::size_t n = 0;
    for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1)) ++n;
    return n;
}

/// All of the host's are measured together: where one is damaged, none is used. Why StarPU cannot have the folder;
/// empty: it can.
std::string set_damaged_aside(const fs::path& bus)
{
    if (simulated) return {}; // files of machines that somebody made up
    const fs::path all = bus / host_name();
    const auto file = [&](const char* kind) { return fs::path(all.string() + "." + kind); };
    std::error_code problem;
    if (!fs::exists(file("config"), problem)) return {}; // StarPU measures anew, and overwrites
    const auto damaged = std::ranges::find_if(kinds, [&](const char* kind) {
        if (!fs::exists(file(kind), problem)) return false;
        const auto text = text_of(file(kind));
        return !text || !is_sound_bus_file(kind, *text);
    });
    if (damaged == std::end(kinds)) return {};
    for (const char* kind : kinds) {
        if (!fs::exists(file(kind), problem)) continue;
        fs::rename(file(kind), file(kind).string() + ".bad", problem);
        if (problem) return fmt::format("{} is damaged: {}", file(kind).string(), problem.message());
    }
    log_warning(
        "{} is damaged: StarPU measures this machine's connections anew, the old files are kept with .bad behind "
        "their names",
        file(*damaged).string());
    return {};
}

} // namespace

bool is_sound_bus_file(const std::string& kind, const std::string& text)
{
    std::vector<std::vector<double>> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        const auto numbers = numbers_of(line);
        if (!numbers) return false;
        if (!numbers->empty()) lines.push_back(*numbers);
    }
    if (kind == "config") return is_sound_config(lines);
    if (kind == "affinity") return is_sound_affinity(lines, count_of(text.substr(0, text.find('\n')), "NUMA"));
    return !lines.empty() && text.ends_with('\n');
}

fs::path bus_folder()
{
    const fs::path base = usual_base();
    return base.empty() ? base : sampling_folder(base) / "bus";
}

fs::path bus_file(const std::string& kind)
{
    const fs::path folder = bus_folder();
    return folder.empty() ? folder : folder / (host_name() + "." + kind);
}

bool links_are_measured()
{
    std::error_code ignored;
    return fs::exists(bus_file("config"), ignored);
}

starpu_home::starpu_home()
{
    for (const char* name : {"XDG_CACHE_HOME", "STARPU_HOME", "STARPU_PERF_MODEL_DIR"}) // for StarPU, "" is a folder
        if (const char* value = std::getenv(name); value && !*value) hide(name);
    const fs::path base = usual_base(), sampling = sampling_folder(base);
    std::string why = why_not_usable(base, sampling);
    if (why.empty()) why = set_damaged_aside(sampling / "bus");
    if (!why.empty()) move_away(why);
}

starpu_home::~starpu_home()
{
    is_found();
    std::error_code ignored;
    if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
}

void starpu_home::hide(const char* name)
{
    const char* value = std::getenv(name);
    hidden_.push_back({name, value ? std::optional<std::string>(value) : std::nullopt});
    ::unsetenv(name);
}

void starpu_home::move_away(const std::string& why)
{
    for (const std::string& where :
         {env_text("TMPDIR").value_or("/tmp"), std::string("/tmp"), std::string("/dev/shm")}) {
        std::string name = where + "/skelrt-XXXXXX";
        if (!::mkdtemp(name.data())) continue;
        temporary_ = name;
        std::error_code ignored;
        if (why_not_writable(temporary_).empty()) break;
        fs::remove_all(std::exchange(temporary_, {}), ignored);
    }
    if (temporary_.empty())
        throw error(fmt::format("sk::runtime: StarPU needs a folder to write to, and there is none: {}; nor can one be "
                                "made in TMPDIR, /tmp or /dev/shm",
                                why));
    hide("STARPU_PERF_MODEL_DIR");
    hide("XDG_CACHE_HOME");
    ::setenv("XDG_CACHE_HOME", temporary_.c_str(), 1);
    warn_nothing_is_kept(why);
}

void starpu_home::is_found() noexcept
{
    for (auto v = hidden_.rbegin(); v != hidden_.rend(); ++v)
        if (v->value) ::setenv(v->name, v->value->c_str(), 1);
        else ::unsetenv(v->name);
    hidden_.clear();
}

} // namespace skelrt::detail
