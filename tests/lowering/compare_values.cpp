// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/checks/compare_values.hpp"

#include <skelrt/detail/value_bytes.hpp>

#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

using namespace skelrt::detail;

namespace
{

template <class T>
const std::byte* bytes(const T& v)
{
    return reinterpret_cast<const std::byte*>(&v);
}

template <class T>
bool same(const char* name, T host, T device, double magnitude = 0)
{
    return alike(value_type_of(name, sizeof(T), alignof(T)), bytes(host), bytes(device), {magnitude});
}

constexpr float no_number = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();

} // namespace

TEST_CASE("integers are equal or not", "[values]")
{
    REQUIRE(same("int", 7, 7));
    REQUIRE_FALSE(same("int", 7, 8));
    REQUIRE_FALSE(same("int", 1 << 30, (1 << 30) + 1));
    REQUIRE_FALSE(same("long unsigned int", ~0ul, ~0ul - 1));
    REQUIRE_FALSE(same<unsigned char>("bool", 1, 0));
    enum class color { red, green };
    REQUIRE_FALSE(same("color", color::red, color::green));
}

TEST_CASE("floating point is equal within some roundings", "[values]")
{
    REQUIRE(same("float", 1.0f, 1.0f + 3e-7f));
    REQUIRE_FALSE(same("float", 1.0f, 1.001f));
    REQUIRE(same("double", 1.0, 1.0 + 1e-15));
    REQUIRE_FALSE(same("double", 1.0, 1.0 + 1e-7)); // computed in float
    REQUIRE(same("float", 1e-39f, 0.0f));           // devices may have no such small numbers
    REQUIRE_FALSE(same("float", 1e-30f, 0.0f));
    REQUIRE(same("float", 1e-5f, 0.0f, 1000.0)); // of operands of that size, a sum of nothing
    REQUIRE_FALSE(same("float", 1.0f, 0.0f, 1000.0));
}

TEST_CASE("a double that was computed of floats is as good as they are", "[values]")
{
    const value_type t = value_type_of("double", 8, 8);
    const double host = 1, device = 1 + 1e-7, far = 1.001;
    origins from;
    add_form(from, t);
    add_form(from, value_type_of("long unsigned int", 8, 8));
    REQUIRE_FALSE(alike(t, bytes(host), bytes(device), from));
    add_form(from, value_type_of("float", 4, 4));
    add_form(from, t);
    REQUIRE(alike(t, bytes(host), bytes(device), from));
    REQUIRE_FALSE(alike(t, bytes(host), bytes(far), from));
}

TEST_CASE("NaN is NaN, and infinity is infinity", "[values]")
{
    REQUIRE(same("float", no_number, -no_number));
    REQUIRE_FALSE(same("float", no_number, 1.0f));
    REQUIRE(same("float", infinity, infinity));
    REQUIRE_FALSE(same("float", infinity, -infinity));
    REQUIRE_FALSE(same("float", infinity, 1e30f));
}

TEST_CASE("structs are compared word by word", "[values]")
{
    struct best {
        float value;
        int at;
    };
    REQUIRE(same("best", best{1, 3}, best{1.0000001f, 3}));
    REQUIRE_FALSE(same("best", best{1, 3}, best{1, 4}));
    REQUIRE_FALSE(same("best", best{1, 3}, best{2, 3}));
    struct wide {
        double value;
        int a, b;
    };
    REQUIRE(same("wide", wide{1, 2, 3}, wide{1 + 1e-15, 2, 3}));
    REQUIRE_FALSE(same("wide", wide{1, 2, 3}, wide{1, 2, 4}));
    REQUIRE_FALSE(same("wide", wide{1, -2, 3}, wide{1, -3, 3}));
}

TEST_CASE("what several reductions compute in is compared member by member", "[values]")
{
    struct values {
        float low, high;
        double sum;
        short count;
        std::byte gap[6]; // written by nobody
    };
    const char* const name = "skelrt::one_pass::values4<float, float, double, short int>";
    values a{1, 2, 3, 4, {}}, b = a;
    b.high = std::nextafter(2.0f, 3.0f); // as half of a double with `low` it would be far off
    b.sum = std::nextafter(3.0, 4.0);
    b.gap[3] = std::byte{7};
    REQUIRE(same(name, a, b));
    b.count = 5;
    REQUIRE_FALSE(same(name, a, b));
    const value_type t = value_type_of(name, sizeof a, alignof(values));
    REQUIRE(t.parts.size() == 4);
    REQUIRE(t.parts[3].offset == 16);
    REQUIRE(value_type_of("skelrt::one_pass::values2<app::cplx, int>", 12, 4).parts.empty());
}

