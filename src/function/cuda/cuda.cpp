// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/cuda/cuda.hpp"

#include "src/function/cuda/checks.hpp"
#include "src/function/cuda/standard.hpp"
#include "src/function/lines.hpp"
#include "src/function/own/own_operators.hpp"
#include "src/function/own/own_types.hpp"
#include "src/function/own/row_sum.hpp"
#include "src/function/shared.hpp"
#include "src/function/sides.hpp"
#include "src/function/signature.hpp"
#include "src/function/tokens.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace skelrt::detail
{
namespace
{

/// After a user's text the compiler's line numbers must be ours again: this is src/jit/nvrtc.hpp's generated_file.
constexpr const char* own_lines = "\n#line 1 \"skelrt-generated\"\n";

std::string number(std::size_t n) { return std::to_string(n); }

std::string literal(std::string_view text)
{
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + '"';
}

std::string line_directive(int line, const char* file)
{
    return "\n#line " + number(static_cast<std::size_t>(line)) + " " + literal(file) + "\n";
}

/// A sentence that the compiler says at the user's line.
std::string refusal(const function_source& source, const std::string& sentence)
{
    return line_directive(source.line, source.file) + "static_assert(false, " + literal("skelrt: " + sentence) + ");" +
           own_lines;
}

/// A text with some of its tokens replaced; its line breaks stay.
class edited_text
{
public:
    explicit edited_text(std::string text) : text_(std::move(text)), tokens_(tokenize(text_)) {}

    const std::vector<token>& tokens() const { return tokens_; }

    /// In the order of the text.
    void replace(std::size_t begin, std::size_t end, const std::string& with)
    {
        const auto from = tokens_[begin].offset;
        const auto to = end > begin ? tokens_[end - 1].offset + tokens_[end - 1].text.size() : from;
        const auto breaks = std::count(text_.begin() + static_cast<std::ptrdiff_t>(from),
                                       text_.begin() + static_cast<std::ptrdiff_t>(to), '\n');
        out_ += text_.substr(done_, from - done_) + with + std::string(static_cast<std::size_t>(breaks), '\n');
        done_ = to;
    }
    std::string finish() { return out_ + text_.substr(done_); }

private:
    const std::string text_;
    std::vector<token> tokens_;
    std::string out_;
    std::size_t done_ = 0;
};

/// User code lives in a namespace of its own: nothing of CUDA's has its names there. `::name` of the user's goes there,
/// too.
std::string in_users_namespace(std::string text, const std::set<std::string>& globals)
{
    edited_text edit(std::move(text));
    const auto& tokens = edit.tokens();
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (!tokens[i].is("::") || !globals.contains(std::string(tokens[i + 1].text))) continue;
        const token* before = i > 0 ? &tokens[i - 1] : nullptr;
        const bool qualified = before != nullptr && (before->is(">") || before->is_identifier()) &&
                               !before->is("return") && !before->is("const") && !before->is("case") &&
                               !before->is("else");
        if (!qualified) edit.replace(i, i, "::skelrt_user");
    }
    return edit.finish();
}

/// Parameters and result as the host's compiler knows them.
std::string with_known_types(std::string text, const function_source& f)
{
    edited_text edit(std::move(text));
    const auto head = head_of(edit.tokens());
    const signature_text known = f.facts ? f.facts->signature : signature_text{};
    if (known.parameters == nullptr || !head.plain || head.parameters.size() != known.count) return edit.finish();
    for (std::size_t k = 0; k < known.count; ++k)
        edit.replace(head.parameters[k].begin, head.parameters[k].end, named_type(known.parameters[k]) + " ");
    const std::string result = named_type(known.result) + " ";
    if (head.result.end > head.result.begin) edit.replace(head.result.begin, head.result.end, result);
    else edit.replace(head.body, head.body, "-> " + result);
    return edit.finish();
}

/// A user's text and the line that it starts on.
relined_text users_text(const function_source& source, bool as_written)
{
    return as_written ? relined(source) : relined_text{code_of(source), source.line};
}

bool same(const function_source& a, const function_source& b)
{
    return a.line == b.line && std::string_view{a.text} == b.text && std::string_view{a.file} == b.file;
}

/// All functions of the call, each once.
std::vector<const function_source*> functions_of(const recipe& what)
{
    std::vector<const function_source*> all;
    const auto add = [&](const function_source* f) {
        if (std::ranges::none_of(all, [&](const function_source* other) { return same(*other, *f); })) all.push_back(f);
    };
    for (const function_source* f : functions_in(what)) add(f);
    return all;
}

/// What users wrote, for one call.
struct user_code {
    std::vector<const shared_source*> shared;
    std::vector<declaration> declarations;
    std::vector<const function_source*> functions;
    std::set<std::string> globals; ///< names in the global namespace

    explicit user_code(const recipe& what)
        : shared(shared_for(what)), declarations(declarations_for(what)), functions(functions_of(what))
    {
        for (const declaration& d : declarations)
            if (!d.scope.empty()) globals.insert(d.scope.substr(0, d.scope.find("::")));
            else globals.insert(d.names.begin(), d.names.end());
    }

    /// The innermost of the namespaces around a function that has something for it.
    std::string namespace_of(const function_source& f) const
    {
        const std::string whole = scope_of(f);
        std::string_view scope = whole;
        while (!scope.empty() && std::ranges::none_of(declarations, [&](const declaration& d) {
            return d.scope == scope || d.scope.starts_with(std::string(scope) + "::");
        }))
            scope = enclosing(scope);
        return std::string(scope);
    }

    /// How many of the shared texts stand in front of a function.
    std::size_t texts_before(const function_source& f) const
    {
        const auto from = viewpoint_of(f);
        const auto last = std::find_if(shared.rbegin(), shared.rend(), [&](const auto* s) { return sees(from, *s); });
        return static_cast<std::size_t>(shared.rend() - last);
    }
};

std::string in_namespace(const std::string& name, const std::string& text)
{
    return name.empty() ? text : "namespace " + name + "\n{\n" + text + "\n}\n";
}

using function_names = std::vector<std::pair<const function_source*, std::string>>;

std::string function_name(const function_names& all, const function_source& f)
{
    return std::ranges::find_if(all, [&](const auto& other) { return same(*other.first, f); })->second;
}

/// Where the functions will be found.
function_names names_of(const user_code& code)
{
    function_names names;
    for (const function_source* f : code.functions)
        names.emplace_back(f, "::skelrt_user::" + joined(code.namespace_of(*f), "skelrt_f" + number(names.size())));
    return names;
}

/// Aliases and constants that stand for what the host's compiler knows of a function's names.
std::string bindings_text(const function_source& f)
{
    std::string text;
    for (const bound_name& b : bound_names(f, tokenize(code_of(f)))) {
        if (b.hidden())
            text += refusal(f, "what the template parameter " + b.name +
                                   " stands for is known to the host's compiler only; pass it as an argument");
        else if (b.value.empty()) text += "using " + b.name + " = " + b.type + "; ";
        else text += "constexpr " + b.type + " " + b.name + " = " + b.value + "; ";
    }
    return text;
}

/// What stands behind a function's parameters, with the operators that one of ours calls by their names here.
relined_text calling_text(const user_code& code, const function_source& f, bool as_written)
{
    const auto called = operators_of(f);
    if (called.empty()) return users_text(f, as_written);
    const function_names names = names_of(code);
    const auto name = [&](std::size_t k) { return function_name(names, *called[k]->source) + "()"; };
    return {calling_by_name(code_of(f), f, name), f.line};
}

std::string function_text(const user_code& code, std::size_t k, bool as_written)
{
    const function_source& f = *code.functions[k];
    const auto written = calling_text(code, f, as_written);
    const auto text = in_users_namespace(with_known_types(written.text, f), code.globals);
    return in_namespace(code.namespace_of(f), "inline auto skelrt_f" + number(k) + "() { " + bindings_text(f) +
                                                  "return []" + line_directive(written.line, f.file) + text + ";" +
                                                  own_lines + "}\n");
}

/// Each function stands behind the last text that it sees, as in its own file.
std::string user_texts(const user_code& code, bool as_written)
{
    std::string text = "namespace skelrt_user\n{\n";
    if (const auto clash = clash_of(code.declarations); !clash.empty()) text += refusal(*code.functions.front(), clash);
    for (std::size_t i = 0; i <= code.shared.size(); ++i) {
        if (i > 0) {
            const shared_source& s = *code.shared[i - 1];
            const auto written = users_text(s, as_written);
            text += in_namespace(scope_of(s), line_directive(written.line, s.file) +
                                                  in_users_namespace(written.text, code.globals) + own_lines);
        }
        for (std::size_t k = 0; k < code.functions.size(); ++k)
            if (code.texts_before(*code.functions[k]) == i) text += function_text(code, k, as_written);
    }
    return text + "} // namespace skelrt_user\n";
}

std::string slot_name(std::size_t k) { return "s" + number(k); }
std::string type_name(std::size_t k) { return "skelrt_t" + number(k); }

/// Sizes must agree, or operands would be read askew: enums and bit-fields, say, are up to each compiler.
std::string type_texts(const recipe& what)
{
    const auto alias = [](const std::string& name, std::string_view type, std::size_t size) {
        return "namespace skelrt_user\n{\nusing " + name + " = " + named_type(type) +
               ";\n}\nusing skelrt_user::" + name + ";\nstatic_assert(sizeof(" + name + ") == " + number(size) +
               ", \"skelrt: the type has another size on the GPU\");\n";
    };
    std::string text;
    for (std::size_t k = 0; k < what.slots.size(); ++k)
        text += alias(type_name(k), what.slots[k].type, what.slots[k].size);
    const auto side = [&](const std::string& name, const argument& a) {
        if (a.kind == argument_kind::slot) return alias(name, what.slots[a.which].type, what.slots[a.which].size);
        return alias(name, what.calls[a.which].result, what.calls[a.which].result_size);
    };
    if (what.kind == skeleton::all_pairs)
        text +=
            side("skelrt_left", what.calls.back().arguments[0]) + side("skelrt_right", what.calls.back().arguments[1]);
    return text + alias("skelrt_result", what.result, what.result_size);
}

/// The slots that evaluate() reads; a map's last slot is written.
std::size_t input_count(const recipe& what)
{
    return has_result_slot(what.kind) ? what.slots.size() - 1 : what.slots.size();
}

/// What a function sees of a slot whose data moves with the position.
std::string element_type(const recipe& what, std::size_t k)
{
    if (sees_vec(what.slots[k].kind)) return "skelrt::vec<" + type_name(k) + ">";
    if (what.slots[k].kind == slot_kind::output) return type_name(k) + "*";
    if (sees_hood(what.slots[k].kind))
        return "skelrt::hood" + number(static_cast<std::size_t>(what.stencil.rank)) + "<" + type_name(k) + ">";
    return type_name(k);
}

std::string element_text(const recipe& what)
{
    std::string text = "struct element {\n";
    for (std::size_t k = 0; k < input_count(what); ++k)
        if (sees_hood(what.slots[k].kind) ||
            (moves(what.slots[k].kind) && what.slots[k].kind != slot_kind::hood_source))
            text += "    " + element_type(what, k) + " " + slot_name(k) + ";\n";
    if (what.kind == skeleton::wavefront) text += "    skelrt::before2<result_type> before;\n";
    return text + "};\n";
}

/// codelets/cuda/launch/parameters.cpp fills this struct from the host, member by member.
std::string uniforms_text(const recipe& what)
{
    std::string text = "struct uniforms {\n    size_t width, line, plane;\n";
    for (std::size_t k = 0; k < input_count(what); ++k) {
        const std::string type = type_name(k), name = slot_name(k);
        switch (what.slots[k].kind) {
        case slot_kind::element:
        case slot_kind::output:
        case slot_kind::row_element:
        case slot_kind::column_element:
        case slot_kind::row_vec:
        case slot_kind::column_vec:
        case slot_kind::hood_source:
            break;
        case slot_kind::uniform:
            text += "    " + type + " " + name + ";\n";
            break;
        case slot_kind::scalar:
            text += "    const " + type + "* " + name + ";\n";
            break;
        case slot_kind::vec:
            text += "    skelrt::vec<" + type + "> " + name + ";\n";
            break;
        case slot_kind::mat:
            text += "    skelrt::mat<" + type + "> " + name + ";\n";
            break;
        case slot_kind::hood:
        case slot_kind::mapped_hood:
            if (what.stencil.border == border_rule::constant) text += "    " + type + " " + name + "_border;\n";
            break;
        case slot_kind::accumulator:
            text += "    skelrt::" + std::string(name_of(what.slots[k].rule)) + "<" + type + "> " + name + ";\n";
            break;
        }
    }
    return text + "};\n";
}

/// Divisions of 32 bits where that is enough: those of 64 bits are long code on a GPU.
constexpr const char* tensor_indices = R"cuda(
inline size_t divided(size_t a, size_t b) { return (a | b) >> 32 == 0 ? unsigned(a) / unsigned(b) : a / b; }
inline skelrt::index3 index3_at(const uniforms& u, size_t plane, size_t col)
{
    const size_t row = divided(col, u.line);
    return {plane, row, col - row * u.line};
}
inline skelrt::index4 index4_at(const uniforms& u, size_t cube, size_t col)
{
    const size_t plane = divided(col, u.plane), row = divided(col - plane * u.plane, u.line);
    return {cube, plane, row, col - plane * u.plane - row * u.line};
}
)cuda";

