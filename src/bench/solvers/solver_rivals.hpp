// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

namespace bench
{

class rival_team;

/// Solves one of these on an n x n grid, always from the same start; a launch makes a fixed number of steps:
///   cg: conjugate gradients for the five-point Laplacian; sor: red-black sweeps; ode: Fehlberg's, for the Brusselator.
class solver_entrant
{
public:
    virtual ~solver_entrant() = default;
    /// From the start, so many steps; may return before they are done.
    virtual void launch() = 0;
    virtual void wait() = 0;
    /// Shows the result in host memory: n x n values, in ode pairs of them.
    virtual void look(const std::function<void(const double*)>& see) = 0;
};

/// Tolerance of a step of ode, and the time at which it would stop: later than any number of steps here gets.
constexpr double ode_tolerance = 1e-5, ode_end = 100;
constexpr double ode_alpha = 0.002;

/// What cg and sor solve for, -h^2 f, and h^2 f in sor: one of the problems of the applications.
double solver_source(std::size_t row, std::size_t col, std::size_t n);
double sor_omega(std::size_t n);
double ode_first_step(std::size_t n);

/// Vectorised loops over the rows, shared out to the threads. `name`: cg, sor, ode.
std::unique_ptr<solver_entrant> make_openmp_solver(std::string_view name, std::size_t n, int steps, rival_team& team);
/// Kernels by hand, scalars in device memory, no host wait before wait(). Null: built without nvcc.
std::unique_ptr<solver_entrant> make_cuda_solver(std::string_view name, std::size_t n, int steps);

} // namespace bench
