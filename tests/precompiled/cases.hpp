// SPDX-License-Identifier: BSD-3-Clause
// What every case includes, parsed once. Each still includes what it uses: -Db_pch=false builds without this.
#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>
