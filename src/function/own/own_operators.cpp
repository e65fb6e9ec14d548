// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/own/own_operators.hpp"

#include "src/function/kept_text.hpp"

#include <skelrt/algorithms/detail/own_function.hpp>
#include <skelrt/detail/call.hpp>

#include <algorithm>
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

/// Calls f(begin, end, number) for each word in a text.
template <class F>
void for_each_word(std::string_view text, const F& f)
{
    std::size_t end = 0;
    for (auto begin = text.find(prefix); begin != std::string_view::npos; begin = text.find(prefix, end)) {
        const auto digits = begin + prefix.size();
        end = std::min(text.find_first_not_of("0123456789", digits), text.size());
        if (end > digits) f(begin, end, std::stoul(std::string(text.substr(digits, end - digits))));
    }
}

/// A word of its own for each operator: two texts that differ in nothing else must not be taken for one.
std::string add_operator(const own_operator& op)
{
    known_operators& operators = known();
    const std::lock_guard lock(operators.guard);
    operators.all.push_back(op);
    return std::string(prefix) + std::to_string(operators.all.size() - 1);
}

/// The numbers of a function's words, each once; of a user's function there are none.
std::vector<std::size_t> words_in(const function_source& f)
{
    std::vector<std::size_t> numbers;
    if (f.facts != nullptr) return numbers;
    for_each_word(f.text, [&](std::size_t, std::size_t, std::size_t number) {
        if (std::ranges::find(numbers, number) == numbers.end()) numbers.push_back(number);
    });
    return numbers;
}

} // namespace

std::vector<const own_operator*> operators_of(const function_source& f)
{
    std::vector<const own_operator*> called;
    known_operators& operators = known();
    const std::lock_guard lock(operators.guard);
    for (const std::size_t number : words_in(f))
        if (number < operators.all.size()) called.push_back(&operators.all[number]);
    return called;
}

std::string calling_by_name(std::string code, const function_source& f,
                            const std::function<std::string(std::size_t)>& name)
{
    const std::vector<std::size_t> words = words_in(f);
    if (words.empty()) return code;
    std::string result;
    std::size_t done = 0;
    for_each_word(code, [&](std::size_t begin, std::size_t end, std::size_t number) {
        const auto at = std::ranges::find(words, number);
        result += code.substr(done, begin - done) + name(static_cast<std::size_t>(at - words.begin()));
        done = end;
    });
    return result + code.substr(done);
}

std::vector<const function_source*> functions_in(const recipe& what)
{
    std::vector<const function_source*> all;
    const auto add = [&](const function_source* f) {
        for (const own_operator* called : operators_of(*f)) all.push_back(called->source);
        all.push_back(f);
    };
    for (const function_call& call : what.calls) add(call.function);
    if (what.combine != nullptr) add(what.combine);
    if (what.scale != nullptr) add(what.scale);
    return all;
}

std::string word_for(const function_source& op, std::string_view type)
{
    const std::string_view kept = kept_text(type);
    return add_operator({&op, kept, kept, kept});
}

const char* text_with_operator(std::string_view text, const function_source& op, std::string_view first,
                               std::string_view second)
{
    const std::string word = add_operator({&op, kept_text(first), kept_text(second), "bool"});
    std::string whole(text);
    for (auto at = whole.find(placeholder); at != std::string::npos; at = whole.find(placeholder, at + word.size()))
        whole.replace(at, placeholder.size(), word);
    return text_with_types(whole, {first, second});
}

} // namespace skelrt::detail
