#include "reference.hpp"

#include <skelrt/host.hpp>

#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

namespace matmul
{

apps::comparison compare(const matrix& product, const matrix& a, const matrix& b, std::size_t samples)
{
    const auto c = skelrt::host_read(product), x = skelrt::host_read(a), y = skelrt::host_read(b);
    const std::size_t rows = product.rows(), cols = product.cols(), depth = a.cols();
    apps::comparison result{tolerance};
    std::mt19937_64 random(19690705); // Strassen
    for (std::size_t n = 0; n < std::min(samples, rows * cols); ++n) {
        // The first and the last element always; they are where a wrong split shows first.
        const std::size_t at = n == 0 ? 0 : n == 1 ? rows * cols - 1 : random() % (rows * cols);
        const std::size_t i = at / cols, j = at % cols;
        double sum = 0, scale = 0;
        for (std::size_t k = 0; k < depth; ++k) {
            const double term =
                static_cast<double>(x.data()[i * depth + k]) * static_cast<double>(y.data()[k * cols + j]);
            sum += term;
            scale += std::abs(term);
        }
        result.add(c.data()[at], sum, scale, [&] { return fmt::format("row {}, column {}", i, j); });
    }
    return result;
}

} // namespace matmul
