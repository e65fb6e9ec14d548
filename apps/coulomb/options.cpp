#include "options.hpp"

#include "text.hpp"

#include <charconv>
#include <iostream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace coulomb
{
namespace
{

constexpr std::size_t largest_edge = 4096;
constexpr std::size_t largest_grid = std::size_t{1} << 33;
constexpr std::size_t most_copies = 100;

struct raw_options {
    std::string grid, copies, input, picture, csv;
    long long slice = -1;
    bool has_slice = false;
};

constexpr const char* about =
    "Coulombic potential of a molecular system on a 3-D grid, in kJ/(mol e): the direct sum over all charges,\n"
    "without periodic images, by one sk::map on the devices that you choose.";

void describe(CLI::App& app, options& o, raw_options& raw)
{
    app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast); // a script's options, then the user's
    app.add_option("--input", raw.input,
                   "molecule: a .gro file (SPC water, single ions) or a .pqr file; default: a water box");
    app.add_option("--replicate", raw.copies, "copies of the periodic box: NX,NY,NZ or one number")->default_str("1");
    app.add_option("--grid", raw.grid, "grid points: NX,NY,NZ or one number")->default_str("128");
    app.add_option("--device", o.device,
                   "cpu, cuda, opencl, hybrid (all at once), or all: each that is there, then hybrid")
        ->default_str(o.device);
    app.add_option("--repeat", o.repeat, "timed runs per device, after two that are not timed")->default_str("7");
    app.add_flag("--check", o.check, "compare sample points with double precision; exit code 1 if they differ");
    app.add_flag("--rival", o.rival, "also run a hand-written CUDA kernel of the same formula and compare");
    app.add_option("--slice", raw.slice, "z index of the slice that is drawn; default: the middle");
    app.add_option("--picture", raw.picture, "write the slice to this PNG file");
    app.add_option("--csv", raw.csv, "write the measurements to this CSV file");
    app.footer("Exit codes: 0 all well; 1 the check failed, or a device did; 2 a wrong option, file, size or device.");
}

void check_device(const std::string& name)
{
    for (const char* known : {"cpu", "cuda", "opencl", "hybrid", "all"})
        if (name == known) return;
    throw input_error(fmt::format("--device {}: it is one of cpu, cuda, opencl, hybrid, all", name));
}

void check_directory(const std::filesystem::path& file, const char* option)
{
    const auto folder = file.parent_path();
    if (!folder.empty() && !std::filesystem::is_directory(folder))
        throw input_error(fmt::format("{} {}: there is no folder {}", option, file.string(), folder.string()));
}

void check(options& o, const raw_options& raw)
{
    check_device(o.device);
    if (!raw.grid.empty()) o.grid = parse_extents(raw.grid, "--grid", largest_edge);
    if (o.grid[0] * o.grid[1] * o.grid[2] > largest_grid)
        throw input_error(fmt::format("--grid {}: more than {} points", raw.grid, largest_grid));
    if (!raw.copies.empty()) {
        const auto n = parse_extents(raw.copies, "--replicate", most_copies);
        o.copies = {static_cast<int>(n[0]), static_cast<int>(n[1]), static_cast<int>(n[2])};
    }
    if (o.repeat < 1 || o.repeat > 1'000'000) throw input_error("--repeat: at least one run, at most a million");
    if (raw.has_slice) {
        if (raw.slice < 0 || static_cast<std::size_t>(raw.slice) >= o.grid[2])
            throw input_error(fmt::format("--slice {}: the grid has the slices 0 to {}", raw.slice, o.grid[2] - 1));
        o.slice = static_cast<std::size_t>(raw.slice);
    }
    check_directory(o.picture, "--picture");
    check_directory(o.csv, "--csv");
}

} // namespace

extents parse_extents(const std::string& text, const std::string& name, std::size_t largest)
{
    extents result{};
    std::size_t count = 0;
    for (std::string_view rest = text;; ++count) {
        const auto comma = std::min(rest.find(','), rest.size());
        const auto one = trim(rest.substr(0, comma));
        std::size_t value = 0;
        const auto [end, error] = std::from_chars(one.data(), one.data() + one.size(), value);
        if (count == 3 || error != std::errc{} || end != one.data() + one.size() || value < 1 || value > largest)
            throw input_error(
                fmt::format("{} {}: it is one number or three with commas, each 1 to {}", name, text, largest));
        result[count] = value;
        if (comma == rest.size()) break;
        rest.remove_prefix(comma + 1);
    }
    if (count == 0) return {result[0], result[0], result[0]};
    if (count != 2) throw input_error(fmt::format("{} {}: it is one number or three with commas", name, text));
    return result;
}

std::optional<options> read_options(int argc, const char* const* argv)
{
    options o;
    raw_options raw;
    CLI::App app(about, "coulomb");
    describe(app, o, raw);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& e) { // --help
        app.exit(e);
        return std::nullopt;
    } catch (const CLI::ParseError& e) {
        throw input_error(fmt::format("{} (coulomb --help)", e.what()));
    }
    raw.has_slice = app.count("--slice") > 0;
    o.input = raw.input;
    o.picture = raw.picture;
    o.csv = raw.csv;
    check(o, raw);
    return o;
}

} // namespace coulomb
