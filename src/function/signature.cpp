// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/signature.hpp"

#include "src/function/shared.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <span>

namespace skelrt::detail
{
namespace
{

using token_span = std::span<const token>;

/// Of types only: there, angle brackets are brackets.
int depth_of(const token& t)
{
    if (opens(t) || t.is("<")) return 1;
    if (closes(t) || t.is(">")) return -1;
    return t.is(">>") ? -2 : 0;
}

std::size_t after_group(token_span all, std::size_t open)
{
    int depth = 0;
    for (std::size_t i = open; i < all.size(); ++i) {
        depth += opens(all[i]) ? 1 : closes(all[i]) ? -1 : 0;
        if (depth == 0) return i + 1;
    }
    return all.size();
}

bool is_type_word(std::string_view word)
{
    constexpr std::array<std::string_view, 18> words{"void",   "bool",   "char",     "short",    "int",   "long",
                                                     "float",  "double", "signed",   "unsigned", "const", "volatile",
                                                     "struct", "class",  "typename", "enum",     "auto",  "decltype"};
    return std::ranges::find(words, word) != words.end();
}

/// The type in [begin, end) of a parameter, whose name may stand at the end.
spelt_type without_name(token_span all, spelt_type p)
{
    const auto last = p.end - 1;
    const bool named = p.end - p.begin > 1 && all[last].is_identifier() && !is_type_word(all[last].text) &&
                       !all[last - 1].is("::") &&
                       !(last - 1 == p.begin && is_type_word(all[p.begin].text) &&
                         (all[p.begin].is("const") || all[p.begin].is("typename") || all[p.begin].is("struct")));
    return named ? spelt_type{p.begin, last} : p;
}

/// Commas at the outermost level split [begin, end).
std::vector<spelt_type> split(token_span all, std::size_t begin, std::size_t end, std::string_view comma = ",")
{
    std::vector<spelt_type> parts;
    int depth = 0;
    auto from = begin;
    for (auto i = begin; i < end; ++i) {
        depth += depth_of(all[i]);
        if (depth == 0 && all[i].is(comma)) {
            parts.push_back({from, i});
            from = i + 1;
        }
    }
    if (from < end) parts.push_back({from, end});
    return parts;
}

/// Without const, typename, struct in front of a type, and const and & behind it.
token_span bare(token_span type)
{
    const auto in_front = [](const token& t) {
        return t.is("const") || t.is("typename") || t.is("struct") || t.is("class") || t.is("enum") || t.is("::");
    };
    while (!type.empty() && in_front(type.front())) type = type.subspan(1);
    while (!type.empty() && (type.back().is("const") || type.back().is("&"))) type = type.first(type.size() - 1);
    return type;
}

std::string text_of(token_span tokens)
{
    std::string text;
    for (const token& t : tokens) {
        const bool words = !text.empty() && t.is_identifier() &&
                           (std::isalnum(static_cast<unsigned char>(text.back())) || text.back() == '_');
        text += (words ? " " : "");
        text += t.text;
    }
    return text;
}

class finder
{
public:
    finder(const function_source& f, const std::vector<token>& tokens) : source_(f), tokens_(tokens)
    {
        for (const token& t : tokens)
            if (t.is_identifier()) used_.insert(t.text);
    }

    std::vector<bound_name> run()
    {
        from_signature();
        if (source_.around != nullptr) from_template(source_.around);
        return std::move(found_);
    }

private:
    void add(bound_name b)
    {
        const bool known = std::ranges::any_of(found_, [&](const bound_name& other) { return other.name == b.name; });
        if (!known && used_.contains(b.name)) found_.push_back(std::move(b));
    }

    void from_signature()
    {
        const auto head = head_of(tokens_);
        const auto& known = source_.facts->signature;
        if (!head.plain || known.parameters == nullptr || head.parameters.size() != known.count) return;
        for (std::size_t k = 0; k < known.count; ++k) match(head.parameters[k], known.parameters[k]);
        if (head.result.end > head.result.begin) match(head.result, known.result);
    }

    void match(spelt_type spelt, std::string_view host)
    {
        const auto name = named_type(host);
        const auto tokens = tokenize(name);
        unify(token_span(tokens_).subspan(spelt.begin, spelt.end - spelt.begin), tokens);
    }

