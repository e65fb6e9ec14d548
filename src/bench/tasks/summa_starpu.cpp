// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/tasks/summa_rivals.hpp"

#include "apps/shared/blas/blas.hpp"

#include <starpu.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace bench
{
namespace
{

namespace blas = apps::blas;

/// A matrix in tiles, a handle each.
class tiles
{
public:
    tiles(const double* m, std::size_t n, std::size_t rows, std::size_t cols) : across_((n + cols - 1) / cols)
    {
        for (std::size_t i = 0; i < n; i += rows)
            for (std::size_t j = 0; j < n; j += cols)
                starpu_matrix_data_register(
                    &handles_.emplace_back(), STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(m + i * n + j),
                    static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(std::min(cols, n - j)),
                    static_cast<std::uint32_t>(std::min(rows, n - i)), sizeof *m);
    }
    ~tiles()
    {
        for (starpu_data_handle_t h : handles_) starpu_data_unregister(h);
    }
    tiles(const tiles&) = delete;
    tiles& operator=(const tiles&) = delete;

    std::size_t rows() const { return handles_.size() / across_; }
    std::size_t cols() const { return across_; }
    starpu_data_handle_t operator()(std::size_t i, std::size_t j) const { return handles_[i * across_ + j]; }

private:
    std::size_t across_;
    std::vector<starpu_data_handle_t> handles_;
};

skelrt::block<double> block_in(void* buffer)
{
    return {reinterpret_cast<double*>(STARPU_MATRIX_GET_PTR(buffer)), STARPU_MATRIX_GET_NY(buffer),
            STARPU_MATRIX_GET_NX(buffer), STARPU_MATRIX_GET_LD(buffer)};
}

void multiply(void* buffers[], void* beta)
{
    blas::cpu::product<double>(block_in(buffers[0]), block_in(buffers[1]), block_in(buffers[2]),
                               *static_cast<const double*>(beta));
}

starpu_codelet codelet(starpu_data_access_mode last)
{
    starpu_codelet c;
    starpu_codelet_init(&c);
    c.cpu_funcs[0] = multiply;
    c.nbuffers = 3;
    c.modes[0] = c.modes[1] = STARPU_R;
    c.modes[2] = last;
    c.name = "raw product";
    return c;
}

class starpu_entrant : public starpu_summa
{
public:
    starpu_entrant(const summa_matrices& m, const summa::cutting& c)
        : a_(m.a, m.n, c.tile, c.panel), b_(m.b, m.n, c.panel, c.width), c_(m.c, m.n, c.tile, c.width)
    {
    }
    void run() override
    {
        for (std::size_t i = 0; i < c_.rows(); ++i)
            for (std::size_t j = 0; j < c_.cols(); ++j)
                for (std::size_t k = 0; k < a_.cols(); ++k) submit(i, j, k);
        starpu_task_wait_for_all();
    }

private:
    void submit(std::size_t i, std::size_t j, std::size_t k)
    {
        starpu_task* const task = starpu_task_create();
        task->cl = k == 0 ? &first_ : &other_;
        task->handles[0] = a_(i, k);
        task->handles[1] = b_(k, j);
        task->handles[2] = c_(i, j);
        task->cl_arg = k == 0 ? &zero_ : &one_;
        if (starpu_task_submit(task) != 0) throw std::runtime_error("raw StarPU: a task was refused");
    }

    tiles a_, b_, c_;
    starpu_codelet first_ = codelet(STARPU_W), other_ = codelet(STARPU_RW);
    double zero_ = 0, one_ = 1;
};

} // namespace

std::unique_ptr<starpu_summa> make_starpu_summa(const summa_matrices& m, const summa::cutting& c)
{
    return std::make_unique<starpu_entrant>(m, c);
}

} // namespace bench
