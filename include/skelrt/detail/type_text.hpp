// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace skelrt::detail
{

template <class T>
constexpr std::string_view raw_type_text()
{
    return __PRETTY_FUNCTION__;
}

/// The qualified C++ name of T as the compiler spells it: "float", "long unsigned int", "app::cplx".
template <class T>
constexpr std::string_view type_text()
{
    // The text around the name is the same for every T; learn its lengths from one that we know.
    constexpr std::string_view probe = raw_type_text<double>();
    constexpr std::size_t before = probe.find("double");
    constexpr std::size_t after = probe.find_first_of(";]", before);
    constexpr std::string_view text = raw_type_text<T>();
    constexpr std::size_t tail = probe.size() - after;
    // gcc appends "; std::string_view = ..." whose length does not depend on T.
    return text.substr(before, text.size() - before - tail);
}

} // namespace skelrt::detail
