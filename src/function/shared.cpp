// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/shared.hpp"

#include "src/function/own/own_operators.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace skelrt::detail
{
namespace
{

struct registered_text {
    std::string text, file, scope, expanded;
    source_facts facts;
    shared_source source;
    std::vector<token> tokens;
    std::vector<declaration> declarations;

    explicit registered_text(const function_source& from)
        : text(from.text), file(from.file), scope(from.facts->scope), expanded(from.facts->expanded), facts(*from.facts)
    {
        facts.scope = scope.c_str();
        facts.expanded = expanded.c_str();
        source = {{text.c_str(), file.c_str(), from.line, nullptr, nullptr, &facts}, {}};
    }
    registered_text(const registered_text&) = delete;
    registered_text& operator=(const registered_text&) = delete;
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
            text.tokens = tokenize(code_of(text.source));
            text.declarations = split_declarations(text.source, text.tokens);
        }
}

/// Names and operators. An operator counts as used as soon as its symbol appears anywhere.
class name_set
{
public:
    void add(std::span<const token> tokens)
    {
        for (const auto& t : tokens)
            if (t.is_identifier()) names_.emplace(t.text);
    }

    void add_operators(std::span<const token> tokens)
    {
        for (const auto& t : tokens)
            if (t.kind == token_kind::punctuation)
                names_.emplace("operator" + std::string(t.is("[") ? "[]" : t.is("(") ? "()" : t.text));
    }

    bool has(std::string_view name) const { return names_.contains(std::string(name)); }
    bool has_any(std::span<const std::string_view> names) const
    {
        return std::ranges::any_of(names, [&](std::string_view name) { return has(name); });
    }

private:
    std::set<std::string> names_;
};

/// Ours have a name where others have a file.
bool is_ours(const function_source& f)
{
    return f.facts == nullptr && std::string_view(f.file).find('.') == std::string_view::npos;
}

/// A function, or a text already taken, and the names in it.
struct viewer {
    viewpoint from;
    name_set names;
};

/// What the functions of a recipe name, each for itself; names that types and operators have, which any of it may mean.
struct uses {
    std::vector<viewer> viewers;
    name_set anywhere;
    std::vector<const void*> units; ///< the translation units of the functions; none: only ours are called

    explicit uses(const recipe& what)
    {
        for (const function_source* f : functions_in(what)) add(*f);
        for (const auto& slot : what.slots) anywhere.add(tokenize(slot.type));
        for (const auto& call : what.calls) anywhere.add(tokenize(call.result));
        anywhere.add(tokenize(what.result));
    }

    void add(const function_source& f)
    {
        const auto tokens = tokenize(code_of(f));
        name_set names;
        anywhere.add_operators(tokens);
        if (is_ours(f)) return;
        names.add(tokens);
        if (f.around != nullptr) names.add(tokenize(f.around)); // values of template parameters
        if (f.facts == nullptr) return viewers.push_back({{}, std::move(names)});
        for (unsigned k = 0; k < f.facts->signature.count; ++k) names.add(tokenize(f.facts->signature.parameters[k]));
        names.add(tokenize(f.facts->signature.result));
        viewers.push_back({viewpoint_of(f), std::move(names)});
        if (std::ranges::find(units, f.facts->unit) == units.end()) units.push_back(f.facts->unit);
    }

    bool name(const declaration& d) const
    {
        if (anywhere.has_any(d.names)) return true;
        return std::ranges::any_of(
            viewers, [&](const viewer& v) { return v.names.has_any(d.names) && sees(v.from, *d.source); });
    }
    bool has_symbol(const declaration& d) const { return anywhere.has_any(d.names); }
};

/// Whether one of the units has the text.
bool is_of(const shared_source& text, std::span<const void* const> units)
{
    return units.empty() || std::ranges::any_of(text.seen, [&](const auto& s) {
               return std::ranges::find(units, s.unit) != units.end();
           });
}

struct candidate {
    const declaration* what;
    bool taken = false;
};

/// Everything that may be needed, in order of registration.
std::vector<candidate> candidates_for(const uses& used)
{
    auto& known = all_shared();
    const std::lock_guard lock(known.mutex);
    split_new_texts(known);
    std::vector<candidate> result;
    for (const auto& text : known.texts)
        if (is_of(text.source, used.units))
            for (const auto& d : text.declarations) result.push_back({&d});
    return result;
}

/// Takes what is needed until nothing more is.
class chosen_declarations
{
public:
    /// `whole_texts`: what stands in the text of a needed declaration is needed, too, and so is what that uses.
    chosen_declarations(const recipe& what, bool whole_texts) : used_(what), candidates_(candidates_for(used_))
    {
        for (bool changed = true; changed;) {
            changed = false;
            for (auto& c : candidates_) {
                if (c.taken || !is_needed(*c.what)) continue;
                take(c);
                changed = true;
                if (!whole_texts) continue;
                for (auto& other : candidates_)
                    if (!other.taken && other.what->source == c.what->source) take(other);
            }
        }
    }

    std::vector<declaration> run() const
    {
        std::vector<declaration> result;
        for (const auto& c : candidates_)
            if (c.taken) result.push_back(*c.what);
        std::ranges::stable_sort(result, {}, [&](const declaration& d) { return place(*d.source); });
        return result;
    }

private:
    /// Translation unit by translation unit, each from its beginning.
    std::pair<std::size_t, unsigned> place(const shared_source& text) const
    {
        for (std::size_t k = 0; k < used_.units.size(); ++k)
            for (const auto& s : text.seen)
                if (s.unit == used_.units[k]) return {k, s.order};
        return {0, text.seen.front().order};
    }

    bool is_needed(const declaration& d) const
    {
        switch (d.kind) {
        case declaration_kind::operator_:
            return used_.has_symbol(d) && std::ranges::any_of(d.tokens, [&](const token& t) {
                       return t.is_identifier() && types_.has(t.text);
                   });
        case declaration_kind::assertion:
            return false;
        case declaration_kind::using_namespace:
            return d.names.empty() ? opens_needed(d) : used_.name(d);
        default:
            return used_.name(d);
        }
    }

    /// using namespace x, where something of x is needed.
    bool opens_needed(const declaration& d) const
    {
        const auto target = target_of(d);
        return std::ranges::any_of(candidates_, [&](const candidate& c) {
            return c.taken && (c.what->scope == target || c.what->scope.ends_with("::" + target));
        });
    }

    void take(candidate& c)
    {
        c.taken = true;
        const bool type = c.what->kind == declaration_kind::structure || c.what->kind == declaration_kind::enumeration;
        if (type)
            for (const auto name : c.what->names) types_.add(std::array{token{token_kind::identifier, name, 0}});
        name_set names;
        names.add(c.what->tokens);
        used_.anywhere.add_operators(c.what->tokens);
        used_.viewers.push_back({c.what->source->seen, std::move(names)});
    }

    uses used_;
    std::vector<candidate> candidates_;
    name_set types_;
};

bool may_be_repeated(declaration_kind kind)
{
    return kind == declaration_kind::using_namespace || kind == declaration_kind::assertion;
}

bool know_each_other(const shared_source& a, const shared_source& b)
{
    return std::ranges::any_of(a.seen, [&](const auto& one) {
        return std::ranges::any_of(b.seen, [&](const auto& other) { return one.unit == other.unit; });
    });
}

} // namespace

