// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/shared/host_array.hpp"
#include "src/bench/shared/race/rival_team.hpp"
#include "src/bench/solvers/solver_rivals.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

/// Each loop is what one writes who knows OpenMP: rows shared out statically, always the same to the same thread, which
/// also touched them first; grids with a border, so that no loop asks where it is.
namespace bench
{
namespace
{

/// A grid with a border of one, zero at first.
class bordered
{
public:
    bordered(std::size_t n, int threads) : n_(n), ld_(n + 2), data_(make_host_array<double>(ld_ * ld_))
    {
        double* const at = data_.get();
        const std::size_t ld = ld_;
#pragma omp parallel for num_threads(threads) schedule(static)
        for (std::size_t r = 0; r < ld; ++r)
            for (std::size_t c = 0; c < ld; ++c) at[r * ld + c] = 0;
    }
    double* row(std::size_t r) { return data_.get() + (r + 1) * ld_ + 1; }
    std::size_t ld() const { return ld_; }

    void look(const std::function<void(const double*)>& see)
    {
        const auto all = make_host_array<double>(n_ * n_);
        for (std::size_t r = 0; r < n_; ++r) std::copy_n(row(r), n_, all.get() + r * n_);
        see(all.get());
    }

private:
    std::size_t n_, ld_;
    host_array<double> data_;
};

/// Hestenes and Stiefel's method in three loops a step: the operator with p q, the updates of x and r with r r, and p.
class openmp_cg : public solver_entrant
{
public:
    openmp_cg(std::size_t n, int steps, int threads)
        : n_(n), steps_(steps), threads_(threads), x_(n, threads), r_(n, threads), p_(n, threads), q_(n, threads)
    {
    }

    void launch() override
    {
        double rr = start();
        for (int k = 0; k < steps_; ++k) {
            const double along = rr / apply();
            const double next = update(along);
            turn(next / rr);
            rr = next;
        }
    }
    void wait() override {}
    void look(const std::function<void(const double*)>& see) override { x_.look(see); }

private:
    double start()
    {
        const std::size_t n = n_;
        double rr = 0;
#pragma omp parallel for num_threads(threads_) schedule(static) reduction(+ : rr)
        for (std::size_t i = 0; i < n; ++i) {
            double *const x = x_.row(i), *const r = r_.row(i), *const p = p_.row(i);
            for (std::size_t j = 0; j < n; ++j) {
                x[j] = 0;
                r[j] = p[j] = -solver_source(i, j, n);
                rr += r[j] * r[j];
            }
        }
        return rr;
    }
    double apply()
    {
        const std::size_t n = n_;
        double pq = 0;
#pragma omp parallel for num_threads(threads_) schedule(static) reduction(+ : pq)
        for (std::size_t i = 0; i < n; ++i) {
            const double* const p = p_.row(i);
            const double *const above = p - p_.ld(), *const below = p + p_.ld();
            double* const __restrict q = q_.row(i);
#pragma omp simd reduction(+ : pq)
            for (std::size_t j = 0; j < n; ++j) {
                q[j] = 4 * p[j] - above[j] - below[j] - *(p + j - 1) - p[j + 1];
                pq += p[j] * q[j];
            }
        }
        return pq;
    }
    double update(double along)
    {
        const std::size_t n = n_;
        double rr = 0;
#pragma omp parallel for num_threads(threads_) schedule(static) reduction(+ : rr)
        for (std::size_t i = 0; i < n; ++i) {
            double* const __restrict x = x_.row(i), * const __restrict r = r_.row(i);
            const double *const p = p_.row(i), *const q = q_.row(i);
#pragma omp simd reduction(+ : rr)
            for (std::size_t j = 0; j < n; ++j) {
                x[j] += along * p[j];
                r[j] -= along * q[j];
                rr += r[j] * r[j];
            }
        }
        return rr;
    }
    void turn(double factor)
    {
        const std::size_t n = n_;
#pragma omp parallel for num_threads(threads_) schedule(static)
        for (std::size_t i = 0; i < n; ++i) {
            double* const __restrict p = p_.row(i);
            const double* const r = r_.row(i);
#pragma omp simd
            for (std::size_t j = 0; j < n; ++j) p[j] = r[j] + factor * p[j];
        }
    }

