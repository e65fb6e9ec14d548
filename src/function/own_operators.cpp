// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/own_operators.hpp"

#include "src/function/kept_text.hpp"

#include <skelrt/algorithms/detail/own_function.hpp>
#include <skelrt/detail/call.hpp>

#include <deque>
#include <mutex>
#include <utility>

namespace skelrt::detail
{
namespace
{

constexpr std::string_view placeholder = "$op";
constexpr std::string_view prefix = "skelrt_operator"; ///< of words; their number follows

struct known_operators {
    std::mutex guard;
    std::deque<own_operator> all; // a deque's elements never move
};

known_operators& known()
{
    static auto* const instance = new known_operators; // never destroyed: calls may still run while static objects go
    return *instance;
}

std::string replaced(std::string_view text, std::string_view what, std::string_view with)
{
    std::string result(text);
    for (auto at = result.find(what); at != std::string::npos; at = result.find(what, at + with.size()))
        result.replace(at, what.size(), with);
    return result;
}

/// The word in a text; empty: there is none.
std::string_view word_in(std::string_view text)
{
    const auto begin = text.find(prefix);
    if (begin == std::string_view::npos) return {};
    const auto end = text.find_first_not_of("0123456789", begin + prefix.size());
    return text.substr(begin, end - begin);
}

/// A word of its own for each operator: two texts that differ in nothing else must not be taken for one.
std::string add_operator(const own_operator& op)
{
    known_operators& operators = known();
    const std::lock_guard lock(operators.guard);
    operators.all.push_back(op);
    return std::string(prefix) + std::to_string(operators.all.size() - 1);
}

} // namespace

const own_operator* operator_of(const function_source& f)
{
    if (f.facts != nullptr) return nullptr;
    const std::string_view word = word_in(f.text);
    if (word.size() <= prefix.size()) return nullptr;
    const std::size_t number = std::stoul(std::string(word.substr(prefix.size())));
    known_operators& operators = known();
    const std::lock_guard lock(operators.guard);
    return number < operators.all.size() ? &operators.all[number] : nullptr;
}

std::string calling_by_name(std::string code, const function_source& f, std::string_view name)
{
    return operator_of(f) != nullptr ? replaced(code, word_in(f.text), name) : std::move(code);
}

std::vector<const function_source*> functions_in(const recipe& what)
{
    std::vector<const function_source*> all;
    for (const function_call& call : what.calls) {
        if (const own_operator* called = operator_of(*call.function)) all.push_back(called->source);
        all.push_back(call.function);
    }
    if (what.combine != nullptr) all.push_back(what.combine);
    return all;
}

const char* text_with_operator(std::string_view text, const function_source& op, std::string_view first,
                               std::string_view second)
{
    const std::string word = add_operator({&op, kept_text(first), kept_text(second)});
    return text_with_types(replaced(text, placeholder, word), {first, second});
}

} // namespace skelrt::detail
