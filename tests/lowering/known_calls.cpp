#include "src/lowering/known_calls.hpp"

#include <catch2/catch.hpp>

#include <array>

namespace
{

using namespace skelrt;
using namespace skelrt::detail;

/// A map of one value, on so many elements.
class map_of_value
{
public:
    explicit map_of_value(std::size_t elements)
    {
        site_.what.id = 3;
        site_.what.slots.resize(1);
        call_.site = &site_;
        call_.rows = 1;
        call_.cols = elements;
        call_.operands = operands_.data();
    }
    const call& get() const { return call_; }

private:
    call_site site_;
    std::array<operand, 1> operands_{};
    call call_;
};

const device_choice anywhere{device_set(device::cpu) | device_set(device::cuda)}, cores{device_set(device::cpu)};

decision to_device(unsigned number)
{
    decision d;
    d.device = number;
    return d;
}

/// How many calls in a row need no planning.
int calls_that_repeat(known_calls& all, const map_of_value& m, device_choice may_use)
{
    int n = 0;
    while (n < 10000 && all.find(m.get(), may_use)) ++n;
    return n;
}

} // namespace

TEST_CASE("a short call's decision holds for longer each time that it comes out again", "[known_calls]")
{
    known_calls all;
    const map_of_value m(1000);
    CHECK(calls_that_repeat(all, m, anywhere) == 0);
    for (const int calls : {63, 126, 252, 504, 504}) {
        all.remember(m.get(), anywhere, to_device(1));
        CHECK(calls_that_repeat(all, m, anywhere) == calls);
    }
    all.remember(m.get(), anywhere, to_device(0)); // it changed
    CHECK(calls_that_repeat(all, m, anywhere) == 63);
    all.forget();
    CHECK(calls_that_repeat(all, m, anywhere) == 0);
}

TEST_CASE("decisions of several shapes hold beside each other; the ninth takes the place of the first", "[known_calls]")
{
    known_calls all;
    std::array<map_of_value, 9> sizes{map_of_value(1), map_of_value(2), map_of_value(3),
                                      map_of_value(4), map_of_value(5), map_of_value(6),
                                      map_of_value(7), map_of_value(8), map_of_value(9)};
    for (unsigned i = 0; i < 8; ++i) all.remember(sizes[i].get(), anywhere, to_device(i));
    for (unsigned i = 0; i < 8; ++i) {
        const decision* const d = all.find(sizes[i].get(), anywhere);
        REQUIRE(d);
        CHECK(d->device == i);
        CHECK_FALSE(all.find(sizes[i].get(), cores));
    }
    const decision* const second = all.find(sizes[1].get(), anywhere);
    all.remember(sizes[8].get(), anywhere, to_device(8));
    CHECK(second->device == 1); // stays where it is while it is followed
    CHECK_FALSE(all.find(sizes[0].get(), anywhere));
    REQUIRE(all.find(sizes[8].get(), anywhere));
    all.remember(sizes[0].get(), cores, to_device(0));
    CHECK_FALSE(all.find(sizes[1].get(), anywhere));
    CHECK(all.find(sizes[0].get(), cores));
}
