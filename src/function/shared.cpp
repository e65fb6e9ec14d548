#include "shared.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <mutex>
#include <set>
#include <string>

namespace skelrt::detail
{
namespace
{

struct registered_text {
    function_source source;
    std::vector<token> tokens;
    std::vector<declaration> declarations;
};

/// A deque: its elements never move, so declarations may point into them.
struct registry {
    std::mutex mutex;
    std::deque<registered_text> texts;
};

/// Never destroyed: calls may still run while static objects go away.
registry& all_shared()
{
    static auto* const instance = new registry;
    return *instance;
}

/// Splitting waits until somebody asks: static initialisers should cost a program without GPUs nothing.
void split_new_texts(registry& known)
{
    for (auto& text : known.texts)
        if (text.tokens.empty()) {
            text.tokens = tokenize(text.source.text);
            text.declarations = split_declarations(text.source, text.tokens);
        }
}

bool is_source_file(std::string_view file)
{
    constexpr std::array<std::string_view, 6> endings{".cpp", ".cc", ".cxx", ".c", ".cu", ".C"};
    return std::ranges::any_of(endings, [&](std::string_view ending) { return file.ends_with(ending); });
}

/// Names used so far. An operator counts as used as soon as its symbol appears anywhere.
class name_set
{
public:
    void add(std::span<const token> tokens)
    {
        for (const auto& t : tokens) {
            if (t.is_identifier()) names_.emplace(t.text);
            else if (t.kind == token_kind::punctuation)
                names_.emplace("operator" + std::string(t.is("[") ? "[]" : t.is("(") ? "()" : t.text));
        }
    }

    bool has(std::string_view name) const { return names_.contains(std::string(name)); }
    bool has_any(std::span<const std::string_view> names) const
    {
        return std::ranges::any_of(names, [&](std::string_view name) { return has(name); });
    }

private:
    std::set<std::string> names_;
};

/// Calls `visit` for every user function of the recipe.
template <typename Visitor>
void for_each_function(const recipe& what, Visitor visit)
{
    for (const auto& call : what.calls) visit(*call.function);
    if (what.combine != nullptr) visit(*what.combine);
}

name_set names_of(const recipe& what)
{
    name_set names;
    for_each_function(what, [&](const function_source& f) { names.add(tokenize(f.text)); });
    for (const auto& slot : what.slots) names.add(tokenize(slot.type));
    for (const auto& call : what.calls) names.add(tokenize(call.result));
    names.add(tokenize(what.result));
    return names;
}

/// The source file in which the call stands; empty when all of its functions come from headers.
std::string_view main_file_of(const recipe& what)
{
    std::string_view file;
    for_each_function(what, [&](const function_source& f) {
        if (file.empty() && is_source_file(f.file)) file = f.file;
    });
    return file;
}

/// No translation unit sees what another source file has written.
bool visible(const function_source& text, std::string_view main_file)
{
    return main_file.empty() || !is_source_file(text.file) || main_file == text.file;
}

/// Without a main file, the same text in two source files must not be defined twice.
bool repeats(const std::deque<registered_text>& texts, const registered_text& text, std::string_view main_file)
{
    const auto same = [&](const registered_text& other) {
        return std::string_view(other.source.text) == text.source.text && visible(other.source, main_file);
    };
    return std::ranges::find_if(texts, same) != std::ranges::find(texts, &text, [](const auto& t) { return &t; });
}

/// An operator is needed when its symbol is used and one of the user's types in its text is.
bool operator_is_needed(const declaration& d, const name_set& used, const name_set& needed_types)
{
    return used.has_any(d.names) &&
           std::ranges::any_of(d.tokens, [&](const token& t) { return t.is_identifier() && needed_types.has(t.text); });
}

bool is_needed(const declaration& d, const name_set& used, const name_set& needed_types)
{
    switch (d.kind) {
    case declaration_kind::operator_:
        return operator_is_needed(d, used, needed_types);
    case declaration_kind::assertion:
        return false;
    default:
        return used.has_any(d.names);
    }
}

struct candidate {
    const declaration* what;
    bool taken = false;
};

/// Everything that may be needed, in order of registration.
std::vector<candidate> candidates_for(const recipe& what)
{
    auto& known = all_shared();
    const std::lock_guard lock(known.mutex);
    split_new_texts(known);
    const auto file = main_file_of(what);
    std::vector<candidate> result;
    for (const auto& text : known.texts)
        if (visible(text.source, file) && !repeats(known.texts, text, file))
            for (const auto& d : text.declarations) result.push_back({&d});
    return result;
}

/// `whole_texts`: what stands in the text of a needed declaration is needed, too, and so is what that uses.
std::vector<declaration> needed_for(const recipe& what, bool whole_texts)
{
    auto candidates = candidates_for(what);
    auto used = names_of(what);
    name_set types;
    const auto take = [&](candidate& c) {
        c.taken = true;
        used.add(c.what->tokens);
        if (c.what->kind == declaration_kind::structure || c.what->kind == declaration_kind::enumeration)
            for (const auto name : c.what->names) types.add(std::array{token{token_kind::identifier, name, 0}});
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (auto& c : candidates) {
            if (c.taken || !is_needed(*c.what, used, types)) continue;
            take(c);
            changed = true;
            if (!whole_texts) continue;
            for (auto& other : candidates)
                if (!other.taken && other.what->source == c.what->source) take(other);
        }
    }
    std::vector<declaration> result;
    for (const auto& c : candidates)
        if (c.taken) result.push_back(*c.what);
    return result;
}

} // namespace

void register_shared(const function_source& text)
{
    auto& known = all_shared();
    const std::lock_guard lock(known.mutex);
    const auto same = [&](const registered_text& other) {
        return std::string_view(other.source.text) == text.text &&
               (std::string_view(other.source.file) == text.file || !is_source_file(text.file));
    };
    if (std::ranges::none_of(known.texts, same)) known.texts.push_back({text, {}, {}});
}

std::vector<declaration> declarations_for(const recipe& what) { return needed_for(what, false); }

std::vector<function_source> shared_for(const recipe& what)
{
    std::vector<function_source> result;
    const function_source* last = nullptr;
    for (const auto& d : needed_for(what, true)) {
        if (d.source != last) result.push_back(*d.source);
        last = d.source;
    }
    return result;
}

} // namespace skelrt::detail
