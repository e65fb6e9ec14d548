#pragma once

#include "src/model/history.hpp"

#include <filesystem>
#include <string>

/// `skelrt models`: what was learnt on this machine. Each function is a command; wrong input throws error.
namespace skelrt::tool
{

void list_models();
/// Of the codelets whose name or key contains `name`, those that ran last, each in a panel.
void plot_models(const std::string& name, const std::filesystem::path& picture);
void export_models(const std::filesystem::path& to);
/// Adds the runs of a file, of another machine, too.
void import_models(const std::filesystem::path& from);
/// All codelets whose name or key contains `name`.
void forget_models(const std::string& name);

/// For people: codelets, and for each executor sizes, runs, and the time at some sizes.
std::string as_text(const detail::history& h);

/// Draws the panels; see plot_models().
void draw_models(const detail::history& h, const std::filesystem::path& picture);

/// "12.3 us", "4.56 ms".
std::string time_text(double us);

} // namespace skelrt::tool
