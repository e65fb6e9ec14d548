// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// What `skelrt doctor` says: one finding a line.
namespace skelrt::tool::doctor
{

enum class verdict : std::uint8_t {
    ok,
    warning, ///< programs run, but slower than they might, or not as somebody may have meant it
    wrong,   ///< programs meet an error, or do not get what was asked for
};

struct finding {
    verdict is;
    std::string about, what;
    std::string way_out; ///< empty: nothing to be done, as all is well
    friend bool operator==(const finding&, const finding&) = default;
};
using findings = std::vector<finding>;

inline finding fine(std::string about, std::string what)
{
    return {verdict::ok, std::move(about), std::move(what), {}};
}
inline finding warn(std::string about, std::string what, std::string way_out)
{
    return {verdict::warning, std::move(about), std::move(what), std::move(way_out)};
}
inline finding wrong(std::string about, std::string what, std::string way_out)
{
    return {verdict::wrong, std::move(about), std::move(what), std::move(way_out)};
}

/// For checks that give several.
inline void add(findings& to, findings more)
{
    for (finding& f : more) to.push_back(std::move(f));
}

} // namespace skelrt::tool::doctor