    /// `real` against `float`, `sk::vec<real>` against `skelrt::vec<float>`.
    void unify(token_span spelt, token_span host)
    {
        spelt = bare(spelt);
        host = bare(host);
        if (spelt.empty() || host.empty() || text_of(spelt) == text_of(host)) return;
        if (spelt.size() == 1 && spelt[0].is_identifier()) {
            if (!is_type_word(spelt[0].text)) add({std::string(spelt[0].text), text_of(host), {}});
            return;
        }
        const auto open = std::ranges::find(spelt, "<", &token::text),
                   host_open = std::ranges::find(host, "<", &token::text);
        if (open == spelt.end() || host_open == host.end() || !spelt.back().is(">")) return;
        const auto from = static_cast<std::size_t>(open - spelt.begin()) + 1;
        const auto host_from = static_cast<std::size_t>(host_open - host.begin()) + 1;
        const auto parts = split(spelt, from, spelt.size() - 1), host_parts = split(host, host_from, host.size() - 1);
        for (std::size_t k = 0; k < std::min(parts.size(), host_parts.size()); ++k)
            unify(spelt.subspan(parts[k].begin, parts[k].end - parts[k].begin),
                  host.subspan(host_parts[k].begin, host_parts[k].end - host_parts[k].begin));
    }

    /// "void f(T) [with T = float; unsigned int N = 3]" of g++, "void f(T) [T = float, N = 3]" of clang++.
    void from_template(std::string_view around)
    {
        const auto text = named_type(around);
        const auto all = tokenize(text);
        if (all.empty() || !all.back().is("]")) return;
        auto open = all.size() - 1;
        for (int depth = 0; open > 0; --open)
            if ((depth += all[open].is("]") ? 1 : all[open].is("[") ? -1 : 0) == 0) break;
        const bool gcc = all[open + 1].is("with");
        for (const auto& part : split(all, open + (gcc ? 2 : 1), all.size() - 1, gcc ? ";" : ","))
            parameter(token_span(all).subspan(part.begin, part.end - part.begin));
    }

    void parameter(token_span part)
    {
        const auto equals = std::ranges::find(part, "=", &token::text);
        const auto n = static_cast<std::size_t>(equals - part.begin());
        if (equals == part.end() || n == 0 || n + 1 == part.size() || !part[n - 1].is_identifier()) return;
        const auto value = part.subspan(n + 1);
        std::string name(part[n - 1].text);
        if (n > 1 && (part[n - 2].is("::") || part[n - 2].is(":"))) return; // std::string_view = ..., auto:1 = ...
        const bool is_number = value[0].kind == token_kind::number || value[0].kind == token_kind::character ||
                               value[0].is("-") || value[0].is("true") || value[0].is("false") || value[0].is("(");
        if (n > 1) add({name, text_of(part.first(n - 1)), text_of(value)});
        else if (is_number || value[0].is("{") || value[0].is("<") || value[0].is("&")) add({name, {}, {}});
        else add({name, text_of(value), {}});
    }

    const function_source& source_;
    const std::vector<token>& tokens_;
    std::set<std::string_view> used_;
    std::vector<bound_name> found_;
};

} // namespace

bool is_plain_number(std::string_view type)
{
    constexpr std::array<std::string_view, 15> numbers{
        "char",      "signed char",        "unsigned char", "short",         "unsigned short",
        "int",       "unsigned",           "long",          "unsigned long", "unsigned int",
        "long long", "unsigned long long", "float",         "double",        "bool"};
    return std::ranges::find(numbers, type) != numbers.end();
}

lambda_head head_of(const std::vector<token>& tokens)
{
    lambda_head head;
    std::size_t i = 0;
    while (i + 1 < tokens.size() && tokens[i].is("[") && tokens[i + 1].is("[")) i = after_group(tokens, i);
    if (i >= tokens.size() || !tokens[i].is("(")) return head;
    head.close = after_group(tokens, i);
    head.plain = true;
    for (auto p : split(tokens, i + 1, head.close - 1)) {
        while (p.begin + 1 < p.end && tokens[p.begin].is("[") && tokens[p.begin + 1].is("["))
            p.begin = after_group(tokens, p.begin);
        for (auto k = p.begin; k < p.end; ++k) // an array, a pack, a default value: left as it is
            if (tokens[k].is("[") || tokens[k].is("...") || tokens[k].is("=")) head.plain = false;
        if (p.begin == p.end) head.plain = false;
        else head.parameters.push_back(without_name(tokens, p));
    }
    auto arrow = tokens.size();
    for (i = head.close; i < tokens.size() && !tokens[i].is("{"); i = opens(tokens[i]) ? after_group(tokens, i) : i + 1)
        if (tokens[i].is("->")) arrow = i;
    head.body = std::min(i, tokens.size());
    if (arrow < head.body) head.result = {arrow + 1, head.body};
    return head;
}

std::vector<bound_name> bound_names(const function_source& f, const std::vector<token>& tokens)
{
    if (f.facts == nullptr) return {};
    return finder(f, tokens).run();
}

} // namespace skelrt::detail
