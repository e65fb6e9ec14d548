// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/tool/doctor/finding.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

/// What the environment says: names that nobody reads, values that nobody can read, and values that contradict each
/// other. Pure.
namespace skelrt::tool::doctor
{

using variables = std::map<std::string, std::string, std::less<>>;

struct variable_facts {
    variables set;        ///< SKELRT_*, STARPU_*, and what `skelrt env` knows of others; not the empty ones
    variables unreadable; ///< by name: what skelrt says when it reads the value
    std::vector<std::string> policies; ///< that skelrt and StarPU bring along
};

findings check_variables(const variable_facts& f);

/// Values that contradict each other, or change what programs do so much that it should be known.
findings check_contradictions(const variables& set);

/// The value; empty: it is not set.
std::string value_of(const variables& set, std::string_view name);
/// Whether SKELRT_DEVICES lets this kind in.
bool allows(const variables& set, std::string_view kind);

} // namespace skelrt::tool::doctor
