// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/kept_text.hpp"

#include <functional>
#include <mutex>
#include <set>
#include <string>

namespace skelrt::detail
{

const char* kept_text(std::string_view text)
{
    struct texts {
        std::mutex guard;
        std::set<std::string, std::less<>> all; // a set's elements never move
    };
    static auto* const kept = new texts; // never destroyed: calls may still run while static objects go away
    const std::lock_guard lock(kept->guard);
    const auto known = kept->all.find(text);
    return (known != kept->all.end() ? known : kept->all.emplace(text).first)->c_str();
}

} // namespace skelrt::detail
