// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// The calls of a program, as data: what its ranks would say to each other follows from them. Pure but for files.
namespace skelrt::detail
{

struct recorded_container {
    std::size_t rows = 0, cols = 0;
    std::uint32_t element_size = 0;
    bool whole_rows = false; ///< of a matrix: rows are dealt out
    bool dealt = true;       ///< false: every rank has all of it
    friend bool operator==(const recorded_container&, const recorded_container&) = default;
};

/// As detail::operand, in coordinates of the whole container.
struct recorded_operand {
    std::optional<std::size_t> container; ///< none: a value
    std::size_t offset = 0, rows = 0, cols = 0, ld = 0, stride = 1;
    friend bool operator==(const recorded_operand&, const recorded_operand&) = default;
};

struct recorded_slot {
    slot_kind kind = slot_kind::element;
    std::uint32_t size = 0;
    friend bool operator==(const recorded_slot&, const recorded_slot&) = default;
};

/// What of a recipe decides what ranks say.
struct recorded_recipe {
    skeleton kind = skeleton::map;
    std::string name;
    std::uint64_t key = 0;
    std::vector<recorded_slot> slots;
    std::uint32_t result_size = 0;
    stencil_shape stencil;
    friend bool operator==(const recorded_recipe&, const recorded_recipe&) = default;
};

/// As detail::call.
struct recorded_call {
    std::size_t recipe = 0;
    int rank = 1;
    bool matrix = false;
    std::size_t rows = 0, cols = 0, depth = 1;
    unsigned steps = 1;
    std::vector<recorded_operand> operands;
    recorded_operand result; ///< of reductions; no container: a value on the host
    std::size_t kept = 0;    ///< filters: elements of the result
    grid_part part{};        ///< stencils: of what their hoods look around in
    friend bool operator==(const recorded_call&, const recorded_call&) = default;
};

/// What so many evaluations of a recipe take on a device: fixed_us + element_us * evaluations, near that number.
struct recorded_cost {
    std::size_t recipe = 0, evaluations = 0;
    std::string device; ///< as executors are called: "core", "team", "cuda", "opencl"
    double fixed_us = 0, element_us = 0;
    bool measured = false; ///< false: a guess from the machine's peaks
    friend bool operator==(const recorded_cost&, const recorded_cost&) = default;
};

/// Calls that follow each other, each a step of an iterated stencil, of which ranks may make several in a pass.
struct recorded_iteration {
    std::size_t first = 0, steps = 0;
    unsigned usual = 1, most = 1; ///< see pass_limits
    bool told = false;
    friend bool operator==(const recorded_iteration&, const recorded_iteration&) = default;
};

struct recording {
    std::string machine;
    std::vector<recorded_recipe> recipes;
    std::vector<recorded_container> containers;
    std::vector<recorded_call> calls;
    std::vector<recorded_cost> costs;
    std::vector<recorded_iteration> iterations{}; ///< in their order
    friend bool operator==(const recording&, const recording&) = default;
};

/// One JSON object a line: recipes, containers, calls in their order, costs.
std::string to_json_lines(const recording& r);
/// Throws error that names the line.
recording recording_from(const std::string& text);
/// Throws error that names the file.
recording read_recording(const std::filesystem::path& file);

/// The same program on data with so many times the lines (rows of matrices, elements of vectors). Throws error where a
/// call is on parts of containers: nobody knows how these would grow.
recording grown(recording r, std::size_t times);

} // namespace skelrt::detail
