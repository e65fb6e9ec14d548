// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/stencil/stencil.hpp"

#include "codelets/cuda/cuda.hpp"
#include "src/function/tokens.hpp"

#include <skelrt/error.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace skelrt::detail::cuda
{
namespace
{

/// Every GPU gives so much to a block; tiles may be larger where the device allows it, but must not have to be.
constexpr std::size_t sure_shared_bytes = 48 << 10;

} // namespace

/// Several steps in one pass pay where a function reads few neighbours in a matrix, whose slices then fit in registers:
/// measured on an H200, four of 5 points take 0.55 of their time one by one, in floats (three 0.60, two 0.80, five
/// 0.57), and three in doubles 0.40. Wider hoods and tensors lose by what they compute twice.
unsigned steps_of_pass(const recipe& what, unsigned most, bool forced)
{
    if (forced) {
        const auto fits = [&](unsigned n) {
            return shape_stream(what, n) || smallest_tile_bytes(what, n) <= sure_shared_bytes;
        };
        while (most > 1 && !fits(most)) --most;
        return most;
    }
    constexpr std::size_t few_tokens = 64;
    constexpr unsigned deepest = 4;
    if (what.stencil.rank != 2 || tokens_of(what) > few_tokens) return 1;
    most = std::min(most, deepest);
    while (most > 1 && !shape_stream(what, most)) --most;
    return most;
}

namespace
{

/// Results of a thread that go to memory at once.
unsigned packed_columns(const recipe& what, const lockstep_shape& shape)
{
    return std::min<unsigned>(shape.columns, std::clamp<unsigned>(widest_access / what.result_size, 1, most_pack));
}

/// No loop, and nothing called but numbers' types: a few instructions for a few tokens.
bool is_plain_arithmetic(const function_source& f)
{
    constexpr std::array loops{"for", "while", "do"};
    constexpr std::array plain{"if",   "return", "switch",   "float", "double", "int",
                               "long", "short",  "unsigned", "char",  "bool",   "sizeof"};
    const auto among = [](const auto& words, const token& t) {
        return std::ranges::any_of(words, [&](const char* word) { return t.is(word); });
    };
    const std::vector<token> text = tokenize(f.text);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (among(loops, text[i])) return false;
        const bool called = text[i].is_identifier() && i + 1 < text.size() && text[i + 1].is("(");
        if (called && !among(plain, text[i])) return false;
    }
    return true;
}

/// Whether maps under hoods may be computed again by every position that sees an element; else they are computed once
/// for each element of a tile.
bool maps_are_cheap(const recipe& what)
{
    constexpr std::size_t few_tokens = 64; // of all maps
    std::size_t tokens = 0;
    bool cheap = true;
    for (const hood_map& m : what.hood_maps)
        for (std::size_t i = m.first_call; i <= m.call; ++i) {
            tokens += tokens_of(*what.calls[i].function);
            cheap = cheap && is_plain_arithmetic(*what.calls[i].function);
        }
    return cheap && tokens <= few_tokens;
}

void check_tile(const recipe& what, unsigned steps)
{
    if (smallest_tile_bytes(what, steps) <= sure_shared_bytes) return;
    throw error(what.name + ": a tile for " + std::to_string(steps) + " steps takes more than " +
                std::to_string(sure_shared_bytes) + " bytes of shared memory; do them one by one");
}

} // namespace

stencil_plan plan_stencil(const recipe& what, const kernel_variant& variant)
{
    const auto [steps, colored, block] = variant;
    stencil_plan plan;
    plan.steps = steps;
    plan.colored = colored;
    plan.block = threads_of(block);
    plan.direct = patch_of(what);
    plan.alternates = colored && sees_other_color(what);
    if (plan.alternates) {
        plan.hoods = hood_place::memory;
    } else if (steps == 1) {
        const bool once = !maps_are_cheap(what);
        const auto patch = once ? std::nullopt : shape_window(what);
        plan.hoods = patch ? hood_place::window : once ? hood_place::tile : hood_place::memory;
        if (plan.hoods == hood_place::tile) check_tile(what, steps); // hoods_fit() has seen to it
        plan.patch = patch.value_or(patch_shape{});
        plan.pack = plan.patch.pack;
        if (const auto lockstep = patch ? std::nullopt : shape_lockstep(what, plan.block)) {
            plan.hoods = hood_place::patch;
            plan.lockstep = *lockstep;
            plan.pack = packed_columns(what, *lockstep);
        }
    } else if (const auto stream = shape_stream(what, steps)) {
        plan.hoods = hood_place::registers;
        plan.stream = *stream;
        plan.pack = plan.stream.pack;
    } else {
        check_tile(what, steps);
    }
    return plan;
}

} // namespace skelrt::detail::cuda
