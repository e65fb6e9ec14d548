// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/cuda/lockstep.hpp"
#include "src/function/cuda/lockstep_body.hpp"

#include "src/function/own/own_operators.hpp"
#include "src/function/shared.hpp"
#include "src/function/signature.hpp"
#include "src/function/tokens.hpp"

#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace skelrt::detail
{
namespace
{

struct lockstep_parameter {
    std::string_view name; ///< may be empty
    name_role role;
    std::string type; ///< of a number: as it is known
};

/// Nothing: its type is not suited.
std::optional<lockstep_parameter> parameter_of(const recipe& what, const argument& a, std::string_view name,
                                               std::string_view known)
{
    if (a.kind != argument_kind::slot) return {};
    const slot_type& slot = what.slots[a.which];
    if (!is_plain_number(slot.type)) return {};
    switch (slot.kind) {
    case slot_kind::hood:
        return lockstep_parameter{name, name_role::hood, {}};
    case slot_kind::vec:
    case slot_kind::mat:
        return lockstep_parameter{name, name_role::container, {}};
    case slot_kind::uniform:
    case slot_kind::scalar:
        if (!is_plain_number(known)) return {};
        return lockstep_parameter{name, name_role::one, std::string(known)};
    case slot_kind::element:
        if (!is_plain_number(known)) return {};
        return lockstep_parameter{name, name_role::patch, std::string(known)};
    default:
        return {};
    }
}

/// A function that can be read as one for several positions.
struct read_function {
    std::string_view text;
    std::vector<token> tokens;
    std::vector<lockstep_parameter> parameters;
    std::string result;
    std::size_t begin = 0; ///< of its body
    lockstep_body body;
};

bool read_parameters(read_function& f, const recipe& what)
{
    const function_call& call = what.calls[0];
    const signature_text known = call.function->facts ? call.function->facts->signature : signature_text{};
    const lambda_head head = head_of(f.tokens);
    if (known.parameters == nullptr || !head.plain || head.parameters.size() != known.count ||
        call.arguments.size() != known.count || !is_plain_number(known.result))
        return false;
    for (std::size_t k = 0; k < known.count; ++k) {
        const token& name = f.tokens[head.parameters[k].end];
        const auto one = parameter_of(what, call.arguments[k], name.is_identifier() ? name.text : std::string_view{},
                                      known.parameters[k]);
        if (!one) return false;
        f.parameters.push_back(*one);
    }
    f.result = std::string(known.result);
    f.begin = head.body;
    return true;
}

std::optional<read_function> read_all(const recipe& what)
{
    if (what.calls.size() != 1 || what.stencil.rank != 2 || !what.hood_maps.empty() || !what.members.empty() ||
        what.root.kind != argument_kind::call || !operators_of(*what.calls[0].function).empty())
        return {};
    std::optional<read_function> f(std::in_place);
    f->text = code_of(*what.calls[0].function);
    f->tokens = tokenize(f->text);
    if (!read_parameters(*f, what)) return {};
    std::map<std::string_view, name_role> names;
    for (const lockstep_parameter& p : f->parameters)
        if (!p.name.empty()) names.emplace(p.name, p.role);
    auto body = read_lockstep_body(f->tokens, f->begin, std::move(names));
    if (!body) return {};
    f->body = std::move(*body);
    return f;
}

} // namespace

std::optional<lockstep_reading> read_lockstep(const recipe& what)
{
    const auto f = read_all(what);
    if (!f) return {};
    std::size_t tokens = 0;
    for (const loop_text& l : f->body.loops)
        if (f->body.is_innermost(l)) tokens += l.end - l.begin;
    return lockstep_reading{f->body.down, tokens};
}

namespace
{

std::string patch_type(std::string_view type) { return "skelrt::patch<" + std::string(type) + ">"; }

std::string patch_parameters(const read_function& f)
{
    std::string text;
    for (const lockstep_parameter& p : f.parameters) {
        if (!text.empty()) text += ", ";
        if (p.type.empty()) text += "const auto&";
        else text += p.role == name_role::patch || f.body.is_patch(p.name) ? patch_type(p.type) : p.type;
        text += " " + std::string(p.name);
    }
    return text;
}

/// The function's text with the types of patches, and with loops to be unrolled.
std::string lambda_text(const read_function& f, unrolled loops, std::size_t rounds)
{
    std::map<std::size_t, std::string> in_front, instead; // of the character there
    std::map<std::size_t, std::size_t> length;
    for (const loop_text& l : f.body.loops)
        if (loops == unrolled::all || f.body.is_innermost(l))
            in_front[f.tokens[l.begin].offset] = "_Pragma(\"unroll " + std::to_string(rounds) + "\") ";
    for (const token_stretch& type : f.body.types) {
        const std::size_t begin = f.tokens[type.begin].offset;
        const token& last = f.tokens[type.end - 1];
        length[begin] = last.offset + last.text.size() - begin;
        instead[begin] = patch_type(f.text.substr(begin, length[begin]));
    }
    std::string text = "[](" + patch_parameters(f) + ") -> " + patch_type(f.result) + " ";
    for (std::size_t i = f.tokens[f.begin].offset; i < f.text.size();) {
        if (const auto pragma = in_front.find(i); pragma != in_front.end()) text += pragma->second;
        const auto type = instead.find(i);
        text += type == instead.end() ? f.text.substr(i, 1) : std::string_view{type->second};
        i += type == instead.end() ? 1 : length[i];
    }
    return text;
}

/// Of evaluate_patch(e, u).
std::string user_arguments(const recipe& what)
{
    std::string text;
    for (const argument& a : what.calls[0].arguments) {
        const slot_kind kind = what.slots[a.which].kind;
        const bool of_position = kind == slot_kind::hood || kind == slot_kind::element;
        if (!text.empty()) text += ", ";
        text += of_position ? "e.s" : kind == slot_kind::scalar ? "*u.s" : "u.s";
        text += std::to_string(a.which);
    }
    return text;
}

std::string patch_element_text(const recipe& what)
{
    std::string text = "struct patch_element {\n";
    for (std::size_t k = 0; k + 1 < what.slots.size(); ++k) {
        const std::string n = std::to_string(k);
        const slot_kind kind = what.slots[k].kind;
        if (kind == slot_kind::hood) text += "    skelrt::patch_hood2<skelrt_t" + n + "> s" + n + ";\n";
        if (kind == slot_kind::element) text += "    skelrt::patch<skelrt_t" + n + "> s" + n + ";\n";
    }
    return text + "};\n";
}

} // namespace

std::string cuda_lockstep(const recipe& what, unrolled loops, std::size_t rounds)
{
    return "namespace skelrt_user\n{\ninline auto skelrt_lockstep() { return " +
           lambda_text(*read_all(what), loops, rounds) +
           "; }\n} // namespace skelrt_user\nnamespace skelrt::generated\n{\n" + patch_element_text(what) +
           "inline skelrt::patch<result_type> evaluate_patch(const patch_element& e, const uniforms& u)\n{\n"
           "    return ::skelrt_user::skelrt_lockstep()(" +
           user_arguments(what) + ");\n}\n} // namespace skelrt::generated\n";
}

} // namespace skelrt::detail
