#pragma once

#include "opencl_names.hpp"
#include "shared.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// What the translator knows across the declarations and functions of one call.
namespace skelrt::detail::opencl
{

/// A C++ construct that OpenCL C cannot express.
struct refused {
    std::string reason; ///< names the construct
    std::size_t offset; ///< where, in the one-line text
};

enum class type_kind {
    arithmetic,
    structure,
    enumeration,
    vec,
    mat,
    hood1,
    hood2,
    hood3,
    accumulator,
    random,
    index,
    automatic,
    nothing
};

struct type {
    std::string text; ///< as OpenCL C has it: "uint", "cplx", "skelrt_vec_float"
    type_kind kind = type_kind::arithmetic;
    bool is_hood() const { return kind == type_kind::hood1 || kind == type_kind::hood2 || kind == type_kind::hood3; }
    /// Refers to elements somewhere else.
    bool is_view() const
    {
        return kind == type_kind::vec || kind == type_kind::mat || kind == type_kind::accumulator || is_hood();
    }
};

struct unit {
    std::map<std::string, type, std::less<>> types;            ///< structs, enums and aliases of the user
    std::map<std::string, std::string, std::less<>> constants; ///< by name: the expression to put in their place
    std::map<std::string, type, std::less<>> arrays;           ///< constant arrays, and enumerators
    std::map<std::string, type, std::less<>> functions;        ///< helper functions and what they return
    std::set<std::string, std::less<>> scoped_enums;
    std::map<std::string, std::string, std::less<>> left_out; ///< what could not be translated, and why
    std::set<std::string> views, helpers;                     ///< emitted so far
    std::string helper_text;                                  ///< definitions of the helpers in use
    std::string text;                                         ///< translated declarations and functions
    std::string double_use;                                   ///< first use of double precision

    /// Name of the view struct of a vec, mat, hood or accumulator of `element`; defines it on first use.
    type view_of(type_kind kind, const type& element);
};

/// The user's name, with an underscore if OpenCL C wants it for itself.
std::string safe_name(std::string_view name);

} // namespace skelrt::detail::opencl
