// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "option_list.hpp"
#include "options.hpp"

#include <string>

namespace apps
{

/// What an application offers beyond --device, --repeat, --check and --csv.
struct offers {
    bool rival = false;
    std::string picture; ///< what --picture shows, "write the slice to this PNG file"; empty: there is no picture
};

/// The command line of an application: the common options, and those that it adds. Where an option is given twice, the
/// last one counts, so that a script's options can stand in front of its user's.
class command_line : public option_list
{
public:
    /// `to` is filled by parse() and must live until then.
    command_line(const std::string& name, const std::string& about, const offers& what, common_options& to);

    /// False when all was said (--help). Throws input_error for options that are unknown or wrong.
    bool parse(int argc, const char* const* argv);

private:
    void check() const;

    common_options& to_;
};

} // namespace apps
