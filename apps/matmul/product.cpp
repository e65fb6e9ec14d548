#include "product.hpp"

#include <skelrt/skelrt.hpp>

namespace matmul
{

namespace sk = skelrt;

void multiply(matrix& to, const matrix& a, const matrix& b)
{
    static const auto product = sk::all_pairs(sk::multiplies, sk::plus, 0.0f);
    to = product(a, sk::transpose(b));
}

matrix noise(std::size_t rows, std::size_t cols, unsigned seed)
{
    static const auto scattered = sk::generate(SKELRT_FN((sk::index1 at, unsigned seed) {
        unsigned long x = (at.i + 1) * 0x9e3779b97f4a7c15ul + seed; // splitmix64
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ul;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebul;
        x = x ^ (x >> 31);
        return (float)(int)(x >> 40) * (2.0f / 16777216.0f) - 1.0f;
    }));
    return scattered(sk::shape(rows, cols), seed);
}

} // namespace matmul
