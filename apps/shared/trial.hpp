// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/picture/image.hpp"
#include "apps/shared/program/command_line.hpp" // IWYU pragma: export
#include "table.hpp"

#include <skelrt/runtime.hpp>

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace apps
{

/// One device's part in a trial.
class turn
{
public:
    turn(const common_options& o, const skelrt::runtime& rt, const std::string& device, bool last)
        : options_(o), rt_(rt), row_{device, {}, {}, {}}, last_(last)
    {
    }

    const std::string& device() const { return row_.device; }
    /// The last one: what is told of the result, whatever computed it, is told here.
    bool last() const { return last_; }
    /// The timed runs: see measure().
    void time(const std::function<void()>& run);
    void time(const std::function<void()>& prepare, const std::function<void()>& run);
    /// Compares the result, with --check.
    void check(const std::function<comparison()>& compare);
    /// Draws the result of the last device, with --picture.
    void picture(const std::function<image()>& draw) const;

    const measurement& row() const { return row_; }

private:
    const common_options& options_;
    const skelrt::runtime& rt_;
    measurement row_;
    bool last_;
};

/// A problem that each device solves which was asked for, and what comes of it.
class trial
{
public:
    /// `name`: what its figures begin with. Throws input_error for a device that is not there.
    trial(const std::string& name, const common_options& o, const skelrt::runtime& rt);
    /// The same on devices that were chosen.
    trial(const std::string& name, const common_options& o, const skelrt::runtime& rt,
          std::vector<std::string> devices);

    /// What plain loops on one core do: called and timed with --check.
    void reference(const std::function<void()>& plain);
    /// Calls `body` for one device after the other; skeletons run on that one.
    void on_each(const std::function<void(turn&)>& body);
    /// Another row, of a rival.
    void add(const measurement& row) { problem_.rows.push_back(row); }
    /// One more figure: the median time of a row over another's.
    void figure(const std::string& name, const std::string& device, const std::string& other);

    /// Prints the table and what the check found.
    void tell(const problem_fields& fields, const std::vector<rate>& rates, const check_words& words);
    /// The end of a program with one problem: tells, writes the CSV file, prints the figures, gives the exit code.
    int report(const problem_fields& fields, const std::vector<rate>& rates, const check_words& words);

    const std::vector<measurement>& rows() const { return problem_.rows; }

private:
    friend int finish(const common_options& o, const std::vector<trial>& all);

    const common_options& options_;
    const skelrt::runtime& rt_;
    std::string name_;
    std::vector<std::string> devices_;
    problem_rows problem_;
    double reference_seconds_ = 0;
    std::vector<std::array<std::string, 3>> figures_;
};

/// The end of a program that has told of several trials: the CSV file, the figures, the exit code.
int finish(const common_options& o, const std::vector<trial>& all);

/// Writes a picture to the file of --picture, and says so.
void save(const common_options& o, const image& picture);

} // namespace apps
