// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/shared.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_set>

namespace skelrt::detail
{
namespace
{

/// "operator+" and friends must outlive the tokens that they were put together from.
std::string_view interned(std::string text)
{
    static auto* const known = new std::unordered_set<std::string>;
    return *known->insert(std::move(text)).first;
}

class splitter
{
public:
    splitter(const shared_source& source, std::span<const token> tokens)
        : source_(source), tokens_(tokens), scopes_{scope_of(source)}
    {
    }

    std::vector<declaration> run()
    {
        while (at_ < tokens_.size()) {
            if (is(";")) ++at_; // an empty declaration
            else if (is("}")) close_namespace();
            else if (opens_namespace()) open_namespace();
            else one();
        }
        return std::move(result_);
    }

private:
    bool is(std::string_view text, std::size_t ahead = 0) const
    {
        return at_ + ahead < tokens_.size() && tokens_[at_ + ahead].is(text);
    }

    bool opens_namespace() const
    {
        if (is("namespace") || (is("inline") && is("namespace", 1))) return true;
        return is("extern") && at_ + 2 < tokens_.size() && tokens_[at_ + 1].kind == token_kind::string && is("{", 2);
    }

    void open_namespace()
    {
        std::string scope = scopes_.back();
        const bool is_inline = is("inline");
        for (; at_ < tokens_.size() && !is("{"); ++at_) {
            const bool name =
                tokens_[at_].is_identifier() && !any_of(tokens_[at_].text, {"namespace", "inline", "extern"});
            // What an inline namespace declares is found around it, too.
            if (name && !is_inline) scope = joined(scope, tokens_[at_].text);
        }
        ++at_;
        scopes_.push_back(std::move(scope));
    }

    void close_namespace()
    {
        ++at_;
        if (scopes_.size() > 1) scopes_.pop_back();
    }

    /// The index after the bracket that closes the one at `open`.
    std::size_t after_group(std::size_t open) const
    {
        int depth = 0;
        for (auto i = open; i < tokens_.size(); ++i) {
            if (any_of(tokens_[i].text, {"(", "[", "{"})) ++depth;
            else if (any_of(tokens_[i].text, {")", "]", "}"}) && --depth == 0) return i + 1;
        }
        return tokens_.size();
    }

    /// The index after `template <...>`; angle brackets that compare inside of parentheses do not count.
    std::size_t after_angles(std::size_t open) const
    {
        int depth = 0;
        for (auto i = open; i < tokens_.size(); ++i) {
            if (tokens_[i].is("(")) i = after_group(i) - 1;
            else if (tokens_[i].is("<")) ++depth;
            else if (tokens_[i].is(">>") && (depth -= 2) <= 0) return i + 1;
            else if (tokens_[i].is(">") && --depth == 0) return i + 1;
        }
        return tokens_.size();
    }

    /// Over specifiers that say nothing about what is declared.
    std::size_t after_specifiers(std::size_t i) const
    {
        while (i < tokens_.size()) {
            if (any_of(tokens_[i].text, {"inline", "static", "constexpr", "const", "extern", "consteval", "constinit"}))
                ++i;
            else if (any_of(tokens_[i].text, {"alignas", "__attribute__"})) i = after_group(i + 1);
            else if (tokens_[i].is("[")) // [[attribute]]
                i = after_group(i);
            else break;
        }
        return i;
    }

    void one()
    {
        const auto begin = at_;
        auto head = after_specifiers(begin);
        const bool is_template = head < tokens_.size() && tokens_[head].is("template");
        while (head < tokens_.size() && tokens_[head].is("template")) head = after_specifiers(after_angles(head + 1));
        declaration d{declaration_kind::constant, {}, {}, &source_, scopes_.back()};
        at_ = find_end(begin, head, d);
        d.tokens = tokens_.subspan(begin, at_ - begin);
        if (is_template) d.kind = declaration_kind::template_;
        result_.push_back(std::move(d));
    }

    std::size_t find_end(std::size_t begin, std::size_t head, declaration& d) const
    {
        if (head >= tokens_.size()) return tokens_.size();
        const auto word = tokens_[head].text;
        if (word == "static_assert") {
            d.kind = declaration_kind::assertion;
            return after_semicolon(begin);
        }
        if (word == "using" || word == "typedef") return alias(head, d);
        if (word == "enum" && !is_function_head(head)) return enumeration(head, d);
        if (any_of(word, {"struct", "class", "union"}) && !is_function_head(head)) return structure(head, d);
        return function_or_constant(head, d);
    }

    std::size_t after_semicolon(std::size_t i) const
    {
        while (i < tokens_.size() && !tokens_[i].is(";"))
            i = any_of(tokens_[i].text, {"(", "[", "{"}) ? after_group(i) : i + 1;
        return std::min(i + 1, tokens_.size());
    }

