// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/function/tokens.hpp"

#include <skelrt/detail/recipe.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What users wrote in SKELRT_SHARED: which of it a call needs, and which of it a function sees.
namespace skelrt::detail
{

enum class declaration_kind : std::uint8_t {
    structure,       ///< struct, class, union
    enumeration,     ///< enum, enum class
    alias,           ///< using x = ..., typedef
    function,        ///< with or without a body
    operator_,       ///< an overloaded operator; its name is "operator+"
    constant,        ///< a variable of any kind
    template_,       ///< anything that starts with `template`
    using_namespace, ///< using namespace x, using x::y
    assertion,       ///< static_assert
};

/// The text that devices compile: with the user's macros replaced.
const char* code_of(const function_source& source);

/// The namespaces (and classes, and functions: all that has a name) around a text, without unnamed ones: "app::detail".
/// What an unnamed namespace declares is visible around it.
std::string scope_of(const function_source& source);

/// A type's name without the unnamed namespaces that compilers write into it.
std::string named_type(std::string_view type);

/// "app::detail" and "name": "app::detail::name".
std::string joined(std::string_view scope, std::string_view name);

/// "app" of "app::detail", nothing of "app".
std::string_view enclosing(std::string_view scope);

/// A registered text. Its strings are its own and live as long as the process.
struct shared_source : function_source {
    /// Each translation unit that has it, and its place there.
    struct sighting {
        const void* unit;
        unsigned order;
    };
    std::vector<sighting> seen;
};

/// One declaration at the outermost level of a SKELRT_SHARED text; the contents of a namespace count as outermost.
struct declaration {
    declaration_kind kind;
    std::vector<std::string_view> names; ///< what it declares: also the names of enumerators
    std::span<const token> tokens;       ///< with the closing semicolon, if there is one
    const shared_source* source;         ///< lives as long as the process, and so do the names and tokens
    std::string scope;                   ///< the namespaces around it, without unnamed ones
};

/// From where a text looks: its places in translation units. None: of no translation unit, it sees everything; ours
/// name nothing but operators and types.
using viewpoint = std::vector<shared_source::sighting>;
viewpoint viewpoint_of(const function_source& f);

/// Whether a text stands in front of one of the places, in the same translation unit, or there.
bool sees(const viewpoint& from, const shared_source& text);

/// "metric" of `using namespace metric;`.
std::string target_of(const declaration& using_directive);

/// The texts that the functions, the operator and the types of `what` need by name, and what those need in turn, each
/// once, in an order in which each stands behind what it sees. Costs a pass over all registered texts; thread-safe.
std::vector<const shared_source*> shared_for(const recipe& what);

/// The same, declaration by declaration: what shared_for() returns may declare more than is needed.
std::vector<declaration> declarations_for(const recipe& what);

/// Two source files that do not know of each other may give one name two meanings (in unnamed namespaces), and then
/// functions of both cannot stand in one text. A sentence that names both places, or nothing.
std::string clash_of(const std::vector<declaration>& declarations);

/// Splits a text into its outermost declarations. `source` and `tokens` must outlive the result.
std::vector<declaration> split_declarations(const shared_source& source, std::span<const token> tokens);

} // namespace skelrt::detail
