// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/times/history.hpp"

#include <filesystem>
#include <string>
#include <vector>

/// `skelrt models`: what was learnt on this machine. Each function is a command; wrong input throws error.
namespace skelrt::tool
{

void list_models();
/// Of the codelets whose name or key contains `name`, those that ran last, each in a panel.
void plot_models(const std::string& name, const std::filesystem::path& picture);
/// What `skelrt calibrate` measured goes to a file beside it, "node.machine.json" beside "node.json".
void export_models(const std::filesystem::path& to);
/// Adds what a file knows, of another machine, too, and a file beside it of what was measured.
void import_models(const std::filesystem::path& from);
/// All codelets whose name or key contains `name`, with whatever else is known of them; without a name everything.
void forget_models(const std::string& name);

/// For people: codelets, and for each executor sizes, runs, and the time at some sizes.
std::string as_text(const detail::history& h);

/// What the planner is told of sizes from half the smallest that was measured to twice the largest, as a line of
/// points: what panels draw through the runs. None if there are none.
std::vector<detail::run> predictions(const detail::curve& c, detail::executor e);

/// Draws the panels; see plot_models().
void draw_models(const detail::history& h, const std::filesystem::path& picture);

/// "12.3 us", "4.56 ms".
std::string time_text(double us);

} // namespace skelrt::tool
