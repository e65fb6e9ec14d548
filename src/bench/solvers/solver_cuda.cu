// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/shared/cuda_check.hpp"
#include "src/bench/solvers/solver_rivals.hpp"

#include <utility>
#include <vector>

/// Kernels as one writes them by hand: a thread an element, sums by shuffles and one atomic addition a block, every
/// scalar in device memory. Nothing waits between the first step and wait().
namespace bench
{
namespace
{

constexpr int tile_x = 64, tile_y = 4;

template <class T>
class device_array
{
public:
    explicit device_array(std::size_t n) : n_(n) { cuda_check(cudaMalloc(&data_, n * sizeof(T))); }
    ~device_array() { cudaFree(data_); }
    device_array(const device_array&) = delete;
    device_array& operator=(const device_array&) = delete;

    T* get() const { return data_; }
    std::size_t bytes() const { return n_ * sizeof(T); }
    void fill(const std::vector<T>& from) const
    {
        cuda_check(cudaMemcpy(data_, from.data(), bytes(), cudaMemcpyHostToDevice));
    }
    std::vector<T> copy() const
    {
        std::vector<T> all(n_);
        cuda_check(cudaMemcpy(all.data(), data_, bytes(), cudaMemcpyDeviceToHost));
        return all;
    }

private:
    T* data_ = nullptr;
    std::size_t n_;
};

struct position {
    int row, col;
    bool inside;
};

__device__ position here(int n)
{
    const int col = blockIdx.x * tile_x + threadIdx.x, row = blockIdx.y * tile_y + threadIdx.y;
    return {row, col, row < n && col < n};
}

/// Adds the values of all threads of a block to *to.
__device__ void add_block(double value, double* to)
{
    __shared__ double of_warp[tile_x * tile_y / 32];
    const int thread = threadIdx.y * tile_x + threadIdx.x;
    for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(~0u, value, d);
    if (thread % 32 == 0) of_warp[thread / 32] = value;
    __syncthreads();
    if (thread > 0) return;
    for (int w = 1; w < tile_x * tile_y / 32; ++w) value += of_warp[w];
    atomicAdd(to, value);
}

dim3 blocks_of(std::size_t n) { return dim3(unsigned(n + tile_x - 1) / tile_x, unsigned(n + tile_y - 1) / tile_y); }

class cuda_solver : public solver_entrant
{
public:
    cuda_solver(std::size_t n, int steps) : n_(int(n)), steps_(steps), blocks_(blocks_of(n))
    {
        cuda_check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    }
    ~cuda_solver() override { cudaStreamDestroy(stream_); }
    void wait() override
    {
        cuda_check(cudaGetLastError());
        cuda_check(cudaStreamSynchronize(stream_));
    }

protected:
    std::size_t elements() const { return std::size_t(n_) * std::size_t(n_); }
    std::vector<double> source(double factor) const
    {
        std::vector<double> f(elements());
        for (int r = 0; r < n_; ++r)
            for (int c = 0; c < n_; ++c)
                f[std::size_t(r) * n_ + c] = factor * solver_source(std::size_t(r), std::size_t(c), std::size_t(n_));
        return f;
    }

