// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/environment/starpu_environment.hpp"

#include "src/runtime/environment/environment.hpp"
#include "src/runtime/environment/starpu_names.hpp"

#include <fmt/format.h>
#include <starpu.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace skelrt::detail
{

namespace
{

bool is_digit(char c) { return c >= '0' && c <= '9'; }

void check_fraction(std::string_view name, const std::string& value)
{
    char* end = nullptr;
    std::strtof(value.c_str(), &end);
    if (end == value.c_str() || *end) throw_bad_value(name, value, "allowed is a number such as 0.5");
}

void check_list(std::string_view name, const std::string& value)
{
    const auto allowed = [](char c) { return is_digit(c) || c == ' ' || c == ',' || c == '-'; };
    std::size_t digits = 0, longest = 0;
    for (const char c : value) longest = std::max(longest, digits = is_digit(c) ? digits + 1 : 0);
    constexpr std::size_t most_digits = 6;
    if (!is_digit(value[0]) || !std::ranges::all_of(value, allowed) || longest > most_digits)
        throw_bad_value(name, value, "allowed are numbers with a space between them, or ranges such as 0-3");
}

void check_text(const std::string& name, const std::string& value)
{
    if (name == "STARPU_HOSTNAME" && value.find('/') != std::string::npos)
        throw_bad_value(name, value, "it becomes part of the names of files: without '/'");
    if (name == "STARPU_HWLOC_INPUT" && access(value.c_str(), R_OK) != 0)
        throw_bad_value(name, value, "it is no file that can be read");
}

void check_variable(const std::string& name, const std::string& value)
{
    const auto kind = starpu_value_of(name);
    if (!kind) return;
    if (value.empty()) {
        if (*kind != starpu_value::text) unsetenv(name.c_str()); // else StarPU takes it for 0
        return;
    }
    switch (*kind) {
    case starpu_value::number:
        static_cast<void>(env_number(name, 0, std::numeric_limits<int>::max()));
        break;
    case starpu_value::fraction:
        check_fraction(name, value);
        break;
    case starpu_value::list:
        check_list(name, value);
        break;
    case starpu_value::text:
        check_text(name, value);
        break;
    }
}

} // namespace

void check_starpu_environment()
{
    std::vector<std::pair<std::string, std::string>> set; // a copy: some are unset
    for (char** entry = environ; entry && *entry; ++entry) {
        const std::string_view text = *entry;
        const std::size_t equals = text.find('=');
        if (text.starts_with("STARPU_") && equals != std::string_view::npos)
            set.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    std::ranges::sort(set);
    for (const auto& [name, value] : set) check_variable(name, value);
}

} // namespace skelrt::detail