bool asks_for_tensor_index(const recipe& what)
{
    return std::ranges::any_of(what.calls, [](const function_call& f) {
        return std::ranges::any_of(f.arguments, [](const argument& a) {
            return a.kind == argument_kind::index3 || a.kind == argument_kind::index4;
        });
    });
}

std::string argument_text(const recipe& what, const argument& a)
{
    switch (a.kind) {
    case argument_kind::call:
        return "r" + number(a.which);
    case argument_kind::index1:
        return "skelrt::index1{row * u.width + col}";
    case argument_kind::index2:
        return "skelrt::index2{row, col}";
    case argument_kind::index3:
        return "index3_at(u, row, col)";
    case argument_kind::index4:
        return "index4_at(u, row, col)";
    case argument_kind::random:
        return "skelrt::random(u." + slot_name(a.which) + ", row * u.width + col)";
    case argument_kind::before:
        return "e.before";
    case argument_kind::slot:
        break;
    }
    const std::string name = slot_name(a.which);
    switch (what.slots[a.which].kind) {
    case slot_kind::element:
    case slot_kind::row_element:
    case slot_kind::column_element:
    case slot_kind::row_vec:
    case slot_kind::column_vec:
    case slot_kind::hood:
    case slot_kind::mapped_hood:
        return "e." + name;
    case slot_kind::hood_source: // a parameter of the map
        return name;
    case slot_kind::scalar:
        return "*u." + name;
    default:
        return "u." + name;
    }
}

