// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/plan.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// Plans as JSON: one plan, or those of a whole program.
namespace skelrt::detail
{

/// "cuda 1".
std::string device_text(const plan_share& s);
const char* kind_text(device d) noexcept;

/// The plans of a program's codelets, and one for all others.
struct program_plans {
    struct entry {
        std::string codelet;   ///< name of the codelet: "map (saxpy.cpp:12)"
        std::uint64_t key = 0; ///< recipe::key; 0: whichever has the name
        plan what;
    };
    std::vector<entry> codelets;
    std::optional<plan> others;

    /// Null: none.
    const plan* find(std::uint64_t key, const std::string& codelet) const noexcept;
};

/// All throw error naming the file. A program's plans may be a single plan's file: that is for every codelet.
void save_plan(const std::string& file, const plan& p);
plan load_plan(const std::string& file);
void save_program_plans(const std::string& file, const program_plans& p);
program_plans load_program_plans(const std::string& file);

/// What SKELRT_PLAN names; null: nothing.
std::shared_ptr<const program_plans> plans_of_environment();

} // namespace skelrt::detail
