// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/files/array_header.hpp"

#include "tests/message_of.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

using namespace skelrt::detail;

namespace
{

using extents = std::vector<std::size_t>;

/// As later versions have it: four bytes of length.
std::string with_version(char version, const std::string& dictionary)
{
    const std::string length{static_cast<char>(dictionary.size()), 0, 0, 0};
    return "\x93NUMPY" + std::string{version, 0} + (version == 1 ? length.substr(0, 2) : length) + dictionary;
}

array_header parsed(const std::string& dictionary) { return parse_header(with_version(1, dictionary)); }
std::string refusal(const std::string& dictionary)
{
    return message_of([&] { parsed(dictionary); });
}

} // namespace

TEST_CASE("A header is NumPy's, byte for byte")
{
    const std::string blanks(60, ' ');
    // numpy.save(file, numpy.zeros((3, 4), 'f4')), NumPy 2.4
    const std::string wanted = std::string("\x93NUMPY\x01\x00v\x00", 10) +
                               "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }" + blanks.substr(0, 58) +
                               "\n";
    CHECK(header_text({'f', 4}, extents{3, 4}) == wanted);
    CHECK(header_text({'b', 1}, extents{0}).find("'descr': '|b1', 'fortran_order': False, 'shape': (0,), }") == 11);
}

TEST_CASE("Elements begin at multiples of 64 bytes, and a header is read as it was written")
{
    for (std::size_t axes = 1; axes <= 4; ++axes)
        for (std::size_t extent = 0; extent < 10'000'000'000'000; extent = extent * 7 + 1)
            for (const stored_element e : {stored_element{'f', 8}, stored_element{'i', 1}, stored_element{'u', 2}}) {
                const extents all(axes, extent);
                const std::string text = header_text(e, all);
                REQUIRE(text.size() % 64 == 0);
                REQUIRE(elements_at(text.substr(0, preamble_bytes)) == text.size());
                const array_header h = parse_header(text);
                REQUIRE(h.element == e);
                REQUIRE(h.extents == all);
            }
}

TEST_CASE("Headers of other writers are read")
{
    for (const char version : {1, 2, 3}) {
        const std::string text =
            with_version(version, "{\"x\": 1, 'shape' : ( 2,3 ) ,'fortran_order':False,'descr':'<i8'}\n");
        CHECK(elements_at(text.substr(0, preamble_bytes)) == text.size());
        const array_header h = parse_header(text);
        CHECK(h.element == stored_element{'i', 8});
        CHECK(h.extents == extents{2, 3});
    }
    CHECK(parsed("{'descr': '<f4', 'fortran_order': True, 'shape': (7,), }").extents == extents{7}); // one axis
    CHECK(parsed("{'descr': '<f4', 'fortran_order': False, 'shape': (), }").extents.empty());
}

TEST_CASE("What cannot be read is refused with the way out")
{
    using Catch::Contains;
    CHECK_THAT(refusal("{'descr': '>f4', 'fortran_order': False, 'shape': (7,), }"), Contains("astype('<f4')"));
    CHECK_THAT(refusal("{'descr': '<f4', 'fortran_order': True, 'shape': (7, 2), }"), Contains("ascontiguousarray"));
    CHECK_THAT(refusal("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (7,), }"), Contains("structs"));
    CHECK_THAT(refusal("{'descr': 'O', 'fortran_order': False, 'shape': (7,), }"), Contains("type O"));
    CHECK_THAT(refusal("{'descr': '<f4', 'fortran_order': False, 'shape': (-7,), }"), Contains("no such extents"));
    CHECK_THAT(refusal("{'descr': '<f4', 'fortran_order': False}"), Contains("has no 'shape'"));
    CHECK_THAT(refusal("{'descr' '<f4', 'shape': (7,), 'fortran_order': False"), Contains("no value for 'descr'"));
    CHECK_THAT(refusal("{'descr': '<f4', 'fortran_order': False, 'shape': (7"), Contains("no extents"));
    CHECK_THAT(message_of([] { elements_at("PK\x03\x04 and more"); }), Contains("numpy.save"));
    CHECK_THAT(message_of([] { elements_at(""); }), Contains("numpy.save"));
    CHECK_THAT(message_of([] { elements_at(with_version(4, "").substr(0, preamble_bytes)); }), Contains("version 4"));
}
