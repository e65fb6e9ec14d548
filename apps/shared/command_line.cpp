#include "command_line.hpp"

#include "error.hpp"

#include <optional>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace apps
{
namespace
{

constexpr int most_runs = 1'000'000;

void check_device(const std::string& name)
{
    for (const char* known : {"cpu", "cuda", "opencl", "hybrid", "all"})
        if (name == known) return;
    throw input_error(fmt::format("--device {}: it is one of cpu, cuda, opencl, hybrid, all", name));
}

} // namespace

struct command_line::parser {
    parser(const std::string& name, const std::string& about) : app(about, name) {}
    CLI::App app;
};

command_line::command_line(const std::string& name, const std::string& about, const offers& what, common_options& to)
    : parser_(std::make_unique<parser>(name, about)), to_(to)
{
    CLI::App& app = parser_->app;
    app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    option("--device", to.device, "cpu, cuda, opencl, hybrid (all at once), or all: each that is there, then hybrid");
    option("--repeat", to.repeat, "timed runs per device, after two that are not timed");
    flag("--check", to.check, "compare with an independent reference; exit code 1 if they differ");
    if (what.rival) flag("--rival", to.rival, "also run a hand-written CUDA program of the same algorithm and compare");
    if (!what.picture.empty()) without_default("--picture", to.picture, what.picture);
    without_default("--csv", to.csv, "write the measurements to this CSV file");
    app.footer("Exit codes: 0 all well; 1 the check failed, or a device did; 2 a wrong option, file, size or device.");
}

command_line::~command_line() = default;

template <class T>
void command_line::option(const std::string& name, T& to, const std::string& help)
{
    parser_->app.add_option(name, to, help)->capture_default_str();
}

template <class T>
void command_line::option(const std::string& name, std::vector<T>& to, const std::string& help)
{
    parser_->app.add_option(name, to, help)->delimiter(',')->default_str(fmt::format("{}", fmt::join(to, ",")));
}

template <class T>
void command_line::without_default(const std::string& name, T& to, const std::string& help)
{
    parser_->app.add_option(name, to, help);
}

void command_line::flag(const std::string& name, bool& to, const std::string& help)
{
    parser_->app.add_flag(name, to, help);
}

bool command_line::parse(int argc, const char* const* argv)
{
    CLI::App& app = parser_->app;
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& e) { // --help
        app.exit(e);
        return false;
    } catch (const CLI::ParseError& e) {
        throw input_error(fmt::format("{} ({} --help)", e.what(), app.get_name()));
    }
    check();
    return true;
}

bool command_line::given(const std::string& name) const { return parser_->app.count(name) > 0; }

void command_line::check() const
{
    check_device(to_.device);
    if (to_.repeat < 1 || to_.repeat > most_runs) throw input_error("--repeat: at least one run, at most a million");
    check_folder(to_.picture, "--picture");
    check_folder(to_.csv, "--csv");
}

template void command_line::option(const std::string&, int&, const std::string&);
template void command_line::option(const std::string&, unsigned&, const std::string&);
template void command_line::option(const std::string&, std::size_t&, const std::string&);
template void command_line::option(const std::string&, float&, const std::string&);
template void command_line::option(const std::string&, double&, const std::string&);
template void command_line::option(const std::string&, std::string&, const std::string&);
template void command_line::option(const std::string&, std::vector<int>&, const std::string&);
template void command_line::option(const std::string&, std::vector<std::size_t>&, const std::string&);
template void command_line::without_default(const std::string&, long long&, const std::string&);
template void command_line::without_default(const std::string&, std::size_t&, const std::string&);
template void command_line::without_default(const std::string&, double&, const std::string&);
template void command_line::without_default(const std::string&, std::optional<double>&, const std::string&);
template void command_line::without_default(const std::string&, std::string&, const std::string&);
template void command_line::without_default(const std::string&, std::filesystem::path&, const std::string&);

} // namespace apps