/// Stores the members of a struct, and returns the last.
std::string members_text(const recipe& what)
{
    const std::string from = "reinterpret_cast<const char*>(&" + argument_text(what, what.root) + ") + ";
    const auto member = [&](const result_member& m, const std::string& type) {
        return "*reinterpret_cast<const " + type + "*>(" + from + number(m.offset) + ")";
    };
    const std::size_t size = what.calls[what.root.which].result_size; // offsets are the host's
    std::string text = "    static_assert(sizeof(" + argument_text(what, what.root) + ") == " + number(size) +
                       ", \"skelrt: the type has another size on the GPU\");\n";
    for (const result_member& m : what.members)
        if (m.slot < input_count(what))
            text += "    *e." + slot_name(m.slot) + " = " + member(m, type_name(m.slot)) + ";\n";
    return text + "    return " + member(what.members.back(), "result_type") + ";\n}\n";
}

/// A call of a user's function whose result goes to r<i>.
std::string call_text(const recipe& what, const function_names& functions, std::size_t i)
{
    std::string arguments;
    for (const argument& a : what.calls[i].arguments) {
        if (!arguments.empty()) arguments += ", ";
        arguments += argument_text(what, a);
    }
    const bool returns = what.calls[i].result != "void";
    return (returns ? "    auto r" + number(i) + " = " : "    ") + function_name(functions, *what.calls[i].function) +
           "()(" + arguments + ");\n";
}

