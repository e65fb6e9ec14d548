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

csr_pattern pattern_of(std::size_t rows, std::size_t columns, const std::vector<std::size_t>& row,
                       const std::vector<std::size_t>& column)
{
    csr_pattern made;
    made.row_begin.assign(rows + 1, 0);
    made.order.resize(row.size());
    for (std::size_t k = 0; k < row.size(); ++k) {
        if (row[k] >= rows || column[k] >= columns)
            throw error(fmt::format("sk::csr: entry {} is at ({}, {}), outside of a matrix of {} x {}", k, row[k],
                                    column[k], rows, columns));
        ++made.row_begin[row[k] + 1];
        made.order[k] = k;
    }
    for (std::size_t r = 0; r < rows; ++r) made.row_begin[r + 1] += made.row_begin[r];
    std::ranges::stable_sort(made.order, [&](std::size_t a, std::size_t b) {
        return row[a] != row[b] ? row[a] < row[b] : column[a] < column[b];
    });
    for (const std::size_t k : made.order) made.column.push_back(static_cast<std::uint32_t>(column[k]));
    return made;
}

void throw_product(std::size_t rows, std::size_t columns, std::size_t n)
{
    throw error(fmt::format("sk::csr: a matrix of {} x {} times a vector of {}; the vector has as many elements as the "
                            "matrix has columns",
                            rows, columns, n));
}

} // namespace skelrt::detail
