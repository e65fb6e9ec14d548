// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/models.hpp"

#include "src/model/files/files.hpp"
#include "src/model/files/store.hpp"
#include "src/model/machine/find_machine.hpp"
#include "src/model/times/model.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace skelrt::tool
{

namespace
{

namespace fs = std::filesystem;
using namespace detail;

fs::path file_of_models()
{
    fs::path file = models_file();
    if (file.empty()) throw error("there are no models: SKELRT_MODELS is none, or there is no home folder");
    return file;
}

/// The models of this machine; to show them, there must be some.
history models_here()
{
    const fs::path file = file_of_models();
    history h = load_records(file).models;
    if (h.empty())
        throw error(fmt::format("{} has no models yet: programs with skelrt fill it when they run", file.string()));
    return h;
}

bool matches(std::uint64_t key, const codelet_runs& c, const std::string& name)
{
    return c.name.find(name) != std::string::npos || key_text(key) == name;
}

/// Those that ran last, at most `most`.
history newest(history h, std::size_t most)
{
    prune(h, most);
    while (h.size() > most) h.erase(std::prev(h.end())); // of the same moment
    return h;
}

std::string some_times(const curve& c, executor e)
{
    const auto& points = c.points();
    std::string text;
    std::size_t before = points.size();
    for (std::size_t i : {std::size_t{0}, points.size() / 2, points.size() - 1}) {
        if (i == before) continue;
        before = i;
        const auto elements = static_cast<std::size_t>(points[i].elements);
        text += fmt::format("   {}: {}", elements, time_text(line_of(c, e, elements).at(elements)));
    }
    return text;
}

/// Beside a file of models, as in the folder for them.
fs::path facts_beside(fs::path models) { return models.replace_extension(".machine.json"); }

/// What was measured here stays, and what only the other one knows is added.
machine added_to(machine here, const machine& other)
{
    for (device_peaks theirs : other.devices) {
        const auto is_it = [&](const device_peaks& d) { return d.kind == theirs.kind && d.number == theirs.number; };
        const auto ours = std::ranges::find_if(here.devices, is_it);
        if (ours == here.devices.end()) here.devices.push_back(std::move(theirs));
        else if (ours->name == theirs.name) take_measured(theirs, here), *ours = std::move(theirs);
    }
    if (here.network.message_us.value <= 0) here.network = other.network;
    here.name = machine_name();
    return here;
}

/// What a file says; errors name it.
template <class Read>
auto read_named(const fs::path& file, const std::string& text, Read read)
{
    try {
        return read(text);
    } catch (const error& e) {
        throw error(fmt::format("{}: {}", file.string(), e.what()));
    }
}

} // namespace

std::string time_text(double us)
{
    if (us < 1000) return fmt::format("{:.3g} us", us);
    if (us < 1e6) return fmt::format("{:.3g} ms", us / 1e3);
    return fmt::format("{:.3g} s", us / 1e6);
}

std::string as_text(const history& h)
{
    std::string text;
    for (const auto& [key, codelet] : h) {
        text += fmt::format("\n{}   {}\n", codelet.name, key_text(key));
        for (executor e : all_executors) {
            const curve& c = codelet[e];
            if (c.empty()) continue;
            text += fmt::format("  {:<7} {:>3} run{} of {:.0f} to {:.0f} elements {}\n", name_of(e), c.runs().size(),
                                c.runs().size() == 1 ? " " : "s", c.points().front().elements,
                                c.points().back().elements, some_times(c, e));
        }
    }
    return text;
}

void list_models()
{
    const history h = models_here();
    fmt::print("{}: {} codelet{}\n{}", file_of_models().string(), h.size(), h.size() == 1 ? "" : "s", as_text(h));
}

void plot_models(const std::string& name, const fs::path& picture)
{
    constexpr std::size_t most_panels = 6;
    history chosen = models_here();
    std::erase_if(chosen, [&](const auto& entry) { return !matches(entry.first, entry.second, name); });
    if (chosen.empty()) throw error(fmt::format("no codelet is called \"{}\"; `skelrt models list` shows all", name));
    const std::size_t found = chosen.size();
    chosen = newest(std::move(chosen), most_panels);
    draw_models(chosen, picture);
    fmt::print("{}: {} of {} codelet{}\n", picture.string(), chosen.size(), found, found == 1 ? "" : "s");
}

void export_models(const fs::path& to)
{
    static_cast<void>(models_here()); // there must be some
    write_file_atomically(to, to_json(load_records(file_of_models()), machine_name()));
    fmt::print("{}: models\n", to.string());
    const machine facts = load_machine(machine_file());
    if (facts.devices.empty()) return;
    write_file_atomically(facts_beside(to), to_json(facts));
    fmt::print("{}: what skelrt calibrate measured\n", facts_beside(to).string());
}

void import_models(const fs::path& from)
{
    const auto text = read_file(from);
    if (!text) throw error(fmt::format("{}: there is no such file, or it cannot be read", from.string()));
    const records learnt = read_named(from, *text, [](const std::string& t) { return records_from_json(t); });
    const auto facts_text = read_file(facts_beside(from));
    std::optional<machine> facts;
    if (facts_text) facts = read_named(facts_beside(from), *facts_text, machine_from_json);
    save_records(file_of_models(), learnt);
    const std::size_t added = learnt.models.size();
    fmt::print("{} codelet{} added to {}\n", added, added == 1 ? "" : "s", file_of_models().string());
    if (!facts) return;
    save_machine(machine_file(), added_to(load_machine(machine_file()), *facts));
    fmt::print("what was measured of machine {} added to {}\n", facts->name, machine_file().string());
}

void forget_models(const std::string& name)
{
    const fs::path file = file_of_models();
    static_cast<void>(models_here()); // there must be some
    std::size_t gone = 0, left = 0;
    change_records(file, [&](records& all) {
        const auto goes = [&](std::uint64_t key, const codelet_runs& c) { return matches(key, c, name); };
        gone = name.empty() ? std::exchange(all, {}).models.size() : forget(all, goes);
        if (gone == 0) throw error(fmt::format("no codelet is called \"{}\"; `skelrt models list` shows all", name));
        left = all.models.size();
    });
    fmt::print("{} codelet{} forgotten, {} left\n", gone, gone == 1 ? "" : "s", left);
}

} // namespace skelrt::tool