/// Maps under hoods: an element that the hoods of slot k see is mapped_s<k>(uniforms, elements of the sources in
/// order).
std::string hood_maps_text(const recipe& what, const function_names& functions)
{
    std::string text;
    for (const hood_map& m : what.hood_maps) {
        text += "inline " + type_name(m.slot) + " mapped_" + slot_name(m.slot) + "(const uniforms& u";
        for (std::size_t k = m.first; k < m.slot; ++k)
            if (what.slots[k].kind == slot_kind::hood_source) text += ", const " + type_name(k) + "& " + slot_name(k);
        text += ")\n{\n";
        for (std::size_t i = m.first_call; i <= m.call; ++i) text += call_text(what, functions, i);
        text += "    return static_cast<" + type_name(m.slot) + ">(r" + number(m.call) + ");\n}\n";
    }
    return text;
}

/// What a function sees of a slot.
std::string view_text(const recipe& what, std::size_t k)
{
    argument a{};
    a.kind = argument_kind::slot;
    a.which = static_cast<decltype(a.which)>(k);
    return argument_text(what, a);
}

/// The element at the position, of a hood.
std::string center_text(const recipe& what, std::size_t slot)
{
    const int rank = what.stencil.rank;
    return "e." + slot_name(slot) + (rank == 1 ? "(0)" : rank == 2 ? "(0, 0)" : "(0, 0, 0)");
}

