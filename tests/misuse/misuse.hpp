// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace sk = skelrt;
using Catch::Contains;

/// Sets an environment variable for the time of a case.
class with_variable
{
public:
    with_variable(const char* name, const char* value) : name_(name)
    {
        if (const char* old = std::getenv(name)) old_ = old;
        ::setenv(name, value, 1);
    }
    with_variable(const with_variable&) = delete;
    with_variable& operator=(const with_variable&) = delete;
    ~with_variable()
    {
        if (old_) ::setenv(name_, old_->c_str(), 1);
        else ::unsetenv(name_);
    }

private:
    const char* name_;
    std::optional<std::string> old_;
};

template <class Container>
auto values(const Container& x)
{
    const auto h = sk::host_read(x);
    return std::vector<typename Container::value_type>(h.begin(), h.end());
}

inline const auto twice = sk::map(SKELRT_FN((int a) { return 2 * a; }));
inline const auto add = sk::map(SKELRT_FN((int a, int b) { return a + b; }));
inline const auto sum = sk::reduce(sk::plus, 0);
