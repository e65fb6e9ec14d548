// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/cuda/lockstep_body.hpp"

#include <algorithm>

namespace skelrt::detail
{

bool lockstep_body::is_innermost(const loop_text& loop) const
{
    return std::ranges::none_of(loops, [&](const loop_text& o) { return o.begin > loop.begin && o.end <= loop.end; });
}

namespace
{

/// A word of a number's type.
bool is_number_word(const token& t)
{
    return any_of(t.text, {"float", "double", "int", "unsigned", "signed", "long", "short", "char", "bool", "size_t",
                           "ptrdiff_t", "int32_t", "int64_t", "uint32_t", "uint64_t"});
}

/// Reads a body statement by statement, as far as every statement is one that all positions can do together. A variable
/// that is ever given what positions do not share is a patch from the start, so the body is read until nothing is new.
class lockstep_reader
{
public:
    lockstep_reader(std::span<const token> all, std::map<std::string_view, name_role> names) : all_(all)
    {
        found_.names = std::move(names);
    }

    std::optional<lockstep_body> read(std::size_t body)
    {
        do {
            news_ = false;
            found_.loops.clear(), found_.types.clear(), rows_.clear(), columns_.clear();
            std::size_t at = body;
            if (!statement(at)) return {};
        } while (news_);
        if (found_.loops.empty()) return {};
        found_.down = goes_down();
        return std::move(found_);
    }

private:
    std::span<const token> all_;
    lockstep_body found_;
    std::vector<token_stretch> rows_, columns_; ///< arguments of hoods
    bool news_ = false;

    std::size_t next(std::size_t at, std::string_view what) const
    {
        while (at < all_.size() && !all_[at].is(what)) ++at;
        return at;
    }
    /// Behind the bracket that closes the one at `open`.
    std::size_t behind(std::size_t open) const
    {
        int depth = 0;
        for (std::size_t i = open; i < all_.size(); ++i) {
            depth += opens(all_[i]) ? 1 : closes(all_[i]) ? -1 : 0;
            if (depth == 0) return i + 1;
        }
        return all_.size();
    }
    /// Parts between `mark`s that stand in no brackets.
    std::vector<token_stretch> parts(const token_stretch& s, std::string_view mark) const
    {
        std::vector<token_stretch> found{{s.begin, s.begin}};
        for (std::size_t i = s.begin; i < s.end; i = opens(all_[i]) ? behind(i) : i + 1) {
            if (all_[i].is(mark)) found.push_back({i + 1, i + 1});
            else found.back().end = opens(all_[i]) ? behind(i) : i + 1;
        }
        return found;
    }
    bool has(const token_stretch& s, std::string_view name) const
    {
        return std::any_of(all_.begin() + static_cast<std::ptrdiff_t>(s.begin),
                           all_.begin() + static_cast<std::ptrdiff_t>(s.end),
                           [&](const token& t) { return t.is(name); });
    }
    bool knows(const token& t, name_role role) const
    {
        const auto name = found_.names.find(t.text);
        return name != found_.names.end() && name->second == role;
    }
    bool is_variable(const token& t) const { return knows(t, name_role::patch) || knows(t, name_role::one); }
    void make_patch(const token& t)
    {
        news_ = news_ || !knows(t, name_role::patch);
        found_.names[t.text] = name_role::patch;
    }

    /// Whether what innermost loops count tells hoods' rows, and never their columns.
    bool goes_down() const
    {
        const auto counts = [&](const token_stretch& part) {
            return std::ranges::any_of(found_.loops, [&](const loop_text& l) {
                return found_.is_innermost(l) && part.begin > l.begin && part.end <= l.end && has(part, l.variable);
            });
        };
        return std::ranges::any_of(rows_, counts) && std::ranges::none_of(columns_, counts);
    }

    bool statement(std::size_t& at)
    {
        if (at >= all_.size()) return false;
        const token& t = all_[at];
        if (t.is("{")) return block(at);
        if (t.is("for")) return loop(at);
        const std::size_t begin = at, end = next(at, ";");
        if (end >= all_.size()) return false;
        at = end + 1;
        if (begin == end) return true;
        if (t.is("return")) return is_patch({begin + 1, end});
        return declares(begin) ? declaration({begin, end}) : assignment({begin, end});
    }

    bool block(std::size_t& at)
    {
        for (++at; at < all_.size() && !all_[at].is("}");)
            if (!statement(at)) return false;
        return at++ < all_.size();
    }

    bool loop(std::size_t& at)
    {
        const std::size_t begin = at, open = at + 1;
        if (open >= all_.size() || !all_[open].is("(")) return false;
        at = behind(open);
        const auto head = parts({open + 1, at - 1}, ";");
        if (head.size() != 3 || !declares(head[0].begin) || !declaration(head[0])) return false;
        const std::size_t variable = next(head[0].begin, "=") - 1;
        if (!knows(all_[variable], name_role::one) || !is_one(head[1]) || !is_one(head[2])) return false;
        if (!statement(at)) return false;
        found_.loops.push_back({begin, at, all_[variable].text});
        return true;
    }

    bool declares(std::size_t at) const
    {
        return any_of(all_[at].text, {"const", "auto", "std"}) || is_number_word(all_[at]);
    }

    /// Behind the type that begins there, which may be none.
    std::size_t behind_type(std::size_t at) const
    {
        if (all_[at].is("std") && all_[at + 1].is("::")) at += 2;
        if (all_[at].is("auto")) return at + 1;
        while (is_number_word(all_[at])) ++at;
        return at;
    }

