// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/function/tokens.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Structs of ours that may be elements: what algorithms compute in and give back. The devices' compilers see no header
/// of ours, so their members stand here again; kernels do not compile where the sizes differ.
namespace skelrt::detail
{

struct own_member {
    std::string_view type; ///< "T0", "T1": an argument of the template
    std::string_view name;
};

struct own_type {
    std::string_view scope, name; ///< "skelrt::by_key", "headed"
    unsigned arguments;           ///< of a template; 0: it is none
    std::vector<own_member> members;
};

const std::vector<own_type>& own_types();

/// By its name as a text may write it, sk:: and skelrt:: alike; null: none of ours.
const own_type* find_own_type(std::string_view qualifier, std::string_view name);

/// Whether one of their names stands among the tokens.
bool names_own_type(std::span<const token> tokens);

/// Their definitions for CUDA.
std::string cuda_own_types();

/// Whether values of this type are headed: an operator of the type of their values is meant for these, and a value that
/// is a head begins anew.
bool is_headed(std::string_view type);

} // namespace skelrt::detail
