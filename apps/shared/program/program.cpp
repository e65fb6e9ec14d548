// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include "error.hpp"

#include <skelrt/cluster.hpp>

#include <cstdio>
#include <exception>

#include <fmt/format.h>

namespace apps
{
namespace
{

/// All ranks compute the same, so one of them says it.
void leave_output_to_first_rank()
{
    if (skelrt::rank() > 0 && !std::freopen("/dev/null", "w", stdout)) throw input_error("/dev/null: cannot be opened");
}

} // namespace

int run_program(const std::string& name, const std::function<int()>& body)
{
    try {
        leave_output_to_first_rank();
        return body();
    } catch (const input_error& e) {
        fmt::print(stderr, "{}: {}\n", name, e.what());
        return wrong_input;
    } catch (const std::exception& e) {
        fmt::print(stderr, "{}: {}\n", name, e.what());
        return failed;
    }
}

} // namespace apps
