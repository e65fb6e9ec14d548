// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/tokens.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace skelrt::detail
{
namespace
{

bool starts_identifier(char c)
{
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool continues_identifier(char c) { return starts_identifier(c) || std::isdigit(static_cast<unsigned char>(c)); }

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

class scanner
{
public:
    explicit scanner(std::string_view text) : text_(text) {}

    std::vector<token> run()
    {
        std::vector<token> result;
        for (skip_blank(); at_ < text_.size(); skip_blank()) {
            const auto begin = at_;
            const auto kind = advance();
            result.push_back({kind, text_.substr(begin, at_ - begin), begin});
        }
        return result;
    }

private:
    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    bool follows(std::string_view what) const { return text_.substr(at_).starts_with(what); }

    void skip_past(std::string_view what)
    {
        const auto found = text_.find(what, at_);
        at_ = found == std::string_view::npos ? text_.size() : found + what.size();
    }

    void skip_blank()
    {
        while (at_ < text_.size()) {
            if (std::isspace(static_cast<unsigned char>(peek()))) ++at_;
            else if (follows("\\\n")) at_ += 2;
            else if (follows("//")) skip_past("\n");
            else if (follows("/*")) at_ += 2, skip_past("*/");
            else return;
        }
    }

    token_kind advance()
    {
        if (starts_identifier(peek())) return identifier_or_prefixed_literal();
        if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return number();
        if (peek() == '"' || peek() == '\'') return quoted();
        return punctuation();
    }

    token_kind identifier_or_prefixed_literal()
    {
        const auto begin = at_;
        while (continues_identifier(peek())) ++at_;
        const auto prefix = text_.substr(begin, at_ - begin);
        constexpr std::array<std::string_view, 5> raw{"R", "LR", "uR", "UR", "u8R"};
        constexpr std::array<std::string_view, 4> plain{"L", "u", "U", "u8"};
        if (peek() == '"' && std::ranges::find(raw, prefix) != raw.end()) return raw_string();
        if ((peek() == '"' || peek() == '\'') && std::ranges::find(plain, prefix) != plain.end()) return quoted();
        return token_kind::identifier;
    }

    token_kind raw_string()
    {
        const auto open = text_.find('(', at_);
        if (open == std::string_view::npos) {
            at_ = text_.size();
            return token_kind::string;
        }
        std::string close{")"};
        close.append(text_.substr(at_ + 1, open - at_ - 1)).append("\"");
        at_ = open;
        skip_past(close);
        return token_kind::string;
    }

    token_kind number()
    {
        // A preprocessing number: letters, digits, dots, separators, and a sign after an exponent.
        while (at_ < text_.size()) {
            const char c = peek();
            const bool exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
            const bool hexadecimal_e = (c == 'e' || c == 'E') && hexadecimal_;
            if (c == 'x' || c == 'X') hexadecimal_ = true;
            if (exponent && !hexadecimal_e && (peek(1) == '+' || peek(1) == '-')) at_ += 2;
            else if (continues_identifier(c) || c == '.' || (c == '\'' && continues_identifier(peek(1)))) ++at_;
            else break;
        }
        hexadecimal_ = false;
        return token_kind::number;
    }

    token_kind quoted()
    {
        const char quote = peek();
        for (++at_; at_ < text_.size() && peek() != quote && peek() != '\n'; ++at_)
            if (peek() == '\\') ++at_;
        at_ = std::min(at_ + 1, text_.size());
        return quote == '"' ? token_kind::string : token_kind::character;
    }

    token_kind punctuation()
    {
        constexpr std::array<std::string_view, 26> longer{"<=>", "<<=", ">>=", "...", "->*", "::", "->", ".*", "++",
                                                          "--",  "<<",  ">>",  "<=",  ">=",  "==", "!=", "&&", "||",
                                                          "+=",  "-=",  "*=",  "/=",  "%=",  "&=", "|=", "^="};
        for (const auto candidate : longer)
            if (follows(candidate)) {
                at_ += candidate.size();
                return token_kind::punctuation;
            }
        ++at_;
        return token_kind::punctuation;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    bool hexadecimal_ = false;
};

} // namespace

std::vector<token> tokenize(std::string_view text) { return scanner(text).run(); }

} // namespace skelrt::detail
