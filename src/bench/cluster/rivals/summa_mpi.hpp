// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/cluster/rivals/dealt_rows.hpp"

#include "codelets/work.hpp"

#include <functional>
#include <vector>

namespace bench
{

/// The loops of a product's tile, as skelrt's call has them: c of rows x cols (= or +=) a's rows, `lda` apart, times
/// b's rows, `ldb` apart. Made by the benchmark, which has the typed code.
class tile_kernel
{
public:
    tile_kernel(const skelrt::detail::pair_functions& loops, std::uint32_t element_size);
    struct tile {
        const void *a, *b;
        void* c;
        std::size_t rows, cols, depth, lda, ldb;
        bool begun;
    };
    /// By all threads of a team.
    void run(const tile& t, int threads) const;

private:
    skelrt::detail::recipe what_;
};

/// A product by SUMMA in MPI and OpenMP: matrices in blocks over a grid of ranks, panels of both sides sent by their
/// owners to the ranks of their row and column, receives posted and the next panel sent before this one is multiplied.
class summa_mpi
{
public:
    /// `rows` x `cols` ranks. Elements of `size` bytes; `value(side, row, column, to)` writes one of a (0) or b (1).
    using element = std::function<void(int side, std::size_t row, std::size_t col, void* to)>;
    summa_mpi(const world& all, rival_team& team, const tile_kernel& kernel, int rows, int cols, std::size_t n,
              std::size_t size, const element& value);

    /// On the team's first thread.
    void run();
    const block_of& rows() const { return rows_; }
    const block_of& cols() const { return cols_; }
    const std::byte* result() const { return c_.get(); }

private:
    struct panel {
        std::size_t first, count; ///< of k
        int of_a, of_b;           ///< the column, and the row, of ranks whose it is
    };
    /// Memory for panels that come or go, of which one travels while another is used.
    struct travelling {
        host_array<std::byte> a, b;
        std::vector<MPI_Request> requests;
    };
    void cut(int rows, int cols);
    void fill(const element& value);
    void begin(const panel& p, travelling& t);
    void multiply(const panel& p, const travelling& t, bool begun) const;
    std::byte* own_a(const panel& p) const { return a_.get() + (p.first - a_cols_.first) * size_; }
    std::byte* own_b(const panel& p) const { return b_.get() + (p.first - b_rows_.first) * cols_.count * size_; }
    void pack_a(const panel& p, std::byte* to) const;
    void send(const std::byte* from, std::size_t bytes, bool along_row, travelling& t) const;

    const world& all_;
    rival_team& team_;
    const tile_kernel& kernel_;
    int grid_cols_, row_, col_;
    std::size_t n_, size_;
    block_of rows_, cols_, a_cols_, b_rows_;
    host_array<std::byte> a_, b_, c_;
    std::vector<panel> panels_;
    travelling travels_[2];
};

} // namespace bench
