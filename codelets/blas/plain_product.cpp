// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/blas/plain_product.hpp"

#include "src/function/shared.hpp"
#include "src/function/tokens.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

namespace skelrt::detail::blas
{
namespace
{

using words = std::span<const token>;

/// A product's numbers by their C++ names.
struct named_numbers {
    std::string_view side, result;
    numbers what;
};
constexpr named_numbers all_numbers[] = {
    {"float", "float", numbers::floats},
    {"double", "double", numbers::doubles},
    {"std::complex<float>", "std::complex<float>", numbers::complex_floats},
    {"std::complex<double>", "std::complex<double>", numbers::complex_doubles},
    {"sk::half", "float", numbers::halves},
    {"sk::bfloat16", "float", numbers::bfloat16s},
};

/// Whether values are computed with as what they are, or, of short numbers, as the floats that these count as: the
/// parameter's type is auto, the type's own word, or what the host's compiler says that it is.
bool has_type(const function_source& f, std::size_t parameter, words written, std::string_view side,
              std::string_view result)
{
    if (written.size() == 1 && written[0].is("auto")) return true;
    const auto fits = [&](std::string_view name) { return name == side || name == result; };
    if (f.facts && f.facts->signature.count == 2) return fits(f.facts->signature.parameters[parameter]);
    return written.size() == 1 && is_floating(result) && fits(written[0].text);
}

bool follow(words body, std::string_view a, std::string_view op, std::string_view b)
{
    const std::string_view all[] = {")", "{", "return", a, op, b, ";", "}"};
    return std::ranges::equal(body, all, [](const token& t, std::string_view word) { return t.is(word); });
}

/// Whether a function's text is "(T a, T b) { return a op b; }", or with b in front. Around these words nothing can
/// change what they mean.
bool reads_as(const function_source& f, std::string_view op, std::string_view side, std::string_view result)
{
    const std::vector<token> all = tokenize(code_of(f));
    constexpr std::size_t body = 8;
    if (all.size() < body + 6 || !all[0].is("(")) return false;
    const words t(all), parameters = t.subspan(1, t.size() - body - 1), rest = t.last(body);
    const auto comma = std::ranges::find_if(parameters, [](const token& one) { return one.is(","); });
    const auto left = static_cast<std::size_t>(comma - parameters.begin());
    if (left < 2 || left + 3 > parameters.size()) return false;
    const words first = parameters.first(left), second = parameters.subspan(left + 1);
    const token &x = first.back(), &y = second.back();
    return x.is_identifier() && y.is_identifier() && x.text != y.text &&
           has_type(f, 0, first.first(left - 1), side, result) &&
           has_type(f, 1, second.first(second.size() - 1), side, result) &&
           (follow(rest, x.text, op, y.text) || follow(rest, y.text, op, x.text));
}

/// The same; each text is read once a thread. Texts, facts and names of types live as long as the process.
bool is_operator(const function_source& f, std::string_view op, std::string_view side, std::string_view result)
{
    using question = std::tuple<const char*, const source_facts*, std::string_view, std::string_view, std::string_view>;
    static thread_local std::map<question, bool> known;
    const question asked{code_of(f), f.facts, op, side, result};
    const auto found = known.find(asked);
    return found != known.end() ? found->second : known.emplace(asked, reads_as(f, op, side, result)).first->second;
}

bool is_side(const recipe& what, const argument& a, std::string_view type)
{
    if (a.kind != argument_kind::slot) return false;
    const slot_type& s = what.slots[a.which];
    return (s.kind == slot_kind::row_vec || s.kind == slot_kind::column_vec) && s.type == type;
}

bool is_product_of(const recipe& what, const named_numbers& n)
{
    const function_call& zip = what.calls[0];
    const auto side = [&](const argument& a) { return is_side(what, a, n.side); };
    return what.result == n.result && zip.result == n.result && std::ranges::all_of(zip.arguments, side) &&
           is_operator(*zip.function, "*", n.side, n.result) && is_operator(*what.combine, "+", n.result, n.result);
}

bool is_vector_product_of(const recipe& what, const named_numbers& n)
{
    const function_call& zip = what.calls[0];
    const auto has = [&](slot_kind kind) {
        return std::ranges::any_of(zip.arguments, [&](const argument& a) {
            return a.kind == argument_kind::slot && what.slots[a.which].kind == kind &&
                   what.slots[a.which].type == n.side;
        });
    };
    const bool by_row = what.kind == skeleton::reduce_rows;
    return what.result == n.result && zip.result == n.result && has(slot_kind::element) &&
           has(by_row ? slot_kind::column_element : slot_kind::row_element) &&
           is_operator(*zip.function, "*", n.side, n.result) && is_operator(*what.combine, "+", n.result, n.result);
}

} // namespace

std::optional<numbers> numbers_of(std::string_view side, std::string_view result)
{
    for (const named_numbers& n : all_numbers)
        if (n.side == side && n.result == result) return n.what;
    return {};
}

std::optional<numbers> plain_product_of(const recipe& what)
{
    const std::size_t factors = what.scale ? 2 : 0;
    if (what.kind != skeleton::all_pairs || what.calls.size() != 1 || what.slots.size() != 3 + factors || !what.combine)
        return {};
    if (what.calls[0].arguments.size() != 2) return {};
    for (const named_numbers& n : all_numbers)
        if (is_product_of(what, n)) return n.what;
    return {};
}

std::optional<numbers> vector_product_of(const recipe& what)
{
    if (what.kind != skeleton::reduce_rows && what.kind != skeleton::reduce_columns) return {};
    if (what.calls.size() != 1 || what.slots.size() != 2 || what.root.kind != argument_kind::call) return {};
    if (what.calls[0].arguments.size() != 2) return {};
    for (const named_numbers& n : all_numbers)
        if (is_vector_product_of(what, n)) return n.what;
    return {};
}

std::optional<numbers> product_of(const recipe& what)
{
    return what.kind == skeleton::all_pairs ? plain_product_of(what) : vector_product_of(what);
}

} // namespace skelrt::detail::blas
