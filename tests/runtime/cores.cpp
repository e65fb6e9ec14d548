// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/cores/cores.hpp"

#include <catch2/catch.hpp>

/// Who has which core: as data.

using namespace skelrt::detail;

namespace
{

core_set set_of(std::initializer_list<int> cores)
{
    core_set s;
    for (int c : cores) s.add(c);
    return s;
}

/// So many cores, all free.
struct cores_of : core_book {
    explicit cores_of(int n) { reset(n); }
};

} // namespace

TEST_CASE("a set of cores counts them, also beyond a word", "[cores]")
{
    const core_set s = set_of({0, 3, 63, 64, 200, 255});
    REQUIRE(s.count() == 6);
    REQUIRE(s.count_below(0) == 0);
    REQUIRE(s.count_below(3) == 1);
    REQUIRE(s.count_below(64) == 3);
    REQUIRE(s.count_below(65) == 4);
    REQUIRE(s.count_below(255) == 5);
    REQUIRE((s.has(200) && !s.has(201)));
}

TEST_CASE("a region takes what is free", "[cores]")
{
    const int n = GENERATE(1, 5, 64, 65, 200);
    cores_of book(n);
    REQUIRE(book.all().count() == n);
    REQUIRE(book.take(n - 1));
    const core_set region = book.take_free();
    REQUIRE(region.count() == n - 1);
    REQUIRE_FALSE(region.has(n - 1));
    REQUIRE(book.take_free() == core_set{});
    REQUIRE_FALSE(book.give_back(region));
    book.give_back(n - 1);
    REQUIRE(book.take_free() == book.all());
}

TEST_CASE("a core that is wanted goes to nobody else", "[cores]")
{
    cores_of book(3);
    const core_set region = book.take_free();
    REQUIRE_FALSE(book.take(1));
    REQUIRE(book.give_back(region)); // somebody waits for one of them
    REQUIRE(book.take_free() == set_of({0, 2}));
    REQUIRE(book.take(1));
    REQUIRE_FALSE(book.give_back(set_of({0, 2})));
    book.give_back(1);
    REQUIRE(book.take_free() == book.all()); // it was wanted once
}

TEST_CASE("who no longer wants a core leaves it to others", "[cores]")
{
    cores_of book(2);
    const core_set region = book.take_free();
    REQUIRE_FALSE(book.take(0));
    book.forget(0);
    REQUIRE_FALSE(book.give_back(region));
    REQUIRE(book.take_free() == book.all());
}

TEST_CASE("a thread takes the last core that nobody has or wants, and wants none", "[cores]")
{
    const int n = GENERATE(3, 64, 65, 200);
    cores_of book(n);
    REQUIRE(book.count_free() == n);
    REQUIRE(book.take_last_free() == n - 1);
    REQUIRE_FALSE(book.take(n - 1)); // whose worker waits from now on
    REQUIRE(book.is_wanted(n - 1));
    REQUIRE(book.take_last_free() == n - 2);
    REQUIRE_FALSE(book.try_take(n - 2));
    REQUIRE_FALSE(book.is_wanted(n - 2));
    REQUIRE(book.count_free() == n - 2);
    REQUIRE(book.take_free().count() == n - 2);
    REQUIRE(book.take_last_free() == -1);
    REQUIRE(book.count_free() == 0);
    book.give_back(n - 1);
    REQUIRE_FALSE(book.try_take(n - 1)); // the worker comes next
    REQUIRE(book.take_last_free() == -1);
    REQUIRE(book.take(n - 1));
    book.give_back(n - 1);
    REQUIRE(book.try_take(n - 1));
}

TEST_CASE("a region has what threads do not hold", "[cores]")
{
    cores_of book(5);
    REQUIRE(book.try_take(2));
    REQUIRE(book.take_last_free() == 4);
    const core_set region = book.take_free();
    REQUIRE(region == set_of({0, 1, 3}));
    book.give_back(2);
    REQUIRE(book.take_free() == set_of({2}));
}

TEST_CASE("whoever holds a core hears that its worker waits, which gets it next", "[cores]")
{
    core_use use;
    use.reset(3);
    REQUIRE(use.take_last_free() == 2);
    REQUIRE_FALSE(use.is_wanted(2));
    REQUIRE_FALSE(use.take(2));
    REQUIRE(use.is_wanted(2));
    use.give_back(2);
    use.await(2); // comes back at once
    REQUIRE_FALSE(use.try_take(2));
    REQUIRE(use.take(2));
    REQUIRE_FALSE(use.is_wanted(2));
    use.leave(2);
    REQUIRE(use.count_free() == 3);
}

namespace
{

core_guests::ticks at(int time) { return core_guests::ticks{} + std::chrono::microseconds(1000 + time); }

} // namespace

TEST_CASE("a guest is on its core until its lease ends", "[cores]")
{
    const int core = GENERATE(0, 1, 63, 64, 255);
    core_guests guests;
    REQUIRE_FALSE(guests.may_be());
    core_guests::lease mine;
    guests.stay(mine, core, at(10));
    REQUIRE((guests.may_be() && guests.may_be_on(core)));
    REQUIRE(guests.is_on(core, at(9)));
    REQUIRE_FALSE(guests.is_on(core, at(10)));
    REQUIRE(guests.all(at(9)) == set_of({core}));
    guests.stay(mine, core, at(20)); // renewed
    REQUIRE(guests.all(at(19)) == set_of({core}));
    REQUIRE(guests.all(at(20)) == core_set{});
    REQUIRE_FALSE(guests.may_be()); // nobody reads the clock any more
    guests.stay(mine, core, at(30));
    REQUIRE(guests.all(at(25)) == set_of({core}));
    guests.reset();
    REQUIRE_FALSE(guests.may_be());
}

TEST_CASE("a guest that moves or goes leaves nothing behind, and others where they are", "[cores]")
{
    core_guests guests;
    core_guests::lease mine, other;
    guests.stay(mine, 3, at(10));
    guests.stay(other, 70, at(10));
    REQUIRE(guests.all(at(0)) == set_of({3, 70}));
    guests.stay(mine, 5, at(20));
    REQUIRE(guests.all(at(0)) == set_of({5, 70}));
    guests.stay(other, 5, at(30)); // the last one's counts
    REQUIRE(guests.all(at(0)) == set_of({5}));
    guests.go(mine);
    guests.go(mine);
    REQUIRE(guests.all(at(0)) == set_of({5}));
    guests.go(other);
    REQUIRE(guests.all(at(0)) == core_set{});
    guests.go(other);
    REQUIRE_FALSE(guests.may_be());
}

TEST_CASE("a region takes what is free but for guests' cores, which are no less free", "[cores]")
{
    cores_of book(4);
    REQUIRE(book.take(0));
    REQUIRE(book.take_free(set_of({2})) == set_of({1, 3}));
    REQUIRE(book.count_free() == 1);
    REQUIRE(book.take(2));
}

TEST_CASE("a worker has its core until it leaves it, however often it asks", "[cores]")
{
    core_use use;
    use.reset(2);
    REQUIRE(use.take(0));
    REQUIRE(use.take(0));
    const core_set region = use.take_free();
    REQUIRE(region == set_of({1}));
    REQUIRE_FALSE(use.take(1));
    REQUIRE(use.waits_for(1));
    use.give_back(region);
    use.await(1); // comes back at once
    REQUIRE(use.take(1));
    REQUIRE_FALSE(use.waits_for(1));
    use.leave(1);
    use.leave(0);
    REQUIRE(use.take_free() == use.all());
}