/// The calls, one after the other. `at_edge`: where hoods leave the grid and the border is none; there the element
/// takes the place of what a stencil's function gives. `sum`: takes the place of what its call gives.
std::string calls_text(const recipe& what, const function_names& functions, bool at_edge, const row_sum* sum = nullptr)
{
    std::string text;
    for (std::size_t i = 0; i < what.calls.size(); ++i) {
        const int kept = at_edge ? what.calls[i].kept_slot : -1;
        if (hood_map_of(what, i) != nullptr) continue;
        if (sum != nullptr && i == sum->call) text += "    const sum_type r" + number(i) + " = sum;\n";
        else if (kept >= 0)
            text += "    auto r" + number(i) + " = " + center_text(what, static_cast<std::size_t>(kept)) + ";\n";
        else text += call_text(what, functions, i);
    }
    return text + cuda_tell(what, {"row", "col", "u.width"}, [&](std::size_t k) { return view_text(what, k); });
}

std::string evaluate_at_edge_text(const recipe& what, const function_names& functions)
{
    return "inline result_type evaluate_at_edge(const element& e, const uniforms& u, size_t row, size_t col)\n{\n" +
           calls_text(what, functions, true) + "    return static_cast<result_type>(" + argument_text(what, what.root) +
           ");\n}\n";
}

std::string evaluate_text(const recipe& what, const function_names& functions)
{
    const bool selects = what.kind == skeleton::filter;
    std::string text = selects ? "struct evaluated {\n    result_type value;\n    bool keep;\n};\n"
                               : "using evaluated = result_type;\n";
    text += "inline evaluated evaluate(const element& e, const uniforms& u, size_t row, size_t col)\n{\n";
    text += calls_text(what, functions, false);
    if (what.kind == skeleton::accumulate) return text + "    return {};\n}\n";
    if (!what.members.empty()) return text + members_text(what);
    if (selects)
        return text + "    return {static_cast<result_type>(" + argument_text(what, what.root) +
               "), static_cast<bool>(r" + number(what.calls.size() - 1) + ")};\n}\n";
    return text + "    return static_cast<result_type>(" + argument_text(what, what.root) + ");\n}\n";
}

