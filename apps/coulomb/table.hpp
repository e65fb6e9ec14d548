#pragma once

#include "measure.hpp"

#include <string>
#include <vector>

namespace coulomb
{

/// The measurements side by side, for people. `pairs`: interactions (grid points x atoms) in one run.
std::string table_of(const std::vector<measurement>& rows, double pairs);

/// The same for scripts: one line of names, then one line per measurement.
void write_csv(const std::filesystem::path& file, const std::vector<measurement>& rows, const grid& g,
               std::size_t atoms);

/// The lines that scripts read, last of all output: "figure: NAME VALUE". Medians are compared.
std::string figures_of(const std::vector<measurement>& rows);

/// "1.23 ms": three digits and the unit that fits.
std::string duration_text(double seconds);

} // namespace coulomb
