// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include "../message_of.hpp"

#include <complex>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

using namespace test;

namespace
{

template <class T>
std::vector<sk::triplet<T>> random_entries(std::size_t rows, std::size_t columns, std::size_t count)
{
    std::mt19937 random(23);
    std::vector<sk::triplet<T>> all;
    for (std::size_t k = 0; k < count && rows * columns > 0; ++k) // places come again
        all.push_back({random() % rows, random() % columns, static_cast<T>(random() % 10)});
    return all;
}

template <class T>
std::vector<T> product(std::size_t rows, const std::vector<sk::triplet<T>>& entries, const std::vector<T>& x)
{
    std::vector<T> y(rows, 0);
    for (const auto& e : entries) y[e.row] += e.value * x[e.column];
    return y;
}

/// None of them comes again, so that each row has as many entries.
template <class T>
std::vector<sk::triplet<T>> entries_of(const std::vector<std::size_t>& lengths, std::size_t columns)
{
    std::vector<sk::triplet<T>> all;
    for (std::size_t r = 0; r < lengths.size(); ++r)
        for (std::size_t k = 0; k < lengths[r]; ++k)
            all.push_back({r, (r * 17 + k) % columns, static_cast<T>(1 + (r + k) % 3)});
    return all;
}

template <class T>
std::vector<T> small_numbers(std::size_t n, unsigned below)
{
    return expected(n, [&](std::size_t i) { return static_cast<T>((i * 7 + 3) % below); });
}

/// How many entries each row has: none; as many everywhere; few rows have most. Rows of more than 4096 are cut.
std::vector<std::vector<std::size_t>> rows_of_all_kinds()
{
    std::vector<std::size_t> even(1009, 16), few_long(4099, 1), power_law(4099);
    for (std::size_t r = 100; r < 110; ++r) few_long[r] = 9000;
    for (std::size_t r = 0; r < power_law.size(); ++r) power_law[r] = 9000 / (1 + (r * 1009) % power_law.size());
    return {std::vector<std::size_t>(5000, 0), {10'000}, even, few_long, power_law};
}

/// A file that goes when the case ends; every rank has its own.
class temporary_file
{
public:
    explicit temporary_file(const std::string& text)
    {
        static int number = 0;
        const auto own = std::to_string(getpid()) + "_" + std::to_string(number++) + ".mtx";
        name_ = (std::filesystem::temp_directory_path() / ("skelrt_" + own)).string();
        std::ofstream(name_) << text;
    }
    ~temporary_file() { std::filesystem::remove(name_); }
    const std::string& name() const { return name_; }

private:
    std::string name_;
};

} // namespace

TEMPLATE_TEST_CASE("products of sparse matrices with vectors", "[csr]", float, double, int)
{
    const auto [rows, columns, count] = GENERATE(table<std::size_t, std::size_t, std::size_t>(
        {{0, 5, 0}, {5, 0, 0}, {1, 1, 1}, {7, 3, 0}, {61, 1009, 400}, {1009, 61, 5000}, {10'007, 10'007, 100'003}}));
    CAPTURE(rows, columns, count);
    const auto entries = random_entries<TestType>(rows, columns, count);
    const sk::csr<TestType> a(rows, columns, entries);
    REQUIRE(a.rows() == rows);
    REQUIRE(a.columns() == columns);
    REQUIRE(a.entries() <= entries.size());
    const auto x = numbers<TestType>(columns);
    const sk::vector<TestType> y = a * vector_of(x);
    check_equal(y, product(rows, entries, x));
    const auto twice = sk::map(SKELRT_FN((TestType v) { return TestType(2 * v); }));
    const sk::vector<TestType> z = twice(a * twice(vector_of(x))); // in one kernel, but for the vector
    auto want = product(rows, entries, x);
    for (TestType& v : want) v *= 4;
    check_equal(z, want);
}

TEMPLATE_TEST_CASE("products of sparse matrices with matrices", "[csr]", float, int)
{
    const auto [rows, columns, count] = GENERATE(table<std::size_t, std::size_t, std::size_t>(
        {{0, 5, 0}, {5, 0, 0}, {1, 1, 1}, {61, 1009, 400}, {1009, 61, 5000}}));
    const std::size_t vectors = GENERATE(0, 1, 7, 64);
    CAPTURE(rows, columns, count, vectors);
    const auto entries = random_entries<TestType>(rows, columns, count);
    const sk::csr<TestType> a(rows, columns, entries);
    const auto numbers_of_x = numbers<TestType>(columns * vectors);
    sk::matrix<TestType> x(columns, vectors);
    if (!numbers_of_x.empty()) std::copy(numbers_of_x.begin(), numbers_of_x.end(), sk::host_write(x).begin());
    const sk::matrix<TestType> y = a * x;
    REQUIRE(y.rows() == rows);
    REQUIRE(y.cols() == vectors);
    std::vector<TestType> want(rows * vectors, 0);
    for (const auto& e : entries)
        for (std::size_t c = 0; c < vectors; ++c)
            want[e.row * vectors + c] += e.value * numbers_of_x[e.column * vectors + c];
    const auto found = sk::host_read(y);
    CHECK(std::vector<TestType>(found.begin(), found.end()) == want);
    if (rows == 0 || vectors == 0) return;
    sk::vector<TestType> by_row = sk::reduce(sk::plus, TestType(0)).by_row(a * x); // in one kernel
    std::vector<TestType> sums(rows, 0);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < vectors; ++c) sums[r] += want[r * vectors + c];
    check_equal(by_row, sums);
}

TEMPLATE_TEST_CASE("products of sparse matrices whose rows are of all lengths", "[csr]", float, double, int)
{
    const std::vector<std::size_t> lengths = GENERATE(from_range(rows_of_all_kinds()));
    const std::size_t rows = lengths.size(), columns = 10'007;
    CAPTURE(rows, lengths.front());
    const auto entries = entries_of<TestType>(lengths, columns);
    const sk::csr<TestType> a(rows, columns, entries);
    REQUIRE(a.entries() == entries.size());
    const auto x = small_numbers<TestType>(columns, 5), z = small_numbers<TestType>(rows, 3);
    const auto want = product(rows, entries, x);
    const sk::vector<TestType> y = a * vector_of(x);
    check_equal(y, want);
    const sk::vector<TestType> fused = 2 * (a * vector_of(x)) + vector_of(z); // in one kernel
    check_equal(fused, expected(rows, [&](std::size_t i) { return TestType(2 * want[i] + z[i]); }));
    const sk::vector<TestType> both = a * vector_of(x) + a * vector_of(x); // two products in one kernel
    check_equal(both, expected(rows, [&](std::size_t i) { return TestType(2 * want[i]); }));

    const std::size_t vectors = GENERATE(3, 20);
    const auto numbers_of_x = small_numbers<TestType>(columns * vectors, 5);
    const sk::matrix<TestType> block = a * sk::matrix<TestType>(columns, vectors, numbers_of_x.begin());
    std::vector<TestType> wanted(rows * vectors, 0);
    for (const auto& e : entries)
        for (std::size_t c = 0; c < vectors; ++c)
            wanted[e.row * vectors + c] += e.value * numbers_of_x[e.column * vectors + c];
    const auto found = sk::host_read(block);
    CHECK(std::vector<TestType>(found.begin(), found.end()) == wanted);
}

TEMPLATE_TEST_CASE("sparse matrices of compressed rows, and their transposes", "[csr]", float, int,
                   std::complex<double>)
{
    using T = TestType;
    const std::vector<std::size_t> lengths = GENERATE(from_range(rows_of_all_kinds()));
    const std::size_t rows = lengths.size(), columns = 10'007;
    CAPTURE(rows, lengths.front());
    std::vector<int> begin{0}, column;
    std::vector<T> value;
    std::vector<sk::triplet<T>> entries, transposed;
    for (const auto& e : entries_of<int>(lengths, columns)) {
        begin.resize(e.row + 1, static_cast<int>(column.size()));
        column.push_back(static_cast<int>(e.column));
        value.push_back(T(e.value));
        if constexpr (!std::is_arithmetic_v<T>) value.back() = T(e.value, static_cast<int>(e.row % 3) - 1);
        entries.push_back({e.row, e.column, value.back()});
        transposed.push_back({e.column, e.row, value.back()});
    }
    begin.resize(rows + 1, static_cast<int>(column.size()));
    const sk::csr<T> a(rows, columns, begin, column, value);
    REQUIRE(a.rows() == rows);
    REQUIRE(a.entries() == value.size());
    const auto x = expected(columns, [](std::size_t i) { return T(static_cast<int>((i * 7 + 3) % 5)); });
    const auto z = expected(rows, [](std::size_t i) { return T(static_cast<int>((i * 7 + 3) % 3)); });
    check_equal(sk::vector<T>(a * vector_of(x)), product(rows, entries, x));
    const sk::csr<T> at = sk::transpose(a);
    REQUIRE(at.rows() == columns);
    REQUIRE(at.columns() == rows);
    check_equal(sk::vector<T>(at * vector_of(z)), product(columns, transposed, z));
    // What it has is what it was made of, as vectors of ours, too.
    const sk::csr<T> same(rows, columns, a.row_begin(), a.column(), a.value());
    check_equal(sk::vector<T>(T(2) * (same * vector_of(x))),
                expected(rows, [&, want = product(rows, entries, x)](std::size_t i) { return T(2) * want[i]; }));
}

TEST_CASE("a sparse matrix of complex numbers times a matrix", "[csr]")
{
    using complex = std::complex<float>;
    const sk::csr<complex> a(2, 3, {{0, 2, {0, 1}}, {1, 0, {2, 0}}, {0, 2, {1, 0}}});
    const sk::matrix<complex> x(3, 2, std::vector<complex>{{1, 0}, {0, 1}, {0, 0}, {0, 0}, {3, 0}, {0, 2}}.begin());
    check_equal(sk::matrix<complex>(a * x), std::vector<complex>{{3, 3}, {-2, 2}, {2, 0}, {0, 2}});
}

TEST_CASE("a file of the Matrix Market", "[csr]")
{
    const temporary_file general("%%MatrixMarket matrix coordinate real general\n% a comment\n\n3 4 3\n1 1 2.5\n3 4 "
                                 "-1e1\n2 1 4\n");
    const auto a = sk::read_matrix_market<double>(general.name());
    check_equal(sk::vector<double>(a * sk::vector<double>{1, 2, 3, 4}), std::vector<double>{2.5, 4, -40});
    const temporary_file symmetric("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n");
    const auto b = sk::read_matrix_market<int>(symmetric.name());
    check_equal(sk::vector<int>(b * sk::vector<int>{1, 2}), std::vector<int>{3, 1});
    const temporary_file skew("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 3\n");
    const auto c = sk::read_matrix_market<float>(skew.name());
    check_equal(sk::vector<float>(c * sk::vector<float>{1, 2}), std::vector<float>{-6, 3});
    using complex = std::complex<double>;
    const temporary_file hermitian("%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 1 0\n2 1 2 3\n");
    const auto d = sk::read_matrix_market<complex>(hermitian.name());
    check_equal(sk::vector<complex>(d * sk::vector<complex>{1, 2}), std::vector<complex>{{5, -6}, {2, 3}});
    const auto e = sk::read_matrix_market<complex>(skew.name());
    check_equal(sk::vector<complex>(e * sk::vector<complex>{1, 2}), std::vector<complex>{-6, 3});
}

TEST_CASE("sparse matrices that cannot be", "[csr][errors]")
{
    const std::vector<sk::triplet<float>> outside{{0, 0, 1.0f}, {2, 1, 1.0f}};
    REQUIRE(message_of([&] { static_cast<void>(sk::csr<float>(2, 2, outside)); }) ==
            "sk::csr: entry 1 is at (2, 1), outside of a matrix of 2 x 2");
    const sk::csr<float> a(3, 2, {});
    REQUIRE(message_of([&] { static_cast<void>(a * sk::vector<float>(3, 1.0f)); }) ==
            "sk::csr: a matrix of 3 x 2 times a vector of 3; the vector has as many elements as the matrix has "
            "columns");
    REQUIRE(message_of([&] { static_cast<void>(a * sk::matrix<float>(3, 5, 1.0f)); }) ==
            "sk::csr: a matrix of 3 x 2 times a matrix of 3 x 5; the second has as many rows as the first has columns");
    using ints = std::vector<int>;
    const auto refuses = [](const ints& begin, const ints& column, std::size_t values, const std::string& what) {
        return message_of([&] { sk::csr<float>(2, 3, begin, column, std::vector<float>(values)); }) ==
               "sk::csr: " + what;
    };
    REQUIRE(
        refuses({0, 1}, {0}, 1, "2 offsets for 2 rows; there is one for each row, and one where the last row ends"));
    REQUIRE(refuses({0, 2, 1}, {0}, 1, "row 1 begins at entry 2 and ends at 1; offsets never fall"));
    REQUIRE(refuses({0, 1, 1}, {0, 1}, 2,
                    "the rows are entries 0 to 1, but there are 2 values; offsets begin with 0 and end with the number "
                    "of values"));
    REQUIRE(refuses({0, 1, 2}, {0}, 2, "1 columns of entries, but 2 values; each entry has one of both"));
    REQUIRE(
        refuses({0, 1, 2}, {2, 3}, 2, "entry 1 is in column 3, outside of a matrix of 2 x 3; columns count from 0"));
    REQUIRE(
        refuses({0, 1, 2}, {-1, 2}, 2, "entry 0 is in column -1, outside of a matrix of 2 x 3; columns count from 0"));
    REQUIRE(message_of([] { sk::csr<float>(1, std::size_t{1} << 32, {}); }) ==
            "sk::csr: 4294967296 columns; a sparse matrix has at most 4294967295; transpose it, or cut it");
    const auto says = [](const std::string& text, const std::string& what) {
        const temporary_file file(text);
        return message_of([&] { static_cast<void>(sk::read_matrix_market<float>(file.name())); }) ==
               "sk::read_matrix_market: " + file.name() + ":" + what;
    };
    const std::string head = "%%MatrixMarket matrix coordinate real general\n";
    REQUIRE(says("%%MatrixMarket matrix array real general\n",
                 "1 is no matrix of coordinates: %%MatrixMarket matrix array real general"));
    REQUIRE(
        says("%%MatrixMarket matrix coordinate complex general\n",
             "1 has complex entries, which sk::read_matrix_market<std::complex<double>> reads: %%MatrixMarket matrix "
             "coordinate complex general"));
    REQUIRE(says(head + "two 2 1\n", "2 has no sizes here: two 2 1"));
    REQUIRE(says(head + "2 2 2\n1 1 1\n", "4 ends too early"));
    REQUIRE(says(head + "2 2 1\n3 1 1\n", "3 is outside of the matrix: 3 1 1"));
    REQUIRE(says(head + "2 2 1\n1 1\n", "3 is no entry: 1 1"));
    REQUIRE(message_of([] { static_cast<void>(sk::read_matrix_market<float>("/nowhere.mtx")); }) ==
            "sk::read_matrix_market: /nowhere.mtx:0 cannot be opened");
}
