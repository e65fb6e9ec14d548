// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/skelrt.hpp>

#include <exception>
#include <initializer_list>
#include <string>

/// What was not as it should be is printed, and counted.
void wrong(const char* what, const std::string& text);

/// `act` throws an error that says all of these.
template <class Do>
void expect_error(const char* what, Do act, std::initializer_list<const char*> texts)
{
    try {
        act();
        wrong(what, "no error");
    } catch (const std::exception& e) {
        for (const char* text : texts)
            if (std::string(e.what()).find(text) == std::string::npos) wrong(what, e.what());
    }
}

void few_elements();
