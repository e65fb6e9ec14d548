// SPDX-License-Identifier: BSD-3-Clause
/// Farms whose items are dealt out to ranks: farms, under mpirun. Exit code 0 if all is as it should be.

#include "check.hpp"

#include <skelrt/runtime.hpp>

int main()
{
    const skelrt::runtime rt;
    test::items_are_dealt_out();
    test::results_of_many_types();
    test::results_are_passed_on();
    test::calls_inside_items();
    test::work_of_each_rank();
    test::errors_of_items();
    test::what_items_cannot_do();
    test::many_small_farms();
    return test::failures > 0 ? 1 : 0;
}
