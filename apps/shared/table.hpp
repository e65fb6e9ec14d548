// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "measure.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

/// Measurements side by side: for people, for scripts, and as figures.
namespace apps
{

/// A column of the table: what is done per second.
struct rate {
    std::string title; ///< "Gpairs/s"
    double per_run;    ///< in the title's unit: what one run does
    std::string name;  ///< in CSV files, "pairs_per_s"; empty: not there
    double unit = 1;   ///< of the title's unit, in CSV files: 1e9 for Gpairs
};

/// What was computed, for CSV files: a name and a value.
struct problem_field {
    std::string name, value;
    template <class T>
    problem_field(std::string name, const T& value) : name(std::move(name)), value(fmt::format("{}", value))
    {
    }
};
using problem_fields = std::vector<problem_field>;

std::string table_of(const std::vector<measurement>& rows, const std::vector<rate>& rates);

/// The runs of one problem.
struct problem_rows {
    problem_fields problem;
    std::vector<measurement> rows;
    std::vector<rate> rates;
};

/// One line of names, then one line per measurement. All problems have the same fields and rates. Throws input_error if
/// the file cannot be written. Of several ranks the first writes it.
void write_csv(const std::filesystem::path& file, const std::vector<problem_rows>& problems);

/// How the check's result is told: "check: 1000 sample points in double precision; largest error 1e-3 m; at most ..."
struct check_words {
    std::string samples;                 ///< "sample points in double precision"
    std::string unit;                    ///< of the absolute error, with a blank in front; empty: none
    std::string relative_to;             ///< "the sum of magnitudes"
    std::string error = "largest error"; ///< what the absolute error is
};

bool all_good(const std::vector<measurement>& rows);
/// Says what was compared and how far it is off; of a wrong result, the device and the worst place.
std::string check_text(const std::vector<measurement>& rows, const check_words& words);

/// The line that scripts read, "figure: NAME VALUE": the median time of one row over another's. Empty where one of them
/// did not run. Figures are the last lines of all output.
std::string figure(const std::string& name, const std::vector<measurement>& rows, const std::string& device,
                   const std::string& other);

/// "cuda", or "opencl" where there is no cuda among the rows.
std::string gpu_of(const std::vector<measurement>& rows);

/// "1.23 ms": three digits and the unit that fits.
std::string duration_text(double seconds);

} // namespace apps
