// SPDX-License-Identifier: BSD-3-Clause
// What tests of the library's inside include, parsed once. Nothing of ours: they open namespaces in which all of its
// names would be too many.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
