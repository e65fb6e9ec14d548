// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/recipe_key.hpp"

#include "src/function/own/own_operators.hpp"
#include "src/function/shared.hpp"
#include "src/function/signature.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <iterator>
#include <string>

namespace skelrt::detail
{

namespace
{

/// Everything ends in a character that none of it has: no two recipes give one text.
class text_of_key
{
public:
    template <class... Values>
    void add(const Values&... values)
    {
        (fmt::format_to(std::back_inserter(text_), "{}\n", values), ...);
    }
    void add(const argument& a) { add(static_cast<int>(a.kind), a.which); }
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

/// Namespaces say nothing of the work: keys are made without them.
std::string_view unqualified(std::string_view type)
{
    const auto colon = type.rfind("::");
    return colon == std::string_view::npos || type.find('<') != std::string_view::npos ? type : type.substr(colon + 2);
}

/// One text may mean several functions: in templates, under other aliases.
void add_function(text_of_key& to, const function_source& f)
{
    const std::string code = calling_by_name(code_of(f), f, [](std::size_t) { return "operator"; });
    const auto tokens = tokenize(code);
    to.add(code);
    for (const bound_name& b : bound_names(f, tokens)) to.add(b.name, b.type, b.value);
    for (const own_operator* called : operators_of(f)) add_function(to, *called->source);
}

void add_functions(text_of_key& to, const recipe& r)
{
    for (const function_call& f : r.calls) {
        to.add("call");
        add_function(to, *f.function);
        to.add(unqualified(f.result), f.result_size);
        for (const argument& a : f.arguments) to.add(a);
    }
    to.add("root");
    to.add(r.root);
    if (r.combine) {
        to.add("combine");
        add_function(to, *r.combine);
    }
    if (r.scale) to.add("scale");
    // What two functions of equal text call may differ.
    for (const declaration& d : declarations_for(r)) {
        to.add("shared");
        for (const token& t : d.tokens) to.add(t.text);
    }
}

void add_stencil(text_of_key& to, const recipe& r)
{
    const stencil_shape& s = r.stencil;
    to.add("stencil", s.rank, s.down, static_cast<int>(s.border), s.cross);
    for (int axis = 0; axis < 3; ++axis) to.add(s.before[axis], s.after[axis]);
    for (const hood_map& m : r.hood_maps) to.add("map", m.first, m.slot, m.first_call, m.call);
}

} // namespace

std::uint64_t key_of(const recipe& r)
{
    text_of_key all;
    all.add(static_cast<int>(r.kind), r.exclusive, unqualified(r.result), r.result_size);
    for (const slot_type& s : r.slots) all.add("slot", static_cast<int>(s.kind), unqualified(s.type), s.size);
    for (const result_member& m : r.members) all.add("member", m.slot, m.offset);
    add_functions(all, r);
    if (r.stencil.rank > 0) add_stencil(all, r);
    if (r.has_edges) all.add("edges");
    if (r.keeps_others) all.add("others");
    for (const slot_type& s : r.slots)
        if (s.rule != accumulate_rule::add) all.add("rule", static_cast<int>(s.rule));
    return XXH3_64bits(all.text().data(), all.text().size());
}

} // namespace skelrt::detail
