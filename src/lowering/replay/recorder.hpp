// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/decide/steps.hpp"
#include "src/lowering/replay/recording.hpp"

#include <skelrt/detail/call.hpp>
#include <skelrt/runtime.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace skelrt::detail
{

class models;

/// Writes down the calls of a program that runs alone, for `skelrt replay`: SKELRT_CALLS=FILE. Containers are told
/// apart by where they are: one that takes the memory of another of the same shape counts as that.
///
/// Lifetime: a runtime's. Any thread.
class call_recorder
{
public:
    /// What the environment asks for; null: nothing.
    static std::unique_ptr<call_recorder> of_environment();
    explicit call_recorder(std::filesystem::path file) : file_(std::move(file)) {}

    /// Runs the call, and writes it down if that went well.
    void record(const call& c, const std::function<void(const call&)>& run);

    /// Calls so far.
    std::size_t calls();
    /// The calls from `first` on are so many steps of an iterated stencil, if no other thread made calls meanwhile:
    /// ranks refuse such programs.
    void add_iteration(std::size_t first, std::size_t steps, const pass_limits& passes);

    /// When all runs are observed: what each call takes on the devices of these kinds, and the file. Never throws: what
    /// goes wrong is a warning.
    void write(const models& known, device_set kinds, unsigned cores) noexcept;

private:
    recorded_call describe(const call& c);
    std::size_t number_of(const recipe& r);
    std::size_t number_of(const storage& s);
    recorded_operand describe(const operand& o);
    void add_costs(const models& known, device_set kinds, unsigned cores);

    const std::filesystem::path file_;
    std::mutex guard_; ///< of what follows
    recording all_;
    std::vector<call_site*> sites_; ///< of the recipes
    std::unordered_map<const storage*, std::size_t> containers_;
};

} // namespace skelrt::detail
