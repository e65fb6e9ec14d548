#include "program.hpp"

#include "error.hpp"

#include <cstdio>
#include <exception>

#include <fmt/format.h>

namespace apps
{

int run_program(const std::string& name, const std::function<int()>& body)
{
    try {
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
