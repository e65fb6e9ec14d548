// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/cluster.hpp>

#include <cstdio>
#include <exception>
#include <initializer_list>
#include <string>

/// What the parts of the test of farms over ranks share.
namespace test
{

inline int failures = 0;

inline void wrong(const char* what, const std::string& text)
{
    ++failures;
    std::fprintf(stderr, "rank %d: %s: %s\n", skelrt::rank(), what, text.c_str());
}

inline void expect(const char* what, bool good)
{
    if (!good) wrong(what, "is not so");
}

/// `act` throws an Error that says all of these.
template <class Error = std::exception, class Do>
void expect_error(const char* what, Do act, std::initializer_list<const char*> texts)
{
    try {
        act();
        wrong(what, "no error");
    } catch (const std::exception& e) {
        bool good = dynamic_cast<const Error*>(&e) != nullptr;
        for (const char* text : texts) good = good && std::string(e.what()).find(text) != std::string::npos;
        if (!good) wrong(what, e.what());
    }
}

inline bool is_last() { return skelrt::rank() == skelrt::ranks() - 1; }

void items_are_dealt_out();
void results_of_many_types();
void results_are_passed_on();
void calls_inside_items();
void work_of_each_rank();
void errors_of_items();
void what_items_cannot_do();
void many_small_farms();

} // namespace test
