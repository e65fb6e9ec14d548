#pragma once

#include "tokens.hpp"

#include <skelrt/detail/recipe.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// What users wrote in SKELRT_SHARED: which of it a call needs, found by names alone.
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

/// One declaration at the outermost level of a SKELRT_SHARED text; the contents of a namespace count as outermost.
struct declaration {
    declaration_kind kind;
    std::vector<std::string_view> names; ///< what it declares: also the names of enumerators
    std::span<const token> tokens;       ///< with the closing semicolon, if there is one
    const function_source* source;       ///< lives as long as the process, and so do the names and tokens
};

/// The texts that the functions, the operator and the types of `what` need by name, and what those need in turn, in
/// the order of their registration, each once. A text that the same header registered from several translation units
/// counts once. A name that several source files define for themselves means the one of the call's own source file.
/// Costs a pass over all registered texts; thread-safe.
std::vector<function_source> shared_for(const recipe& what);

/// The same, declaration by declaration: what shared_for() returns may declare more than is needed.
std::vector<declaration> declarations_for(const recipe& what);

/// Splits a text into its outermost declarations. `source` and `tokens` must outlive the result.
std::vector<declaration> split_declarations(const function_source& source, std::span<const token> tokens);

} // namespace skelrt::detail