    std::size_t n_;
    int steps_, threads_;
    bordered x_, r_, p_, q_;
};

/// In place, every other element of a row.
class openmp_sor : public solver_entrant
{
public:
    openmp_sor(std::size_t n, int steps, int threads)
        : n_(n), steps_(steps), threads_(threads), omega_(sor_omega(n)), u_(n, threads), f_(n, threads)
    {
#pragma omp parallel for num_threads(threads) schedule(static)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) f_.row(i)[j] = solver_source(i, j, n);
    }
    void launch() override
    {
        const std::size_t n = n_;
#pragma omp parallel num_threads(threads_)
        {
#pragma omp for schedule(static)
            for (std::size_t i = 0; i < n; ++i) std::fill_n(u_.row(i), n, 0.0);
            for (std::size_t half = 0; half < 2 * static_cast<std::size_t>(steps_); ++half) {
#pragma omp for schedule(static)
                for (std::size_t i = 0; i < n; ++i) relax(i, (i + half) % 2);
            }
        }
    }
    void wait() override {}
    void look(const std::function<void(const double*)>& see) override { u_.look(see); }

private:
    void relax(std::size_t i, std::size_t first)
    {
        const std::size_t ld = u_.ld(), n = n_;
        double* const u = u_.row(i);
        const double* const f = f_.row(i);
        const double omega = omega_;
#pragma omp simd
        for (std::size_t j = first; j < n; j += 2) {
            const double own = 0.25 * (*(u + j - ld) + u[j + ld] + *(u + j - 1) + u[j + 1] - f[j]);
            u[j] += omega * (own - u[j]);
        }
    }

    std::size_t n_;
    int steps_, threads_;
    double omega_;
    bordered u_, f_;
};

struct pair {
    double u, v;
};

/// A row of a stage's argument at a time: what the stencil sees of it stays in the cache.
class openmp_ode : public solver_entrant
{
public:
    openmp_ode(std::size_t n, int steps, int threads)
        : n_(n), steps_(steps), threads_(threads), y_(make(threads)), w_(make(threads))
    {
        for (auto& k : k_) k = make(threads);
    }

    void launch() override
    {
        double h = ode_first_step(n_), all = 0, taken = 0;
#pragma omp parallel num_threads(threads_)
        {
            start();
            for (int step = 0; step < steps_; ++step) {
                rate(pairs(y_), pairs(k_[0]));
                stage<1>(h);
                stage<2>(h);
                stage<3>(h);
                stage<4>(h);
                stage<5>(h);
                const double mine = error(h);
#pragma omp atomic
                all += mine;
#pragma omp barrier
#pragma omp single
                {
                    const double error = std::sqrt(all / double(2 * n_ * n_));
                    taken = error <= 1 ? h : 0;
                    h *= std::clamp(error > 0 ? 0.9 * std::pow(error, -0.2) : 5.0, 0.2, 5.0);
                    all = 0;
                }
                accept(taken);
            }
        }
    }
    void wait() override {}
    void look(const std::function<void(const double*)>& see) override { see(y_.get()); }

private:
    static constexpr double a[6][5] = {{},
                                       {1. / 4},
                                       {3. / 32, 9. / 32},
                                       {1932. / 2197, -7200. / 2197, 7296. / 2197},
                                       {439. / 216, -8, 3680. / 513, -845. / 4104},
                                       {-8. / 27, 2, -3544. / 2565, 1859. / 4104, -11. / 40}};

