#include "src/model/link.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace skelrt::detail;

TEST_CASE("a link brings at least what calls saw it bring, but for one of them", "[link]")
{
    forget_links();
    CHECK(seen_rate(3) == 0);
    note_copies(3, 100e6, 2000); // 50 GB/s
    CHECK(seen_rate(3) == 0);
    note_copies(3, 40e6, 1000);
    CHECK(seen_rate(3) == 40e3);
    note_copies(3, 45e6, 1000);
    CHECK(seen_rate(3) == 45e3);
    note_copies(3, 1e6, 1000); // waited for something else
    CHECK(seen_rate(3) == 45e3);
    CHECK(seen_rate(4) == 0);
}

TEST_CASE("what makes no sense teaches nothing of links", "[link]")
{
    forget_links();
    for (const int worker : {-1, 0, 511, 512, 1 << 30})
        for (const double us : {0.0, -1.0, std::nan("")}) {
            note_copies(worker, 1e6, us);
            note_copies(worker, us, 1e3);
            note_copies(worker, us, 1e3);
            CHECK(seen_rate(worker) == 0);
        }
}
