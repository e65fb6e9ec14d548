// SPDX-License-Identifier: BSD-3-Clause
#include <skelrt/algorithms/csr.hpp>
#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

/// Files of the Matrix Market: a header, comments, sizes, and one entry a line, which count from 1.
namespace skelrt::detail
{
namespace
{

class market_reader
{
public:
    market_reader(const std::string& file, bool complex) : file_(file), in_(file), takes_complex_(complex)
    {
        if (!in_) refuse("cannot be opened");
    }

    matrix_market run()
    {
        header();
        matrix_market m;
        std::size_t entries = 0;
        do next();
        while (line_.empty() || line_[0] == '%');
        if (!(std::istringstream(line_) >> m.rows >> m.columns >> entries)) refuse("has no sizes here: " + line_);
        for (std::size_t k = 0; k < entries; ++k) entry(m);
        return m;
    }

private:
    [[noreturn]] void refuse(const std::string& what) const
    {
        throw error(fmt::format("sk::read_matrix_market: {}:{} {}", file_, number_, what));
    }
    void next()
    {
        ++number_;
        if (!std::getline(in_, line_)) refuse("ends too early");
    }

    void header()
    {
        next();
        std::string mark, object, format, numbers, symmetry;
        std::istringstream(line_) >> mark >> object >> format >> numbers >> symmetry;
        for (std::string* word : {&object, &format, &numbers, &symmetry})
            std::ranges::transform(*word, word->begin(), [](unsigned char c) { return std::tolower(c); });
        complex_ = numbers == "complex";
        if (complex_ && !takes_complex_)
            refuse("has complex entries, which sk::read_matrix_market<std::complex<double>> reads: " + line_);
        const bool known = mark == "%%MatrixMarket" && object == "matrix" && format == "coordinate" &&
                           (complex_ || numbers == "real" || numbers == "integer" || numbers == "pattern") &&
                           (symmetry == "general" || symmetry == "symmetric" || symmetry == "skew-symmetric" ||
                            symmetry == "hermitian");
        if (!known) refuse("is no matrix of coordinates: " + line_);
        pattern_ = numbers == "pattern";
        hermitian_ = symmetry == "hermitian";
        mirrored_ = symmetry != "general";
        sign_ = symmetry == "skew-symmetric" ? -1 : 1;
    }

    void entry(matrix_market& m)
    {
        next();
        std::istringstream text(line_);
        std::size_t row = 0, column = 0;
        double real = 1, imaginary = 0;
        if (!(text >> row >> column) || (!pattern_ && !(text >> real)) || (complex_ && !(text >> imaginary)))
            refuse("is no entry: " + line_);
        if (row < 1 || column < 1 || row > m.rows || column > m.columns) refuse("is outside of the matrix: " + line_);
        add(m, row - 1, column - 1, {real, imaginary});
        const std::complex<double> mirrored(sign_ * real, hermitian_ ? -imaginary : sign_ * imaginary);
        if (mirrored_ && row != column) add(m, column - 1, row - 1, mirrored);
    }
    static void add(matrix_market& m, std::size_t row, std::size_t column, std::complex<double> value)
    {
        m.row.push_back(row);
        m.column.push_back(column);
        m.value.push_back(value);
    }

    const std::string& file_;
    std::ifstream in_;
    std::string line_;
    std::size_t number_ = 0;
    const bool takes_complex_;
    bool pattern_ = false, complex_ = false, mirrored_ = false, hermitian_ = false;
    double sign_ = 1;
};

} // namespace

matrix_market read_matrix_market_file(const std::string& file, bool complex)
{
    return market_reader(file, complex).run();
}

} // namespace skelrt::detail