    /// A type, and names with values. One that is a patch makes the others patches, too.
    bool declaration(const token_stretch& s)
    {
        const std::size_t type = all_[s.begin].is("const") ? s.begin + 1 : s.begin, at = behind_type(type);
        const auto names = parts({at, s.end}, ",");
        if (at == type || !std::ranges::all_of(names, [&](const token_stretch& part) { return declarator(part); }))
            return false;
        if (std::ranges::none_of(names, [&](const token_stretch& p) { return knows(all_[p.begin], name_role::patch); }))
            return true;
        for (const token_stretch& part : names) make_patch(all_[part.begin]);
        if (!all_[type].is("auto")) found_.types.push_back({type, at});
        else return names.size() == 1 && !is_one(value_of(names[0])); // it must become one by itself
        return true;
    }

    token_stretch value_of(const token_stretch& declarator) const { return {declarator.begin + 2, declarator.end}; }

    /// A name, and maybe its value.
    bool declarator(const token_stretch& s)
    {
        const token& name = all_[s.begin];
        const bool valued = s.end > s.begin + 2 && all_[s.begin + 1].is("=");
        if (!valued && s.end != s.begin + 1) return false;
        if (!name.is_identifier() || (found_.names.contains(name.text) && !is_variable(name))) return false;
        found_.names.try_emplace(name.text, name_role::one);
        if (!valued || is_one(value_of(s))) return true;
        make_patch(name);
        return is_patch(value_of(s));
    }

    bool assignment(const token_stretch& s)
    {
        if (is_one(s)) return true;
        const auto steps = [](const token& t) { return t.is("++") || t.is("--"); };
        if (s.end == s.begin + 2 && steps(all_[s.begin])) return is_variable(all_[s.begin + 1]);
        if (s.end == s.begin + 2 && steps(all_[s.begin + 1])) return is_variable(all_[s.begin]);
        const token& name = all_[s.begin];
        if (s.end < s.begin + 3 || !is_variable(name) || !is_patch({s.begin + 2, s.end})) return false;
        make_patch(name);
        return any_of(all_[s.begin + 1].text, {"=", "+=", "-=", "*=", "/=", "%="});
    }

    /// Only of what all positions share: numbers, sizes, and elements of containers.
    bool is_one(const token_stretch& s) const
    {
        for (std::size_t i = s.begin; i < s.end; ++i) {
            const token& t = all_[i];
            const bool member = i > s.begin && all_[i - 1].is(".");
            if (t.is_identifier()
                    ? !(member || is_number_word(t) || knows(t, name_role::one) || knows(t, name_role::container))
                    : any_of(t.text, {"{", "}", "::", "&"}))
                return false;
        }
        return s.end > s.begin;
    }

    /// Sums, products and the like of anything.
    bool is_patch(const token_stretch& s)
    {
        for (std::size_t i = s.begin; i < s.end;) {
            const token& t = all_[i];
            if (!t.is_identifier()) {
                if (t.kind != token_kind::number && !any_of(t.text, {"+", "-", "*", "/", "%", "(", ")"})) return false;
                ++i;
            } else if (!operand(i)) {
                return false;
            }
        }
        return s.end > s.begin;
    }

    /// An operand that begins with a name.
    bool operand(std::size_t& at)
    {
        const token &t = all_[at++], &behind_it = all_[at]; // a semicolon is behind all of them
        if (is_number_word(t)) return cast(at);
        if (t.is("static_cast")) return static_cast_of(at);
        if (is_variable(t)) return !opens(behind_it) && !behind_it.is(".");
        if (knows(t, name_role::hood)) return behind_it.is("(") && place(at);
        if (!knows(t, name_role::container)) return false;
        if (behind_it.is(".")) at += 2; // .rows()
        const std::size_t open = at;
        if (!all_[open].is("(") && !all_[open].is("[")) return false;
        at = behind(open);
        return at == open + 2 || is_one({open + 1, at - 1});
    }

    /// (type) or type(value); `at` is behind the type's first word.
    bool cast(std::size_t& at)
    {
        const std::size_t begin = at - 1;
        at = behind_type(begin);
        found_.types.push_back({begin, at});
        return all_[at].is("(") || (all_[begin - 1].is("(") && all_[at].is(")"));
    }

    /// `at` is behind the word.
    bool static_cast_of(std::size_t& at)
    {
        const std::size_t begin = at + 1;
        if (!all_[at].is("<")) return false;
        at = behind_type(begin);
        found_.types.push_back({begin, at});
        return at > begin && !all_[begin].is("auto") && all_[at++].is(">") && all_[at].is("(");
    }

    /// (row, column) of a hood.
    bool place(std::size_t& at)
    {
        const std::size_t open = at;
        at = behind(open);
        const auto places = parts({open + 1, at - 1}, ",");
        if (places.size() != 2 || !is_one(places[0]) || !is_one(places[1])) return false;
        rows_.push_back(places[0]);
        columns_.push_back(places[1]);
        return true;
    }
};

} // namespace

std::optional<lockstep_body> read_lockstep_body(std::span<const token> all, std::size_t begin,
                                                std::map<std::string_view, name_role> names)
{
    return lockstep_reader(all, std::move(names)).read(begin);
}

} // namespace skelrt::detail