    std::size_t alias(std::size_t head, declaration& d) const
    {
        const auto end = after_semicolon(head);
        d.kind = declaration_kind::alias;
        if (tokens_[head].is("using")) {
            const bool names_one = head + 2 < end && tokens_[head + 2].is("=");
            if (!names_one) d.kind = declaration_kind::using_namespace;
            if (names_one) d.names.push_back(tokens_[head + 1].text);
            else if (!tokens_[head + 1].is("namespace") && end >= 2) d.names.push_back(tokens_[end - 2].text);
            return end;
        }
        for (auto i = head + 1; i + 1 < end; ++i) { // typedef struct tag { ... } name, other[3];
            if (tokens_[i].is("{") || tokens_[i].is("(")) i = after_group(i) - 1;
            else if (tokens_[i].is_identifier() && any_of(tokens_[i + 1].text, {";", "[", ",", "{"}))
                d.names.push_back(tokens_[i].text);
        }
        return end;
    }

    /// `struct point middle(point a, point b)`: a parenthesis comes before any brace.
    bool is_function_head(std::size_t head) const
    {
        auto i = head + 1;
        if (i < tokens_.size() && any_of(tokens_[i].text, {"class", "struct"})) ++i;
        for (i = after_specifiers(i); i < tokens_.size(); ++i) {
            if (tokens_[i].is("(")) return true;
            if (any_of(tokens_[i].text, {"{", ";", ":", "="})) return false;
        }
        return false;
    }

    std::size_t structure(std::size_t head, declaration& d) const
    {
        d.kind = declaration_kind::structure;
        const auto name = after_specifiers(head + 1);
        if (name < tokens_.size() && tokens_[name].is_identifier()) d.names.push_back(tokens_[name].text);
        return after_semicolon(head);
    }

    std::size_t enumeration(std::size_t head, declaration& d) const
    {
        d.kind = declaration_kind::enumeration;
        auto i = head + 1;
        const bool scoped = i < tokens_.size() && any_of(tokens_[i].text, {"class", "struct"});
        i = after_specifiers(scoped ? i + 1 : i);
        if (i < tokens_.size() && tokens_[i].is_identifier()) d.names.push_back(tokens_[i].text);
        while (i < tokens_.size() && !tokens_[i].is("{") && !tokens_[i].is(";")) ++i;
        if (!scoped && i < tokens_.size() && tokens_[i].is("{")) enumerators(i, d);
        return after_semicolon(i);
    }

    void enumerators(std::size_t open, declaration& d) const
    {
        const auto end = after_group(open);
        for (auto i = open; i + 1 < end; ++i)
            if (any_of(tokens_[i].text, {"{", ","}) && tokens_[i + 1].is_identifier())
                d.names.push_back(tokens_[i + 1].text);
    }

    std::size_t function_or_constant(std::size_t head, declaration& d) const
    {
        for (auto i = head; i < tokens_.size(); ++i) {
            const auto& t = tokens_[i];
            if (t.is("operator")) return operator_function(i, d);
            if (any_of(t.text, {"decltype", "__attribute__", "alignas"})) i = after_group(i + 1) - 1;
            else if (t.is("("))
                return i > head && tokens_[i - 1].is_identifier() ? function(i, d) : after_semicolon(head);
            else if (any_of(t.text, {"=", "{", ";"}) || (t.is("[") && i > head && tokens_[i - 1].is_identifier()))
                return constants(head, d);
        }
        return tokens_.size();
    }

    std::size_t function(std::size_t open, declaration& d) const
    {
        d.kind = declaration_kind::function;
        d.names.push_back(tokens_[open - 1].text);
        return after_body(open);
    }

    std::size_t operator_function(std::size_t word, declaration& d) const
    {
        d.kind = declaration_kind::operator_;
        auto i = word + 1;
        std::string name = "operator";
        if (i + 1 < tokens_.size() && tokens_[i].is("(") && tokens_[i + 1].is(")")) name += "()", i += 2;
        while (i < tokens_.size() && !tokens_[i].is("(")) name += tokens_[i++].text;
        d.names.push_back(interned(std::move(name)));
        return after_body(i);
    }

    /// From a parameter list to the end of the body, or to the semicolon of a declaration without one.
    std::size_t after_body(std::size_t open) const
    {
        for (auto i = after_group(open); i < tokens_.size(); ++i) {
            if (tokens_[i].is("{")) return after_group(i);
            if (tokens_[i].is(";")) return i + 1;
            if (tokens_[i].is("(")) i = after_group(i) - 1;
        }
        return tokens_.size();
    }

    std::size_t constants(std::size_t head, declaration& d) const
    {
        const auto end = after_semicolon(head);
        bool in_declarator = true;
        for (auto i = head; i + 1 < end; ++i) {
            if (any_of(tokens_[i].text, {"(", "[", "{"})) {
                i = after_group(i) - 1;
            } else if (tokens_[i].is(",")) {
                in_declarator = true;
            } else if (in_declarator && tokens_[i].is_identifier() &&
                       any_of(tokens_[i + 1].text, {"=", "{", "[", ";", ","})) {
                d.names.push_back(tokens_[i].text);
                in_declarator = false;
            }
        }
        return end;
    }

    const shared_source& source_;
    std::span<const token> tokens_;
    std::vector<std::string> scopes_; ///< the namespaces that are open
    std::size_t at_ = 0;
    std::vector<declaration> result_;
};

} // namespace

std::vector<declaration> split_declarations(const shared_source& source, std::span<const token> tokens)
{
    return splitter(source, tokens).run();
}

} // namespace skelrt::detail
