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
    explicit market_reader(const std::string& file) : file_(file), in_(file)
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
        const bool known = mark == "%%MatrixMarket" && object == "matrix" && format == "coordinate" &&
                           (numbers == "real" || numbers == "integer" || numbers == "pattern") &&
                           (symmetry == "general" || symmetry == "symmetric" || symmetry == "skew-symmetric");
        if (!known) refuse("is no matrix of real coordinates: " + line_);
        pattern_ = numbers == "pattern";
        mirrored_ = symmetry != "general";
        sign_ = symmetry == "skew-symmetric" ? -1 : 1;
    }

    void entry(matrix_market& m)
    {
        next();
        std::istringstream text(line_);
        std::size_t row = 0, column = 0;
        double value = 1;
        if (!(text >> row >> column) || (!pattern_ && !(text >> value))) refuse("is no entry: " + line_);
        if (row < 1 || column < 1 || row > m.rows || column > m.columns) refuse("is outside of the matrix: " + line_);
        add(m, row - 1, column - 1, value);
        if (mirrored_ && row != column) add(m, column - 1, row - 1, sign_ * value);
    }
    static void add(matrix_market& m, std::size_t row, std::size_t column, double value)
    {
        m.row.push_back(row);
        m.column.push_back(column);
        m.value.push_back(value);
    }

    const std::string& file_;
    std::ifstream in_;
    std::string line_;
    std::size_t number_ = 0;
    bool pattern_ = false, mirrored_ = false;
    double sign_ = 1;
};

} // namespace

matrix_market read_matrix_market_file(const std::string& file) { return market_reader(file).run(); }

} // namespace skelrt::detail
