// SPDX-License-Identifier: BSD-3-Clause
#include "graphs.hpp"
#include "timed.hpp"

#include "apps/blur/kernel.hpp"
#include "apps/cg/kernel.hpp"
#include "apps/coulomb/potential.hpp"
#include "apps/heat/kernel.hpp"
#include "apps/jacobi/kernel.hpp"
#include "apps/mandelbrot/kernel.hpp"
#include "apps/matmul/kernel.hpp"
#include "apps/ode/kernel.hpp"
#include "apps/sor/kernel.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace simulate
{
namespace
{

namespace sk = skelrt;

/// A writing view leaves no copy on any device.
template <class... Containers>
void bring_home(Containers&... all)
{
    (static_cast<void>(sk::host(all)), ...);
}

template <class Container>
void read(const Container& c)
{
    static_cast<void>(sk::host_read(c));
}

void heat_steps(const std::string& name, scale of)
{
    const std::size_t n = of.side(8192);
    heat::plate plate(n, n, sk::uninitialized);
    timed(
        name, [&] { bring_home(plate); },
        [&] {
            heat::advance(plate, plate, 100, 0.2f);
            read(plate);
        });
}

void jacobi_steps(const std::string& name, scale of)
{
    const std::size_t n = of.side(8192);
    const jacobi::product problem = apps::poisson_problem(1, n + 2);
    jacobi::grid zero(n, n, sk::uninitialized), result(n, n, sk::uninitialized);
    jacobi::grid source = jacobi::source_of(problem, n, n);
    timed(
        name, [&] { bring_home(zero, source, result); },
        [&] {
            jacobi::solve(result, zero, source, problem.h, 50);
            read(result);
        });
}

void sor_sweeps(const std::string& name, scale of)
{
    const std::size_t n = of.side(8192);
    sor::equations equations = sor::equations_of(apps::poisson_problem(2, n + 2), n);
    sor::grid values(n, n, sk::uninitialized);
    timed(
        name, [&] { bring_home(values, equations.source); },
        [&] {
            sor::sweeps(values, values, equations, 50);
            read(values);
        });
}

void cg_steps(const std::string& name, scale of)
{
    const std::size_t n = of.side(4096);
    cg::grid right = cg::right_side(apps::poisson_problem(2, n + 2), n);
    cg::solver solver(right);
    timed(
        name,
        [&] {
            solver.bring_home();
            bring_home(right);
        },
        [&] {
            solver.restart(right);
            solver.steps(30);
            read(solver.x());
        });
}

void ode_steps(const std::string& name, scale of)
{
    ode::solver solver(of.side(1000), 1e-5);
    timed(
        name,
        [&] {
            solver.stop_at(1);
            solver.bring_home();
        },
        [&] {
            solver.steps(10);
            read(solver.values());
        });
}

/// A picture of 12 million pixels, filtered nine times: what the application does unless told otherwise.
void blur_picture(const std::string& name, scale of)
{
    std::vector<blur::plane> planes;
    for (int colour = 0; colour < 3; ++colour) planes.emplace_back(of.side(3072), of.side(4096), sk::uninitialized);
    blur::filter filter(std::move(planes), blur::weights_of(3), blur::form::separable, 9);
    timed(
        name, [&] { filter.bring_home(); },
        [&] {
            filter.run();
            for (const blur::plane& p : filter.result()) read(p);
        });
}

void mandelbrot_picture(const std::string& name, scale of)
{
    const std::size_t n = of.side(8192);
    const mandelbrot::view view = mandelbrot::view_of({}, n, n, 256);
    sk::matrix<mandelbrot::pixel> picture(n, n, sk::uninitialized);
    timed(
        name, [&] { bring_home(picture); },
        [&] {
            mandelbrot::compute(picture, view);
            read(picture);
        });
}

/// The application's box of water: 5184 atoms.
void coulomb_potential(const std::string& name, scale of)
{
    const std::size_t n = of.side(256);
    coulomb::field field({{{0, 0, 0}, {4, 4, 4}}, {n, n, n}});
    sk::vector<coulomb::point_charge> charges(5184, sk::uninitialized);
    timed(
        name, [&] { bring_home(field.values, charges); },
        [&] {
            coulomb::compute(field, charges);
            read(field.values);
        });
}

void matmul_product(const std::string& name, scale of)
{
    const std::size_t n = of.side(8192);
    matmul::matrix a(n, n, sk::uninitialized), b(n, n, sk::uninitialized), c(n, n, sk::uninitialized);
    timed(
        name, [&] { bring_home(a, b, c); },
        [&] {
            matmul::multiply(c, a, b);
            read(c);
        });
}

} // namespace

std::span<const graph> applications()
{
    static const graph all[] = {{"apps/heat", &heat_steps},
                                {"apps/jacobi", &jacobi_steps},
                                {"apps/sor", &sor_sweeps},
                                {"apps/cg", &cg_steps},
                                {"apps/ode", &ode_steps},
                                {"apps/blur", &blur_picture},
                                {"apps/matmul", &matmul_product},
                                {"apps/mandelbrot", &mandelbrot_picture},
                                {"apps/coulomb", &coulomb_potential}};
    return all;
}

} // namespace simulate
