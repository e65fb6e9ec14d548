#include "src/bench/skeletons/matmul_rivals.hpp"

#if SKELRT_BENCH_OPENBLAS
#include <cblas.h>

#include <vector>
#endif

namespace bench
{

#if SKELRT_BENCH_OPENBLAS
namespace
{

class openblas_entrant : public matmul_entrant
{
public:
    openblas_entrant(std::size_t n, int threads) : n_(n), a_(n * n), b_(n * n), c_(n * n)
    {
        openblas_set_num_threads(threads);
        for (std::size_t i = 0; i < n * n; ++i) a_[i] = left_value(i);
        for (std::size_t i = 0; i < n * n; ++i) b_[i] = right_value(i);
    }
    void launch() override
    {
        const auto n = static_cast<blasint>(n_);
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0f, a_.data(), n, b_.data(), n, 0.0f,
                    c_.data(), n);
    }
    void wait() override {}
    void look(const std::function<void(const float*)>& see) override { see(c_.data()); }

private:
    std::size_t n_;
    std::vector<float> a_, b_, c_;
};

} // namespace

std::unique_ptr<matmul_entrant> make_openblas_matmul(std::size_t n, int threads)
{
    return std::make_unique<openblas_entrant>(n, threads);
}
#else
std::unique_ptr<matmul_entrant> make_openblas_matmul(std::size_t, int) { return nullptr; }
#endif

} // namespace bench
