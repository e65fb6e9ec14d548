// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/function/opencl/names.hpp"
#include "src/function/own/own_types.hpp"
#include "src/function/shared.hpp"

#include <map>
#include <optional>
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
    min_accumulator,
    max_accumulator,
    or_accumulator,
    and_accumulator,
    atomic_vec,
    out_vec,
    random,
    before, ///< sk::before2
    index,
    automatic,
    nothing,
    complex,     ///< std::complex
    array,       ///< std::array
    short_number ///< sk::half, sk::bfloat16
};

/// In the order of accumulate_rule, as the kinds stand.
type_kind accumulator_kind(accumulate_rule rule);
/// How many arguments a method of such a parameter takes behind the index; nothing: it has no such method.
std::optional<int> values_of_method(type_kind kind, std::string_view method);

struct type {
    std::string text; ///< as OpenCL C has it: "uint", "cplx", "skelrt_vec_float"
    type_kind kind = type_kind::arithmetic;
    /// sk::accumulator and its like.
    bool accumulates() const { return kind >= type_kind::accumulator && kind <= type_kind::out_vec; }
    bool is_hood() const { return kind == type_kind::hood1 || kind == type_kind::hood2 || kind == type_kind::hood3; }
    /// Has elements, or refers to some.
    bool is_view() const
    {
        return kind == type_kind::vec || kind == type_kind::mat || accumulates() || kind == type_kind::before ||
               is_hood();
    }
    /// A class of the standard's, or a short number: its operators are functions here.
    bool is_standard() const
    {
        return kind == type_kind::complex || kind == type_kind::array || kind == type_kind::short_number;
    }
};

/// A member of a struct, or the elements of an std::array.
struct member_type {
    std::string name;
    type of;
    std::string extents; ///< "[3]" of C arrays
};

struct array_type {
    type element;
    std::size_t size;
};

/// What a helper function takes and gives.
struct signature {
    type result;
    std::vector<type> parameters;
};

/// using namespace target, in a namespace.
struct opened_namespace {
    std::string scope, target;
    const shared_source* from;
};

/// Names are qualified: "app::cplx".
struct unit {
    std::map<std::string, std::vector<const shared_source*>, std::less<>> declared; ///< every name, and who declares it
    std::map<std::string, type, std::less<>> types;             ///< structs, enums and aliases of the user
    std::map<std::string, std::string, std::less<>> constants;  ///< by name: the expression to put in their place
    std::map<std::string, std::string, std::less<>> arrays;     ///< constant arrays and enumerators: the name to write
    std::map<std::string, type, std::less<>> element_types;     ///< of `constants` and `arrays`
    std::map<std::string, type, std::less<>> functions;         ///< helper functions and what they return
    std::map<std::string, std::string, std::less<>> stands_for; ///< using-declarations: another qualified name
    std::vector<opened_namespace> opened;
    std::map<std::string, std::string, std::less<>> left_out;             ///< what could not be translated, and why
    std::multimap<std::string, signature, std::less<>> signatures;        ///< of `functions`, with all overloads
    std::map<std::string, std::vector<member_type>, std::less<>> members; ///< of structs, by OpenCL's name
    std::map<std::string, type, std::less<>> view_elements;               ///< of views, by the view's name
    std::map<std::string, array_type, std::less<>> array_types;           ///< by OpenCL's name
    bool has_standard_types = false;      ///< std::complex, std::array or a short number
    std::set<std::string> views, helpers; ///< emitted so far
    std::string helper_text;              ///< definitions of the helpers in use
    std::string text;                     ///< translated declarations and functions
    std::string double_use;               ///< first use of double precision

    /// Name of the view struct of a vec, mat, hood or accumulator of `element`; defines it on first use.
    type view_of(type_kind kind, const type& element);

    /// The same for types of the standard library and short numbers; see standard.cpp.
    type complex_of(const type& part);
    type array_of(const type& element, std::size_t size);
    type short_number(std::string_view name); ///< half, bfloat16
    /// A struct of ours, of these arguments if it is a template.
    type own_struct(const own_type& what, const std::vector<type>& arguments);
    /// An expression of type `from`, where a `to` is wanted.
    std::string converted(const std::string& text, const type& from, const type& to);
};

/// The user's name, with an underscore if OpenCL C wants it for itself.
std::string safe_name(std::string_view name);

/// A qualified name as one of C's: "app__cplx__". No other name of the text ends so: our parameters, macros and helper
/// functions cannot be taken for the user's.
std::string flat_name(std::string_view qualified);

/// The name of a type as the user knows it, for messages.
std::string written_name(const type& of);

} // namespace skelrt::detail::opencl