const char* code_of(const function_source& source) { return source.facts ? source.facts->expanded : source.text; }

std::string joined(std::string_view scope, std::string_view name)
{
    std::string result(scope);
    if (!scope.empty() && !name.empty()) result += "::";
    return result.append(name);
}

std::string_view enclosing(std::string_view scope)
{
    const auto end = scope.rfind("::");
    return end == std::string_view::npos ? std::string_view{} : scope.substr(0, end);
}

std::string named_type(std::string_view type)
{
    std::string result(type);
    for (const std::string_view unnamed : {"{anonymous}::", "(anonymous namespace)::", "<unnamed>::"})
        for (auto at = result.find(unnamed); at != std::string::npos; at = result.find(unnamed))
            result.erase(at, unnamed.size());
    return result;
}

/// "void app::S<int>::run(int) const::<lambda()>", "auto app::run()::(anonymous class)::operator()() const":
/// "app::S::run", "app::run".
std::string scope_of(const function_source& source)
{
    std::string scope;
    if (source.facts == nullptr) return scope;
    const auto text = named_type(source.facts->scope);
    const auto tokens = tokenize(text);
    int depth = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const token& t = tokens[i];
        if (t.is("(") || (t.is("<") && i + 1 < tokens.size() && tokens[i + 1].is("lambda")) || t.is("operator")) break;
        if (t.is("<")) ++depth;
        else if (t.is(">")) --depth;
        else if (t.is(">>")) depth -= 2;
        else if (depth == 0 && t.is_identifier()) {
            const bool goes_on = i > 0 && (tokens[i - 1].is("::") || tokens[i - 1].is(">"));
            scope = goes_on ? joined(scope, t.text) : std::string(t.text);
        }
    }
    return scope == "auto" ? "" : scope; // clang's result type, where nothing has a name
}

