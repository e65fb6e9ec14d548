// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/managed.hpp"

#include <catch2/catch.hpp>

#include <stdexcept>
#include <string>

using skelrt::detail::fault_log;

namespace
{

/// The log says of each error that nobody reads it: they are read here.
std::string told(const std::exception_ptr& what)
{
    try {
        if (what) skelrt::detail::throw_noted(what);
    } catch (const std::runtime_error& e) {
        return e.what();
    }
    return "none";
}

void fail(fault_log& log, std::uint64_t call)
{
    log.add(call, std::make_exception_ptr(std::runtime_error(std::to_string(call))));
}

} // namespace

TEST_CASE("a container keeps the errors of the oldest calls, in whatever order they fail", "[faults]")
{
    fault_log log;
    CHECK(log.empty());
    CHECK(told(log.find(0, 1000)) == "none");
    for (std::uint64_t call = 200; call > 100; --call) fail(log, call);
    for (std::uint64_t call = 201; call < 400; ++call) fail(log, call);
    CHECK(!log.empty());
    CHECK(log.size() == fault_log::most);
    CHECK(told(log.find(0, 101)) == "none");
    CHECK(told(log.find(0, 1000)) == "101");
    CHECK(told(log.find(105, 1000)) == "105");
    for (std::uint64_t call = 101; call <= 116; ++call) CHECK(told(log.find(call, call + 1)) == std::to_string(call));
}