/// Products of sparse matrices: the same, of a row that is summed already.
std::string evaluate_with_sum_text(const recipe& what, const function_names& functions)
{
    const auto sum = row_sum_of(what);
    if (!sum) return {};
    const std::string text =
        "using sum_type = ::" + type_name(sum->x) +
        ";\ninline result_type evaluate_with_sum(const element& e, const uniforms& u, size_t row, size_t col, "
        "sum_type sum)\n{\n" +
        calls_text(what, functions, false, &*sum);
    if (!what.members.empty()) return text + members_text(what);
    return text + "    return static_cast<result_type>(" + argument_text(what, what.root) + ");\n}\n";
}

// --- all_pairs: instead of evaluate(), the two sides and what zips them --------------------------------------------

/// Element k of a row of a side, as an expression. Rows of a row_vec count from the segment's first.
std::string side_element(const recipe& what, std::size_t slot)
{
    const std::string s = "s." + slot_name(slot);
    return what.slots[slot].kind == slot_kind::row_vec ? s + ".data[i * " + s + ".ld + k * " + s + ".stride]"
                                                       : s + ".data[row * " + s + ".stride + k * " + s + ".ld]";
}

std::string side_argument(const recipe& what, const argument& a)
{
    if (a.kind == argument_kind::index1) return "skelrt::index1{row * depth + k}";
    if (a.kind == argument_kind::index2) return "skelrt::index2{row, k}";
    if (a.kind == argument_kind::slot && moves(what.slots[a.which].kind)) return side_element(what, a.which);
    return argument_text(what, a);
}

std::string side_text(const recipe& what, const function_names& functions, const argument& side,
                      const std::string& name)
{
    const side_parts parts = parts_of(what, side);
    const std::string type = name + "_type";
    std::string text = "using " + type + " = ::skelrt_" + name + ";\ntemplate <class Segment> inline " + type + " " +
                       name +
                       "_value(const Segment& s, const uniforms& u, size_t i, size_t row, size_t k, size_t depth)\n{\n";
    for (const std::size_t c : parts.calls) {
        std::string arguments;
        for (const argument& a : what.calls[c].arguments) {
            if (!arguments.empty()) arguments += ", ";
            arguments += side_argument(what, a);
        }
        text += "    auto r" + number(c) + " = " + function_name(functions, *what.calls[c].function) + "()(" +
                arguments + ");\n";
    }
    text += cuda_tell(what, {"row", "k", "depth"}, [&](std::size_t k) { return view_text(what, k); });
    text += "    return static_cast<" + type + ">(" + side_argument(what, side) + ");\n}\n";
    // How neighbours in a row lie in memory, and where the elements of a side lie that is an operand as it is.
    std::string step = "1";
    for (const std::size_t k : parts.slots)
        if (moves(what.slots[k].kind))
            step = "s." + slot_name(k) + (what.slots[k].kind == slot_kind::row_vec ? ".stride" : ".ld");
    text += "template <class Segment> inline size_t " + name + "_step(const Segment& s) { return " + step + "; }\n";
    if (side.kind == argument_kind::slot)
        text += "template <class Segment> inline const " + type + "* " + name +
                "_data(const Segment& s, size_t i, size_t row, size_t k) { return &" + side_element(what, side.which) +
                "; }\n";
    return text;
}

/// What a sum and what the result holds become before they are combined.
std::string factors_text(const recipe& what, const function_names& functions)
{
    const auto text = [&](const char* name, std::size_t slot) {
        const std::string value = what.scale ? "static_cast<result_type>(" + function_name(functions, *what.scale) +
                                                   "()(u." + slot_name(slot) + ", v))"
                                             : "v";
        return "inline result_type " + std::string(name) + "(const uniforms& u, const result_type& v) { return " +
               value + "; }\n";
    };
    return text("scaled_sum", what.slots.size() - 3) + text("scaled_front", what.slots.size() - 2);
}

