#include "run_cases.hpp"

int main(int argc, char** argv) { return test::run_cases(argc, argv); }