std::string target_of(const declaration& using_directive)
{
    std::string target;
    for (const token& t : using_directive.tokens)
        if (t.is_identifier() && !t.is("using") && !t.is("namespace")) target = joined(target, t.text);
    return target;
}

viewpoint viewpoint_of(const function_source& f)
{
    if (f.facts == nullptr) return {};
    return {{f.facts->unit, f.facts->order}};
}

bool sees(const viewpoint& from, const shared_source& text)
{
    return from.empty() || std::ranges::any_of(from, [&](const auto& v) {
               return std::ranges::any_of(text.seen,
                                          [&](const auto& s) { return s.unit == v.unit && s.order <= v.order; });
           });
}

void register_shared(const function_source& text)
{
    static const source_facts none{"", "", nullptr, 0};
    auto& known = all_shared();
    const std::lock_guard lock(known.mutex);
    function_source with_facts = text;
    source_facts facts = text.facts ? *text.facts : none;
    if (text.facts == nullptr) facts.expanded = text.text;
    with_facts.facts = &facts;
    const auto same = std::ranges::find_if(known.texts, [&](const registered_text& other) {
        return other.expanded == facts.expanded && scope_of(other.source) == scope_of(with_facts);
    });
    auto& entry = same != known.texts.end() ? *same : known.texts.emplace_back(with_facts);
    entry.source.seen.push_back({facts.unit, facts.order});
}

std::vector<declaration> declarations_for(const recipe& what) { return chosen_declarations(what, false).run(); }

std::vector<const shared_source*> shared_for(const recipe& what)
{
    std::vector<const shared_source*> result;
    for (const auto& d : chosen_declarations(what, true).run())
        if (std::ranges::find(result, d.source) == result.end()) result.push_back(d.source);
    return result;
}

std::string clash_of(const std::vector<declaration>& declarations)
{
    for (const auto& a : declarations)
        for (const auto& b : declarations) {
            if (&a >= &b || a.scope != b.scope || may_be_repeated(a.kind) || may_be_repeated(b.kind)) continue;
            for (const auto name : a.names)
                if (std::ranges::find(b.names, name) != b.names.end() && !know_each_other(*a.source, *b.source))
                    return fmt::format(
                        "the name {} has two meanings, at {}:{} and at {}:{}; give one of them another name",
                        joined(a.scope, name), a.source->file, a.source->line, b.source->file, b.source->line);
        }
    return {};
}

} // namespace skelrt::detail
