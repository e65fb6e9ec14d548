// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/error.hpp>

#include <string>

/// What a call says that must fail, when it is made or waited for. Other errors go on to the test.
template <class Error = skelrt::error, class Call>
std::string message_of(Call call)
{
    try {
        call();
    } catch (const Error& e) {
        return e.what();
    }
    return "no error";
}
