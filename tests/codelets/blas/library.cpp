// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/blas/library.hpp"

#include <catch2/catch.hpp>

using namespace skelrt::detail::blas;

TEST_CASE("a library that is not there says so", "[blas]")
{
    library none({"libnobody-has-this.so.0", "libnor-this.so.1"});
    CHECK(none.missing().find("libnobody-has-this.so.0") != std::string::npos);
    int (*function)() = [] { return 3; };
    none.find(function, "cblas_sgemm");
    CHECK(function == nullptr);
    CHECK(none.look_for("cblas_sgemm") == nullptr);
    CHECK(library({"libm.so.6"}, "/nowhere").missing().find("/nowhere/libm.so.6") != std::string::npos);
}

TEST_CASE("a function that a library has not is missed, the second of its names is found", "[blas]")
{
    library lib({"libnobody-has-this.so.0", "libm.so.6"}, "");
    CHECK(lib.missing().empty());
    double (*cosine)(double) = nullptr;
    lib.find(cosine, "cos");
    REQUIRE(cosine);
    CHECK(cosine(0) == 1);
    CHECK(lib.missing().empty());
    lib.find(cosine, "cosine_of_nobody");
    CHECK(cosine == nullptr);
    CHECK(lib.missing().find("cosine_of_nobody") != std::string::npos);
}
