// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/own/row_sum.hpp"

#include <string_view>

namespace skelrt::detail
{
namespace
{

bool is_product(const function_call& f)
{
    constexpr std::size_t arguments = 5; // as detail::times_row and times_rows of include/skelrt/algorithms/csr.hpp
    return f.function->facts == nullptr && std::string_view{f.function->file} == "sk::csr" &&
           f.arguments.size() == arguments && f.result != "bool" && f.result.find("complex") == std::string::npos;
}

/// Nothing: an operand is no container as it is.
std::optional<row_sum> sum_of(const recipe& what, std::size_t call)
{
    const auto& a = what.calls[call].arguments;
    for (std::size_t i = 1; i < a.size(); ++i)
        if (a[i].kind != argument_kind::slot) return {};
    const auto kind = [&](std::size_t i) { return what.slots[a[i].which].kind; };
    for (const std::size_t i : {1, 2, 3})
        if (kind(i) != slot_kind::vec) return {};
    const bool matrix = a[0].kind == argument_kind::index2;
    if (kind(4) != (matrix ? slot_kind::mat : slot_kind::vec)) return {};
    return row_sum{call, a[1].which, a[2].which, a[3].which, a[4].which, matrix};
}

} // namespace

std::optional<row_sum> row_sum_of(const recipe& what)
{
    if (what.kind != skeleton::map) return {};
    std::optional<row_sum> found;
    for (std::size_t i = 0; i < what.calls.size(); ++i) {
        if (!is_product(what.calls[i])) continue;
        if (found) return {};
        found = sum_of(what, i);
        if (!found) return {};
    }
    return found;
}

} // namespace skelrt::detail
