// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/opencl/rewriter.hpp"

#include <algorithm>
#include <set>

namespace skelrt::detail::opencl
{

std::string flat_name(std::string_view qualified)
{
    std::string name(qualified);
    for (auto at = name.find("::"); at != std::string::npos; at = name.find("::")) name.replace(at, 2, "__");
    return name + "__";
}

std::string written_name(const type& of)
{
    std::string name = of.text;
    if (!name.ends_with("__")) return name;
    name.resize(name.size() - 2);
    for (auto at = name.find("__"); at != std::string::npos; at = name.find("__")) name.replace(at, 2, "::");
    return name;
}

/// app::detail::name
rewriter::path rewriter::take_path()
{
    path p;
    p.from_global = accept("::");
    while (is_identifier() && is("::", 1)) {
        p.qualifier = joined(p.qualifier, take());
        ++at_;
    }
    if (!is_identifier()) refuse("'::' without a name");
    p.name = take();
    return p;
}

/// A qualified name if somebody visible declares it, behind using-declarations.
std::string rewriter::declared_as(const std::string& qualified) const
{
    const auto found = unit_.declared.find(qualified);
    if (found == unit_.declared.end()) return {};
    if (std::ranges::none_of(found->second, [&](const shared_source* s) { return sees(from_, *s); })) return {};
    const auto other = unit_.stands_for.find(qualified);
    return other != unit_.stands_for.end() ? other->second : qualified;
}

/// In one namespace, and in those that it uses.
std::string rewriter::lookup_in(std::string_view scope, const std::string& what) const
{
    if (auto found = declared_as(joined(scope, what)); !found.empty()) return found;
    for (const auto& o : unit_.opened) {
        if (o.scope != scope || !sees(from_, *o.from)) continue;
        for (std::string_view around = scope;; around = enclosing(around)) {
            if (auto found = declared_as(joined(around, joined(o.target, what))); !found.empty()) return found;
            if (around.empty()) break;
        }
    }
    return {};
}

/// As C++ does: from the innermost namespace outwards. Empty: nothing of SKELRT_SHARED.
std::string rewriter::lookup(const path& what) const
{
    const auto whole = what.whole();
    if (what.from_global) return lookup_in("", whole);
    if (what.qualifier.empty())
        if (const auto local = renamed_.find(what.name); local != renamed_.end()) return local->second;
    for (std::string_view scope = scope_;; scope = enclosing(scope)) {
        if (auto found = lookup_in(scope, whole); !found.empty()) return found;
        if (scope.empty()) break;
    }
    for (const auto& target : opened_)
        for (std::string_view scope = scope_;; scope = enclosing(scope)) {
            if (auto found = lookup_in(joined(scope, target), whole); !found.empty()) return found;
            if (scope.empty()) break;
        }
    return found_otherwise(what);
}

/// The host's compiler has found the name by way of a using-declaration outside of SKELRT_SHARED, or by the types of a
/// call's arguments. It is the only one of that name which is visible, or nobody knows which.
std::string rewriter::found_otherwise(const path& what) const
{
    if (!what.qualifier.empty() || math_function(what.name)) return {};
    const std::string ending = "::" + std::string(what.name);
    std::set<std::string> all;
    for (const auto& [name, texts] : unit_.declared)
        if (name.ends_with(ending))
            if (auto found = declared_as(name); !found.empty()) all.insert(std::move(found));
    return all.size() == 1 ? *all.begin() : std::string{};
}

/// The user's name that comes next, qualified; empty: it is nobody's in SKELRT_SHARED.
std::string rewriter::name_ahead()
{
    const auto begin = at_;
    auto found = lookup(take_path());
    at_ = begin;
    return found;
}

/// Where a name is that was not found: for messages.
std::string rewriter::elsewhere(const path& what) const
{
    for (const auto& [name, texts] : unit_.declared) {
        if (name != what.whole() && !name.ends_with("::" + what.whole())) continue;
        const auto& at = *texts.front();
        return " that it sees (there is " + name + " at " + at.file + ":" + std::to_string(at.line) + ")";
    }
    return {};
}

/// From now on somebody declares it.
std::string rewriter::declare_name(std::string_view name)
{
    auto qualified = joined(scope_, name);
    unit_.declared[qualified].push_back(declaring_);
    return qualified;
}

std::optional<type> rewriter::type_called(const std::string& name)
{
    const auto tokens = tokenize(name);
    const function_source nowhere{"", "", 0};
    return rewriter(unit_, nowhere, tokens, {}).whole_type();
}

/// Aliases and template parameters that only the host's compiler knows.
void rewriter::bind_known_names()
{
    for (const auto& b : bound_names(source_, {tokens_.begin(), tokens_.end()})) {
        binding known;
        const auto of = b.hidden() ? std::nullopt : type_called(b.type);
        if (b.hidden()) {
            known.refusal = "the template parameter " + b.name +
                            ", whose value is known to the host's compiler only; pass it as an argument";
        } else if (!of) {
            known.refusal = "the type " + b.type + ", which is neither a number nor in a SKELRT_SHARED";
        } else {
            known.of = *of;
            known.names_type = b.value.empty();
        }
        if (of && !known.names_type) {
            const auto value = b.value + ";";
            const auto tokens = tokenize(value);
            known.text = "((" + of->text + ")(" + rewriter(unit_, source_, tokens, {}).expression(";") + "))";
        }
        bind(b.name, std::move(known));
    }
}

/// using namespace x; using x::y;
void rewriter::using_declaration()
{
    const bool local = declaring_ == nullptr || scopes_.size() > 1;
    if (accept("namespace")) {
        const auto target = take_path().whole();
        expect(";");
        if (local) opened_.push_back(target);
        else unit_.opened.push_back({scope_, target, declaring_});
        return;
    }
    const auto what = take_path();
    expect(";");
    const auto found = lookup(what);
    if (found.empty()) return; // of the standard library, or never used
    if (local) renamed_[std::string(what.name)] = found;
    else unit_.stands_for[declare_name(what.name)] = found;
}

/// An alias, or a struct's name in its namespace.
void rewriter::name_type(std::string_view name, const type& of)
{
    const bool local = declaring_ == nullptr || scopes_.size() > 1;
    if (!local) unit_.types[declare_name(name)] = of;
    else bind(std::string(name), {.text = "", .of = of, .names_type = true});
}

/// What the host's compiler says of a parameter of a function.
std::optional<type> rewriter::known_parameter(unsigned number)
{
    if (declaring_ != nullptr || source_.facts == nullptr) return std::nullopt;
    const auto& known = source_.facts->signature;
    if (known.parameters == nullptr || !head_.plain || head_.parameters.size() != known.count || number >= known.count)
        return std::nullopt;
    auto name = named_type(known.parameters[number]);
    if (name.ends_with("&")) name.pop_back();
    return type_called(name);
}

} // namespace skelrt::detail::opencl
