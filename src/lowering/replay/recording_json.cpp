// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/replay/recording.hpp"

#include "src/model/files/files.hpp"
#include "src/model/files/format_version.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <sstream>
#include <string_view>

namespace skelrt::detail
{

namespace
{

using nlohmann::json;

constexpr int format_version = 1;

template <class Enum>
struct named {
    Enum value;
    std::string_view name;
};

constexpr auto skeletons = std::to_array<named<skeleton>>({{skeleton::map, "map"},
                                                           {skeleton::reduce, "reduce"},
                                                           {skeleton::reduce_rows, "reduce_rows"},
                                                           {skeleton::reduce_columns, "reduce_columns"},
                                                           {skeleton::stencil, "stencil"},
                                                           {skeleton::scan, "scan"},
                                                           {skeleton::scan_rows, "scan_rows"},
                                                           {skeleton::scan_columns, "scan_columns"},
                                                           {skeleton::all_pairs, "all_pairs"},
                                                           {skeleton::accumulate, "accumulate"},
                                                           {skeleton::filter, "filter"},
                                                           {skeleton::sort, "sort"},
                                                           {skeleton::wavefront, "wavefront"}});

constexpr auto slot_kinds = std::to_array<named<slot_kind>>({{slot_kind::element, "element"},
                                                             {slot_kind::uniform, "uniform"},
                                                             {slot_kind::scalar, "scalar"},
                                                             {slot_kind::vec, "vec"},
                                                             {slot_kind::mat, "mat"},
                                                             {slot_kind::hood, "hood"},
                                                             {slot_kind::row_element, "row_element"},
                                                             {slot_kind::column_element, "column_element"},
                                                             {slot_kind::row_vec, "row_vec"},
                                                             {slot_kind::column_vec, "column_vec"},
                                                             {slot_kind::accumulator, "accumulator"},
                                                             {slot_kind::output, "output"},
                                                             {slot_kind::hood_source, "hood_source"},
                                                             {slot_kind::mapped_hood, "mapped_hood"}});

constexpr auto borders = std::to_array<named<border_rule>>({{border_rule::constant, "constant"},
                                                            {border_rule::cyclic, "cyclic"},
                                                            {border_rule::nearest, "nearest"},
                                                            {border_rule::none, "none"}});

template <class Enum, std::size_t N>
std::string name_of(const std::array<named<Enum>, N>& all, Enum value)
{
    for (const auto& n : all)
        if (n.value == value) return std::string(n.name);
    return {};
}

template <class Enum, std::size_t N>
Enum value_of(const std::array<named<Enum>, N>& all, const std::string& name)
{
    for (const auto& n : all)
        if (n.name == name) return n.value;
    throw error(fmt::format("\"{}\" is not known", name));
}

json as_json(const recorded_operand& o)
{
    if (!o.container) return json::array();
    return {*o.container, o.offset, o.rows, o.cols, o.ld, o.stride};
}

json as_json(const recorded_recipe& r)
{
    json slots = json::array();
    for (const recorded_slot& s : r.slots) slots.push_back({name_of(slot_kinds, s.kind), s.size});
    json j{{"recipe", name_of(skeletons, r.kind)},
           {"name", r.name},
           {"key", r.key},
           {"slots", slots},
           {"result_size", r.result_size}};
    const stencil_shape& s = r.stencil;
    if (s.rank > 0)
        j["stencil"] = {{"rank", s.rank},
                        {"down", s.down},
                        {"before", s.before},
                        {"after", s.after},
                        {"border", name_of(borders, s.border)}};
    return j;
}

json as_json(const recorded_container& c)
{
    return {{"container", {c.rows, c.cols}},
            {"element_size", c.element_size},
            {"whole_rows", c.whole_rows},
            {"dealt", c.dealt}};
}

json as_json(const recorded_call& c)
{
    json operands = json::array();
    for (const recorded_operand& o : c.operands) operands.push_back(as_json(o));
    json made{{"call", c.recipe}, {"rank", c.rank},       {"matrix", c.matrix},
              {"rows", c.rows},   {"cols", c.cols},       {"depth", c.depth},
              {"steps", c.steps}, {"operands", operands}, {"result", as_json(c.result)},
              {"kept", c.kept}};
    if (c.part.given()) made["part"] = {c.part.rows, c.part.cols, c.part.row, c.part.col};
    return made;
}

json as_json(const recorded_cost& c)
{
    return {{"cost", c.recipe},       {"evaluations", c.evaluations}, {"device", c.device},
            {"fixed_us", c.fixed_us}, {"element_us", c.element_us},   {"measured", c.measured}};
}

json as_json(const recorded_iteration& i)
{
    return {{"iteration", {i.first, i.steps}}, {"usual_steps", i.usual}, {"most_steps", i.most}, {"told", i.told}};
}

recorded_operand operand_from(const json& j)
{
    if (j.empty()) return {};
    return {j.at(0).get<std::size_t>(), j.at(1), j.at(2), j.at(3), j.at(4), j.at(5)};
}

recorded_recipe recipe_from(const json& j)
{
    recorded_recipe r{value_of(skeletons, j.at("recipe")), j.at("name"), j.at("key"), {}, j.at("result_size"), {}};
    for (const json& s : j.at("slots")) r.slots.push_back({value_of(slot_kinds, s.at(0)), s.at(1)});
    if (const auto at = j.find("stencil"); at != j.end()) {
        r.stencil.rank = at->at("rank");
        r.stencil.down = at->at("down");
        for (int axis = 0; axis < 3; ++axis) {
            r.stencil.before[axis] = at->at("before").at(axis);
            r.stencil.after[axis] = at->at("after").at(axis);
        }
        r.stencil.border = value_of(borders, at->at("border"));
    }
    return r;
}

/// `line`: of a recording, after its first.
void add_line(recording& r, const json& line)
{
    if (line.contains("recipe")) r.recipes.push_back(recipe_from(line));
    else if (line.contains("container"))
        r.containers.push_back({line.at("container").at(0), line.at("container").at(1), line.at("element_size"),
                                line.at("whole_rows"), line.at("dealt")});
    else if (line.contains("cost"))
        r.costs.push_back({line.at("cost"), line.at("evaluations"), line.at("device"), line.at("fixed_us"),
                           line.at("element_us"), line.at("measured")});
    else if (line.contains("iteration"))
        r.iterations.push_back({line.at("iteration").at(0), line.at("iteration").at(1), line.at("usual_steps"),
                                line.at("most_steps"), line.at("told")});
    else {
        recorded_call c{line.at("call"),
                        line.at("rank"),
                        line.at("matrix"),
                        line.at("rows"),
                        line.at("cols"),
                        line.at("depth"),
                        line.at("steps"),
                        {},
                        operand_from(line.at("result")),
                        line.at("kept")};
        for (const json& o : line.at("operands")) c.operands.push_back(operand_from(o));
        if (const auto part = line.find("part"); part != line.end())
            c.part = {part->at(0), part->at(1), part->at(2), part->at(3)};
        r.calls.push_back(std::move(c));
    }
}

void check_number(const char* what, std::size_t number, std::size_t all)
{
    if (number >= all) throw error(fmt::format("{} {} is not there; there are {}", what, number, all));
}

void check_operand(const recording& r, const recorded_operand& o)
{
    if (o.container) check_number("container", *o.container, r.containers.size());
}

/// Whether what lines refer to is there.
void check_lines(const recording& r)
{
    for (const recorded_call& c : r.calls) {
        check_number("recipe", c.recipe, r.recipes.size());
        check_operand(r, c.result);
        for (const recorded_operand& o : c.operands) check_operand(r, o);
        if (c.operands.size() != r.recipes[c.recipe].slots.size())
            throw error(fmt::format("a call of {} has {} operands instead of {}", r.recipes[c.recipe].name,
                                    c.operands.size(), r.recipes[c.recipe].slots.size()));
    }
    for (const recorded_cost& c : r.costs) check_number("recipe", c.recipe, r.recipes.size());
    std::size_t end = 0; // of the iteration before
    for (const recorded_iteration& i : r.iterations) {
        if (i.steps == 0 || i.first < end || i.most == 0 || i.usual == 0)
            throw error(fmt::format("an iteration of {} calls from {} on makes no sense", i.steps, i.first));
        check_number("call", i.first + i.steps - 1, r.calls.size());
        end = i.first + i.steps;
    }
}

} // namespace

std::string to_json_lines(const recording& r)
{
    std::string text = json{{"skelrt_calls", format_version}, {"machine", r.machine}}.dump() + '\n';
    const auto add = [&](const auto& all) {
        for (const auto& one : all) text += as_json(one).dump() + '\n';
    };
    add(r.recipes);
    add(r.containers);
    add(r.calls);
    add(r.costs);
    add(r.iterations);
    return text;
}

recording recording_from(const std::string& text)
{
    recording r;
    std::istringstream lines(text);
    std::size_t number = 0;
    try {
        for (std::string line; std::getline(lines, line);) {
            const json j = json::parse(line);
            if (++number > 1) {
                add_line(r, j);
                continue;
            }
            check_format_version(j.at("skelrt_calls").get<int>(), format_version);
            r.machine = j.at("machine");
        }
        if (number == 0) throw error("it is empty");
        check_lines(r);
    } catch (const other_version&) {
        throw;
    } catch (const std::exception& e) {
        throw error(fmt::format("no recording of calls: line {}: {}", number + 1, e.what()));
    }
    return r;
}

recording read_recording(const std::filesystem::path& file)
{
    const auto text = read_file(file);
    if (!text) throw error(fmt::format("{}: there is no such file; SKELRT_CALLS=FILE records one", file.string()));
    try {
        return recording_from(*text);
    } catch (const std::exception& e) {
        throw error(fmt::format("{}: {}", file.string(), e.what()));
    }
}

} // namespace skelrt::detail
