// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace skelrt::detail
{

/// A place in the user's program, for messages. As std::source_location, which clang++ 14 does not have; as a default
/// argument `caller where = caller::here()` it is the line of the call, the same for g++ and clang++.
struct caller {
    const char* file = "";
    int line = 0; ///< 0: unknown
    static constexpr caller here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) noexcept
    {
        return {file, line};
    }
};

} // namespace skelrt::detail