    host_array<double> make(int threads)
    {
        auto all = make_host_array<double>(2 * n_ * n_);
        const std::size_t values = 2 * n_;
        double* const at = all.get();
#pragma omp parallel for num_threads(threads) schedule(static)
        for (std::size_t i = 0; i < n_; ++i) std::fill_n(at + i * values, values, 0.0);
        return all;
    }
    double* row(const host_array<double>& all, std::size_t i) const { return all.get() + 2 * n_ * i; }
    void start()
    {
        const double edge = 1.0 / double(n_);
#pragma omp for schedule(static)
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t j = 0; j < n_; ++j)
                pairs(y_)[i * n_ + j] = {0.5 + edge * (double(i) + 0.5), 1 + 5 * edge * (double(j) + 0.5)};
    }
    static pair* pairs(const host_array<double>& all) { return reinterpret_cast<pair*>(all.get()); }
    static pair react(const pair& m, const pair& n, const pair& s, const pair& w, const pair& e, double spread)
    {
        return {1 + m.u * m.u * m.v - 4.4 * m.u + spread * (n.u + s.u + w.u + e.u - 4 * m.u),
                3.4 * m.u - m.u * m.u * m.v + spread * (n.v + s.v + w.v + e.v - 4 * m.v)};
    }
    void rate(const pair* y, pair* __restrict k)
    {
        const std::size_t n = n_;
        const double spread = ode_alpha * double(n) * double(n);
#pragma omp for schedule(static)
        for (std::size_t i = 0; i < n; ++i) {
            const pair *const row = y + i * n, *const above = i > 0 ? row - n : row,
                              *const below = i + 1 < n ? row + n : row;
            pair* const __restrict to = k + i * n;
            const std::size_t last = n - 1;
            to[0] = react(row[0], above[0], below[0], row[0], row[std::min<std::size_t>(1, last)], spread);
#pragma omp simd
            for (std::size_t j = 1; j < last; ++j)
                to[j] = react(row[j], above[j], below[j], *(row + j - 1), row[j + 1], spread);
            if (last > 0) to[last] = react(row[last], above[last], below[last], row[last - 1], row[last], spread);
        }
    }
    template <std::size_t S>
    void stage(double h)
    {
        const std::size_t values = 2 * n_;
#pragma omp for schedule(static)
        for (std::size_t i = 0; i < n_; ++i) {
            const double* const y = row(y_, i);
            double* const __restrict w = row(w_, i);
            const double* k[S];
            for (std::size_t s = 0; s < S; ++s) k[s] = row(k_[s], i);
#pragma omp simd
            for (std::size_t j = 0; j < values; ++j) {
                double sum = 0;
                for (std::size_t s = 0; s < S; ++s) sum += a[S][s] * k[s][j];
                w[j] = y[j] + h * sum;
            }
        }
        rate(pairs(w_), pairs(k_[S]));
    }
    double error(double h)
    {
        const std::size_t values = 2 * n_;
        double all = 0;
#pragma omp for schedule(static) nowait
        for (std::size_t i = 0; i < n_; ++i) {
            const double* const y = row(y_, i);
            const double *const k1 = row(k_[0], i), *const k3 = row(k_[2], i), *const k4 = row(k_[3], i),
                                *const k5 = row(k_[4], i), *const k6 = row(k_[5], i);
#pragma omp simd reduction(+ : all)
            for (std::size_t j = 0; j < values; ++j) {
                const double d = h * (1. / 360 * k1[j] - 128. / 4275 * k3[j] - 2197. / 75240 * k4[j] + 1. / 50 * k5[j] +
                                      2. / 55 * k6[j]);
                const double e = d / (ode_tolerance * (1 + std::abs(y[j])));
                all += e * e;
            }
        }
        return all;
    }
    void accept(double h)
    {
        const std::size_t values = 2 * n_;
#pragma omp for schedule(static)
        for (std::size_t i = 0; i < n_; ++i) {
            double* const __restrict y = row(y_, i);
            const double *const k1 = row(k_[0], i), *const k3 = row(k_[2], i), *const k4 = row(k_[3], i),
                                *const k5 = row(k_[4], i), *const k6 = row(k_[5], i);
#pragma omp simd
            for (std::size_t j = 0; j < values; ++j)
                y[j] += h * (16. / 135 * k1[j] + 6656. / 12825 * k3[j] + 28561. / 56430 * k4[j] - 9. / 50 * k5[j] +
                             2. / 55 * k6[j]);
        }
    }

    std::size_t n_;
    int steps_, threads_;
    host_array<double> y_, w_, k_[6];
};

/// Runs everything on the team's threads.
class on_team : public solver_entrant
{
public:
    on_team(std::string_view name, std::size_t n, int steps, rival_team& team) : team_(team)
    {
        team.run([&] {
            if (name == "cg") work_ = std::make_unique<openmp_cg>(n, steps, team.threads());
            else if (name == "sor") work_ = std::make_unique<openmp_sor>(n, steps, team.threads());
            else work_ = std::make_unique<openmp_ode>(n, steps, team.threads());
        });
    }
    void launch() override
    {
        team_.run([this] { work_->launch(); });
    }
    void wait() override {}
    void look(const std::function<void(const double*)>& see) override { work_->look(see); }

private:
    rival_team& team_;
    std::unique_ptr<solver_entrant> work_;
};

} // namespace

std::unique_ptr<solver_entrant> make_openmp_solver(std::string_view name, std::size_t n, int steps, rival_team& team)
{
    return std::make_unique<on_team>(name, n, steps, team);
}

} // namespace bench