std::string pairs_text(const recipe& what, const function_names& functions)
{
    const function_call& zip = what.calls.back();
    return side_text(what, functions, zip.arguments[0], "left") +
           side_text(what, functions, zip.arguments[1], "right") +
           "inline result_type zipped(const left_type& a, const right_type& b)\n{\n    return "
           "static_cast<result_type>(" +
           function_name(functions, *zip.function) + "()(a, b));\n}\n" + factors_text(what, functions);
}

std::string before_text(const recipe& what, const function_names& functions)
{
    std::string order =
        is_floating(what.result) || is_short_number(what.result) ? "a < b || (b != b && a == a)" : "a < b";
    if (what.combine != nullptr) order = function_name(functions, *what.combine) + "()(a, b)";
    return "inline bool before(const result_type& a, const result_type& b) { return " + order + "; }\n";
}

/// The order of results that a function of ours is called for: what the kernel of merges goes by.
std::string in_front_text(const recipe& what, const function_names& functions)
{
    if (what.kind != skeleton::map || what.calls.size() != 1) return {};
    const auto called = operators_of(*what.calls[0].function);
    if (called.size() != 1) return {};
    const own_operator* order = called[0];
    if (order->result != "bool" || order->first != what.result || order->second != what.result) return {};
    return "inline bool in_front(const result_type& a, const result_type& b) { return " +
           function_name(functions, *order->source) + "()(a, b); }\n";
}

std::string combine_text(const recipe& what, const function_names& functions)
{
    if (what.kind == skeleton::sort) return before_text(what, functions);
    if (what.combine == nullptr) return {};
    if (is_headed(what.result))
        return "inline result_type combine(const result_type& a, const result_type& b)\n{\n    if (b.head) return b;\n"
               "    return {static_cast<decltype(a.value)>(" +
               function_name(functions, *what.combine) + "()(a.value, b.value)), a.head};\n}\n";
    return "inline result_type combine(const result_type& a, const result_type& b)\n{\n    return "
           "static_cast<result_type>(" +
           function_name(functions, *what.combine) + "()(a, b));\n}\n";
}

/// Scans: what is stored of a running value.
std::string stored_text(const recipe& what)
{
    if (!is_scan(what.kind)) return {};
    return "using stored_type = ::" + type_name(what.slots.size() - 1) +
           ";\ninline stored_type stored(const result_type& running) { return running" +
           (is_headed(what.result) ? ".value" : "") + "; }\n";
}

bool has_loop(const char* text)
{
    return std::ranges::any_of(tokenize(text),
                               [](const token& t) { return t.is("for") || t.is("while") || t.is("do"); });
}

} // namespace

std::string cuda_functions(const recipe& what, bool as_written)
{
    const user_code code(what);
    const auto functions = names_of(code);
    std::string text = cuda_standard_types(what) + user_texts(code, as_written) + type_texts(what);
    text += "namespace skelrt::generated\n{\nusing result_type = ::skelrt_result;\n";
    text += element_text(what) + uniforms_text(what);
    if (asks_for_tensor_index(what)) text += tensor_indices;
    text += hood_maps_text(what, functions);
    text += what.kind == skeleton::all_pairs ? pairs_text(what, functions) : evaluate_text(what, functions);
    if (keeps_within(what)) text += evaluate_at_edge_text(what, functions);
    text += evaluate_with_sum_text(what, functions);
    text += in_front_text(what, functions) + combine_text(what, functions) + stored_text(what);
    return text + "} // namespace skelrt::generated\n";
}

bool loops(const recipe& what)
{
    const auto whole = [](const slot_type& s) { return sees_vec(s.kind) || s.kind == slot_kind::mat; };
    if (std::ranges::any_of(what.slots, whole)) return true;
    if (std::ranges::any_of(functions_of(what), [](const function_source* f) { return has_loop(code_of(*f)); }))
        return true;
    return std::ranges::any_of(shared_for(what), [](const shared_source* s) { return has_loop(code_of(*s)); });
}

} // namespace skelrt::detail