TEST_CASE("structs of ours in structs of ours are compared number by number", "[values]")
{
    struct indexed {
        float value;
        std::byte gap[4]; // written by nobody
        unsigned long index;
    };
    struct values {
        float min, max;
        unsigned long count;
        double mean, m2;
        indexed at;
    };
    const char* const name =
        "skelrt::one_pass::values3<skelrt::minmax_result<float>, skelrt::moments, skelrt::indexed<float> >";
    values a{1, 2, 3, 4, 5, {6, {}, 7}}, b = a;
    b.at.gap[1] = std::byte{9};
    REQUIRE(same(name, a, b));
    b.at.index = 8;
    REQUIRE_FALSE(same(name, a, b));
    const value_type t = value_type_of(name, sizeof a, alignof(values));
    REQUIRE(t.parts.size() == 7);
    REQUIRE(t.parts[6].offset == offsetof(values, at) + 8);
    REQUIRE(value_type_of("skelrt::indexed<app::cplx>", 16, 8).parts.empty());
}

TEST_CASE("padding of users' structs is not compared", "[values]")
{
    struct inner {
        int number;
        unsigned char letter;
    };
    struct outer {
        inner first;
        double mean;
        short last;
    };
    const auto mixed = [](const auto& host, const auto& device) {
        using T = std::decay_t<decltype(host)>;
        const value_type t = value_type_of("app::any", sizeof(T), alignof(T), value_bytes<T>());
        return alike(t, bytes(host), bytes(device));
    };
    const auto with = [](auto v, std::size_t at, unsigned char byte) {
        reinterpret_cast<unsigned char*>(&v)[at] = byte;
        return v;
    };
    inner i;
    std::memset(&i, 0, sizeof i);
    i.number = 14, i.letter = 1;
    for (std::size_t at = 0; at < sizeof i; ++at) REQUIRE(mixed(i, with(i, at, 0x7f)) == (at > 4));
    outer o;
    std::memset(&o, 0, sizeof o);
    o.first = i, o.mean = 0.1, o.last = 3;
    for (std::size_t at : {5, 7, 18, 23}) REQUIRE(mixed(o, with(o, at, 0x7f)));
    for (std::size_t at : {0, 4, 14, 15, 16, 17}) REQUIRE_FALSE(mixed(o, with(o, at, 0x7f)));
    outer near = o;
    near.mean = std::nextafter(0.1, 1.0);
    REQUIRE(mixed(o, near));
    REQUIRE(value_bytes<int>() == nullptr);
    REQUIRE(value_bytes<std::array<int, 3>>() == nullptr);
}

TEST_CASE("half precision", "[values]")
{
    const auto half = [](std::uint16_t a, std::uint16_t b) { return same("_Float16", a, b); };
    REQUIRE(half(0x3c00, 0x3c01)); // 1 and the next
    REQUIRE_FALSE(half(0x3c00, 0x4000));
    REQUIRE(value_text(value_type_of("_Float16", 2, 2), bytes(std::uint16_t{0x3e00})) == "1.5");
}

TEST_CASE("what a function makes of moved operands explains a difference, or does not", "[values]")
{
    const value_type t = value_type_of("float", 4, 4);
    const float host = 1, near = 1.5f, far = 9, a = 0.9f, b = 1.1f, gone = no_number;
    const std::array others{bytes(a), bytes(b)}, edge{bytes(a), bytes(gone)}, none{bytes(host), bytes(host)};
    REQUIRE(explained(t, bytes(host), bytes(near), others));
    REQUIRE_FALSE(explained(t, bytes(host), bytes(far), others));
    REQUIRE_FALSE(explained(t, bytes(host), bytes(near), none)); // nothing moved it
    REQUIRE(explained(t, bytes(host), bytes(far), edge));
    const value_type i = value_type_of("int", 4, 4);
    const int three = 3, four = 4, nine = 90;
    const std::array counts{bytes(three), bytes(four)};
    REQUIRE(explained(i, bytes(three), bytes(four), counts));
    REQUIRE_FALSE(explained(i, bytes(three), bytes(nine), counts));
}

TEST_CASE("operands are moved by some units in the last place, integers are not", "[values]")
{
    std::array<float, 3> v{1, -2, 0.5f};
    const std::array<float, 3> before = v;
    for (unsigned p = 0; p < nudge_patterns; ++p) {
        v = before;
        REQUIRE(nudge(value_type_of("float", 4, 4), reinterpret_cast<std::byte*>(v.data()), v.size(), p));
        for (std::size_t k = 0; k < v.size(); ++k) {
            REQUIRE(v[k] != before[k]);
            REQUIRE(std::abs(v[k] - before[k]) < 1e-6f);
        }
    }
    int n = 1234567;
    REQUIRE_FALSE(nudge(value_type_of("int", 4, 4), reinterpret_cast<std::byte*>(&n), 1, 0));
    REQUIRE(n == 1234567);
    REQUIRE(magnitude_of(value_type_of("float", 4, 4), bytes(before), 3) == 2);
    REQUIRE(value_text(value_type_of("long int", 8, 8), bytes(-5l)) == "-5");
}
