// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "option_list.hpp"
#include "options.hpp"
#include "sizes.hpp"

#include <array>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

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

    /// A number of which parse() makes sure that it is `low` to `high`.
    template <class T>
    void range(const std::string& name, T& to, std::type_identity_t<T> low, std::type_identity_t<T> high,
               const std::string& help)
    {
        option(name, to, help);
        check([name, &to, low, high] { check_range(name, to, low, high); });
    }
    /// One of a few words.
    void choice(const std::string& name, std::string& to, const std::vector<std::string>& choices,
                const std::string& help);
    /// Numbers with commas, each 1 to `largest`; one number stands for all of them.
    template <std::size_t Count>
    void sizes(const std::string& name, std::array<std::size_t, Count>& to, std::size_t largest,
               const std::string& help)
    {
        const auto text = std::make_shared<std::string>(sizes_text({to.begin(), to.end()}));
        option(name, *text, help);
        check([name, &to, largest, text] { to = parse_sizes<Count>(*text, name, largest); });
    }
    /// What parse() looks at when all options are there, in the order of these calls; it throws what is wrong.
    void check(std::function<void()> rule) { checks_.push_back(std::move(rule)); }

    /// False when all was said (--help). Throws input_error for options that are unknown or wrong.
    bool parse(int argc, const char* const* argv);

    const std::string& name() const noexcept { return name_; }

private:
    void check_common() const;

    std::string name_;
    common_options& to_;
    std::vector<std::function<void()>> checks_;
};

/// The main function of an application: reads its options and runs it. See run_program().
int run_program(command_line& line, int argc, const char* const* argv, const std::function<int()>& body);

} // namespace apps