    int n_, steps_;
    dim3 blocks_, threads_{tile_x, tile_y};
    cudaStream_t stream_ = nullptr;
};

// ---- conjugate gradients --------------------------------------------------------------------------------------------

__device__ double at_or_zero(const double* u, int row, int col, int n)
{
    return row >= 0 && row < n && col >= 0 && col < n ? u[std::size_t(row) * n + col] : 0;
}

__global__ void __launch_bounds__(tile_x* tile_y) square_sum(const double* r, int n, double* rr)
{
    const position at = here(n);
    const double v = at.inside ? r[std::size_t(at.row) * n + at.col] : 0;
    add_block(v * v, rr);
}

__global__ void __launch_bounds__(tile_x* tile_y) apply(const double* p, double* q, int n, double* pq)
{
    const position at = here(n);
    double product = 0;
    if (at.inside) {
        const std::size_t i = std::size_t(at.row) * n + at.col;
        const double v = 4 * p[i] - at_or_zero(p, at.row - 1, at.col, n) - at_or_zero(p, at.row + 1, at.col, n) -
                         at_or_zero(p, at.row, at.col - 1, n) - at_or_zero(p, at.row, at.col + 1, n);
        q[i] = v;
        product = p[i] * v;
    }
    add_block(product, pq);
}

__global__ void __launch_bounds__(tile_x* tile_y)
    update(double* x, double* r, const double* p, const double* q, int n, const double* rr, const double* pq, double* next)
{
    const position at = here(n);
    double square = 0;
    if (at.inside) {
        const std::size_t i = std::size_t(at.row) * n + at.col;
        const double along = *rr / *pq;
        x[i] += along * p[i];
        const double v = r[i] - along * q[i];
        r[i] = v;
        square = v * v;
    }
    add_block(square, next);
}

__global__ void __launch_bounds__(tile_x* tile_y) turn(double* p, const double* r, int n, const double* rr, const double* next)
{
    const position at = here(n);
    if (!at.inside) return;
    const std::size_t i = std::size_t(at.row) * n + at.col;
    p[i] = r[i] + *next / *rr * p[i];
}

class cuda_cg : public cuda_solver
{
public:
    cuda_cg(std::size_t n, int steps)
        : cuda_solver(n, steps), b_(n * n), x_(n * n), r_(n * n), p_(n * n), q_(n * n), rr_(std::size_t(steps) + 1),
          pq_(std::size_t(steps))
    {
        b_.fill(source(-1));
    }
    void launch() override
    {
        cudaMemsetAsync(x_.get(), 0, x_.bytes(), stream_);
        cudaMemcpyAsync(r_.get(), b_.get(), b_.bytes(), cudaMemcpyDeviceToDevice, stream_);
        cudaMemcpyAsync(p_.get(), b_.get(), b_.bytes(), cudaMemcpyDeviceToDevice, stream_);
        cudaMemsetAsync(rr_.get(), 0, rr_.bytes(), stream_);
        cudaMemsetAsync(pq_.get(), 0, pq_.bytes(), stream_);
        square_sum<<<blocks_, threads_, 0, stream_>>>(r_.get(), n_, rr_.get());
        for (int k = 0; k < steps_; ++k) {
            double *const rr = rr_.get() + k, *const pq = pq_.get() + k;
            apply<<<blocks_, threads_, 0, stream_>>>(p_.get(), q_.get(), n_, pq);
            update<<<blocks_, threads_, 0, stream_>>>(x_.get(), r_.get(), p_.get(), q_.get(), n_, rr, pq, rr + 1);
            turn<<<blocks_, threads_, 0, stream_>>>(p_.get(), r_.get(), n_, rr, rr + 1);
        }
    }
    void look(const std::function<void(const double*)>& see) override { see(x_.copy().data()); }

private:
    device_array<double> b_, x_, r_, p_, q_, rr_, pq_;
};

// ---- red-black over-relaxation --------------------------------------------------------------------------------------

/// A thread for every other column.
__global__ void __launch_bounds__(tile_x* tile_y) relax(double* u, const double* f, int n, double omega, int half)
{
    const int row = blockIdx.y * tile_y + threadIdx.y;
    const int col = 2 * (blockIdx.x * tile_x + threadIdx.x) + (row + half) % 2;
    if (row >= n || col >= n) return;
    const std::size_t i = std::size_t(row) * n + col;
    const double own = 0.25 * (at_or_zero(u, row - 1, col, n) + at_or_zero(u, row + 1, col, n) +
                               at_or_zero(u, row, col - 1, n) + at_or_zero(u, row, col + 1, n) - f[i]);
    u[i] += omega * (own - u[i]);
}

class cuda_sor : public cuda_solver
{
public:
    cuda_sor(std::size_t n, int steps) : cuda_solver(n, steps), u_(n * n), f_(n * n), omega_(sor_omega(n))
    {
        f_.fill(source(1));
        blocks_.x = unsigned((n + 1) / 2 + tile_x - 1) / tile_x;
    }
    void launch() override
    {
        cudaMemsetAsync(u_.get(), 0, u_.bytes(), stream_);
        for (int half = 0; half < 2 * steps_; ++half)
            relax<<<blocks_, threads_, 0, stream_>>>(u_.get(), f_.get(), n_, omega_, half);
    }
    void look(const std::function<void(const double*)>& see) override { see(u_.copy().data()); }

private:
    device_array<double> u_, f_;
    double omega_;
};

// ---- Runge-Kutta-Fehlberg -------------------------------------------------------------------------------------------

struct stage_data {
    const double2* y;
    double2* k[6];
};

struct steering {
    double h, taken, all;
};

__constant__ double tableau[6][5] = {{},
                                     {1. / 4},
                                     {3. / 32, 9. / 32},
                                     {1932. / 2197, -7200. / 2197, 7296. / 2197},
                                     {439. / 216, -8, 3680. / 513, -845. / 4104},
                                     {-8. / 27, 2, -3544. / 2565, 1859. / 4104, -11. / 40}};

template <int S>
__device__ double2 argument(const stage_data& d, std::size_t i, double h)
{
    const double2 y = d.y[i];
    double u = 0, v = 0;
#pragma unroll
    for (int s = 0; s < S; ++s) {
        const double2 k = d.k[s][i];
        u += tableau[S][s] * k.x;
        v += tableau[S][s] * k.y;
    }
    return make_double2(y.x + h * u, y.y + h * v);
}

/// What the neighbours' arguments are is computed once for each, in shared memory.
template <int S>
__global__ void __launch_bounds__(tile_x* tile_y) stage(stage_data d, int n, double spread, const steering* s)
{
    __shared__ double2 tile[tile_y + 2][tile_x + 2];
    const double h = s->h;
    const int row0 = blockIdx.y * tile_y - 1, col0 = blockIdx.x * tile_x - 1;
    for (int t = threadIdx.y * tile_x + threadIdx.x; t < (tile_y + 2) * (tile_x + 2); t += tile_x * tile_y) {
        const int r = t / (tile_x + 2), c = t % (tile_x + 2);
        const int row = min(max(row0 + r, 0), n - 1), col = min(max(col0 + c, 0), n - 1);
        tile[r][c] = argument<S>(d, std::size_t(row) * n + col, h);
    }
    __syncthreads();
    const position at = here(n);
    if (!at.inside) return;
    const int r = threadIdx.y + 1, c = threadIdx.x + 1;
    const double2 m = tile[r][c], a = tile[r - 1][c], b = tile[r + 1][c], w = tile[r][c - 1], e = tile[r][c + 1];
    d.k[S][std::size_t(at.row) * n + at.col] =
        make_double2(1 + m.x * m.x * m.y - 4.4 * m.x + spread * (a.x + b.x + w.x + e.x - 4 * m.x),
                     3.4 * m.x - m.x * m.x * m.y + spread * (a.y + b.y + w.y + e.y - 4 * m.y));
}

__device__ double part(double h, double y, double k1, double k3, double k4, double k5, double k6)
{
    const double d = h * (1. / 360 * k1 - 128. / 4275 * k3 - 2197. / 75240 * k4 + 1. / 50 * k5 + 2. / 55 * k6);
    const double e = d / (ode_tolerance * (1 + fabs(y)));
    return e * e;
}

__global__ void __launch_bounds__(tile_x* tile_y) error(stage_data d, int n, steering* s)
{
    const position at = here(n);
    double sum = 0;
    if (at.inside) {
        const std::size_t i = std::size_t(at.row) * n + at.col;
        const double2 y = d.y[i], k1 = d.k[0][i], k3 = d.k[2][i], k4 = d.k[3][i], k5 = d.k[4][i], k6 = d.k[5][i];
        sum = part(s->h, y.x, k1.x, k3.x, k4.x, k5.x, k6.x) + part(s->h, y.y, k1.y, k3.y, k4.y, k5.y, k6.y);
    }
    add_block(sum, &s->all);
}

__global__ void judge(steering* s, double values)
{
    const double e = sqrt(s->all / values);
    s->taken = e <= 1 ? s->h : 0;
    s->h *= fmin(fmax(e > 0 ? 0.9 * pow(e, -0.2) : 5.0, 0.2), 5.0);
    s->all = 0;
}

__device__ double moved(double h, double y, double k1, double k3, double k4, double k5, double k6)
{
    return y + h * (16. / 135 * k1 + 6656. / 12825 * k3 + 28561. / 56430 * k4 - 9. / 50 * k5 + 2. / 55 * k6);
}

__global__ void __launch_bounds__(tile_x* tile_y) accept(double2* y, stage_data d, int n, const steering* s)
{
    const position at = here(n);
    if (!at.inside) return;
    const std::size_t i = std::size_t(at.row) * n + at.col;
    const double2 k1 = d.k[0][i], k3 = d.k[2][i], k4 = d.k[3][i], k5 = d.k[4][i], k6 = d.k[5][i];
    y[i] = make_double2(moved(s->taken, y[i].x, k1.x, k3.x, k4.x, k5.x, k6.x),
                        moved(s->taken, y[i].y, k1.y, k3.y, k4.y, k5.y, k6.y));
}

class cuda_ode : public cuda_solver
{
public:
    cuda_ode(std::size_t n, int steps)
        : cuda_solver(n, steps), start_(n * n), y_(n * n), k_{device_array<double2>(n * n), device_array<double2>(n * n),
                                                               device_array<double2>(n * n), device_array<double2>(n * n),
                                                               device_array<double2>(n * n), device_array<double2>(n * n)},
          first_(1), steering_(1), spread_(ode_alpha * double(n) * double(n))
    {
        std::vector<double2> y(n * n);
        const double edge = 1.0 / double(n);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                y[i * n + j] = make_double2(0.5 + edge * (double(i) + 0.5), 1 + 5 * edge * (double(j) + 0.5));
        start_.fill(y);
        first_.fill({{ode_first_step(n), 0, 0}});
        data_.y = y_.get();
        for (int s = 0; s < 6; ++s) data_.k[s] = k_[s].get();
    }
    void launch() override
    {
        cudaMemcpyAsync(y_.get(), start_.get(), y_.bytes(), cudaMemcpyDeviceToDevice, stream_);
        cudaMemcpyAsync(steering_.get(), first_.get(), sizeof(steering), cudaMemcpyDeviceToDevice, stream_);
        for (int k = 0; k < steps_; ++k) {
            stages<0>();
            error<<<blocks_, threads_, 0, stream_>>>(data_, n_, steering_.get());
            judge<<<1, 1, 0, stream_>>>(steering_.get(), 2.0 * double(n_) * double(n_));
            accept<<<blocks_, threads_, 0, stream_>>>(y_.get(), data_, n_, steering_.get());
        }
    }
    void look(const std::function<void(const double*)>& see) override { see(&y_.copy().data()->x); }

private:
    template <int S>
    void stages()
    {
        stage<S><<<blocks_, threads_, 0, stream_>>>(data_, n_, spread_, steering_.get());
        if constexpr (S < 5) stages<S + 1>();
    }

    device_array<double2> start_, y_, k_[6];
    device_array<steering> first_, steering_;
    double spread_;
    stage_data data_{};
};

} // namespace

std::unique_ptr<solver_entrant> make_cuda_solver(std::string_view name, std::size_t n, int steps)
{
    if (name == "cg") return std::make_unique<cuda_cg>(n, steps);
    if (name == "sor") return std::make_unique<cuda_sor>(n, steps);
    return std::make_unique<cuda_ode>(n, steps);
}

} // namespace bench
