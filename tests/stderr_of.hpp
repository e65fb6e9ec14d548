// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdio>
#include <string>

#include <unistd.h>

/// What a function writes to stderr.
template <class F>
std::string stderr_of(F f)
{
    std::FILE* file = std::tmpfile();
    std::fflush(stderr);
    const int old = ::dup(STDERR_FILENO);
    ::dup2(::fileno(file), STDERR_FILENO);
    f();
    std::fflush(stderr);
    ::dup2(old, STDERR_FILENO);
    ::close(old);
    std::string text(static_cast<std::size_t>(std::ftell(file)), ' ');
    std::rewind(file);
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    return text;
}
