#pragma once

#include <string_view>

namespace skelrt::detail
{

template <class T>
constexpr std::string_view raw_type_text()
{
    return __PRETTY_FUNCTION__;
}

/// The unqualified C++ name of T as the compiler spells it: "float", "long unsigned int", "cplx".
/// Device code has no namespaces of the user's, so the qualification goes.
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
    std::string_view name = text.substr(before, text.size() - before - tail);
    const std::size_t colon = name.rfind("::");
    if (colon != std::string_view::npos && name.find('<') == std::string_view::npos) name.remove_prefix(colon + 2);
    return name;
}

} // namespace skelrt::detail
