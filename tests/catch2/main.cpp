// SPDX-License-Identifier: BSD-3-Clause
#include "run_cases.hpp"

int main(int argc, char** argv) { return test::run_cases(argc, argv); }
