// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/cluster/rivals/summa_mpi.hpp"

#include "codelets/cpu/pairs/pair_choice.hpp"
#include "codelets/cpu/skeletons.hpp"

#include <algorithm>
#include <cstring>

#include <omp.h>

namespace bench
{

namespace sd = skelrt::detail;

namespace
{

constexpr std::size_t width = 256; ///< of a panel, as ours

/// The block in which position k lies.
int owner(std::size_t n, int parts, std::size_t k)
{
    int part = 0;
    while (k >= block_of(n, part, parts).first + block_of(n, part, parts).count) ++part;
    return part;
}

} // namespace

tile_kernel::tile_kernel(const sd::pair_functions& loops, std::uint32_t element_size)
{
    const auto slot = [&](sd::slot_kind kind) { return sd::slot_type{kind, {}, element_size, element_size}; };
    what_.kind = sd::skeleton::all_pairs;
    what_.slots = {slot(sd::slot_kind::row_vec), slot(sd::slot_kind::column_vec), slot(sd::slot_kind::element)};
    what_.result_size = what_.result_align = element_size;
    what_.cpu.pairs = &loops;
}

void tile_kernel::run(const tile& t, int threads) const
{
    const sd::segment all{t.rows, t.cols, 0, 0};
    const sd::slot_view slots[] = {{const_cast<void*>(t.a), 0, t.rows, t.depth, t.lda, 1},
                                   {const_cast<void*>(t.b), 0, t.cols, t.depth, t.ldb, 1},
                                   {t.c, 0, t.rows, t.cols, t.cols, 1}};
    sd::work w{what_, true, t.cols, {&all, 1}, slots};
    w.depth = t.depth;
    w.begun = t.begun;
    sd::cpu::prepare_product(w);
    const bool by_blas = sd::cpu::goes_to_blas(w);
#pragma omp parallel num_threads(threads)
    sd::cpu::all_pairs(w, static_cast<std::size_t>(omp_get_thread_num()), static_cast<std::size_t>(threads), by_blas);
}

summa_mpi::summa_mpi(const world& all, rival_team& team, const tile_kernel& kernel, int rows, int cols, std::size_t n,
                     std::size_t size, const element& value)
    : all_(all), team_(team), kernel_(kernel), grid_cols_(cols), row_(all.rank() / cols), col_(all.rank() % cols),
      n_(n), size_(size), rows_(n, row_, rows), cols_(n, col_, cols), a_cols_(n, col_, cols), b_rows_(n, row_, rows)
{
    a_ = make_host_array<std::byte>(rows_.count * a_cols_.count * size);
    b_ = make_host_array<std::byte>(b_rows_.count * cols_.count * size);
    c_ = make_host_array<std::byte>(rows_.count * cols_.count * size);
    for (travelling& t : travels_) {
        t.a = make_host_array<std::byte>(rows_.count * width * size);
        t.b = make_host_array<std::byte>(width * cols_.count * size);
    }
    cut(rows, cols);
    team_.run([&] { fill(value); });
}

/// A panel has one owner of each side.
void summa_mpi::cut(int rows, int cols)
{
    for (std::size_t k = 0; k < n_;) {
        const int of_a = owner(n_, cols, k), of_b = owner(n_, rows, k);
        const block_of a(n_, of_a, cols), b(n_, of_b, rows);
        const std::size_t end = std::min({a.first + a.count, b.first + b.count, k + width});
        panels_.push_back({k, end - k, of_a, of_b});
        k = end;
    }
}

void summa_mpi::fill(const element& value)
{
    const auto fill_one = [&](std::byte* to, int side, const block_of& rows, const block_of& cols) {
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
        for (std::size_t r = 0; r < rows.count; ++r)
            for (std::size_t c = 0; c < cols.count; ++c)
                value(side, rows.first + r, cols.first + c, to + (r * cols.count + c) * size_);
    };
    fill_one(a_.get(), 0, rows_, a_cols_);
    fill_one(b_.get(), 1, b_rows_, cols_);
}

void summa_mpi::pack_a(const panel& p, std::byte* to) const
{
    const std::byte* const from = own_a(p);
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
    for (std::size_t r = 0; r < rows_.count; ++r)
        std::memcpy(to + r * p.count * size_, from + r * a_cols_.count * size_, p.count * size_);
}

/// To the other ranks of this rank's row, or column.
void summa_mpi::send(const std::byte* from, std::size_t bytes, bool along_row, travelling& t) const
{
    for (int rank = 0; rank < all_.size(); ++rank) {
        const bool mine = along_row ? rank / grid_cols_ == row_ : rank % grid_cols_ == col_;
        if (!mine || rank == all_.rank()) continue;
        MPI_Isend(from, static_cast<int>(bytes), MPI_BYTE, rank, along_row ? 0 : 1, all_.rivals(),
                  &t.requests.emplace_back());
    }
}

void summa_mpi::begin(const panel& p, travelling& t)
{
    const std::size_t bytes_a = rows_.count * p.count * size_, bytes_b = p.count * cols_.count * size_;
    t.requests.clear();
    t.requests.reserve(static_cast<std::size_t>(2 * all_.size()));
    const auto receive = [&](std::byte* to, std::size_t bytes, int from, int tag) {
        MPI_Irecv(to, static_cast<int>(bytes), MPI_BYTE, from, tag, all_.rivals(), &t.requests.emplace_back());
    };
    if (p.of_a != col_) receive(t.a.get(), bytes_a, row_ * grid_cols_ + p.of_a, 0);
    if (p.of_b != row_) receive(t.b.get(), bytes_b, p.of_b * grid_cols_ + col_, 1);
    if (p.of_b == row_) send(own_b(p), bytes_b, false, t);
    if (p.of_a == col_ && grid_cols_ > 1) {
        pack_a(p, t.a.get());
        send(t.a.get(), bytes_a, true, t);
    }
}

void summa_mpi::multiply(const panel& p, const travelling& t, bool begun) const
{
    const bool own_a_part = p.of_a == col_;
    kernel_.run({own_a_part ? own_a(p) : t.a.get(), p.of_b == row_ ? own_b(p) : t.b.get(), c_.get(), rows_.count,
                 cols_.count, p.count, own_a_part ? a_cols_.count : p.count, cols_.count, begun},
                team_.threads());
}

void summa_mpi::run()
{
    begin(panels_[0], travels_[0]);
    for (std::size_t p = 0; p < panels_.size(); ++p) {
        travelling& now = travels_[p % 2];
        MPI_Waitall(static_cast<int>(now.requests.size()), now.requests.data(), MPI_STATUSES_IGNORE);
        if (p + 1 < panels_.size()) begin(panels_[p + 1], travels_[(p + 1) % 2]);
        multiply(panels_[p], now, p > 0);
    }
}

} // namespace bench
