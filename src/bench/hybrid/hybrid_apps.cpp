// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/hybrid/hybrid_apps.hpp"

#include "apps/blur/kernel.hpp"
#include "apps/cg/kernel.hpp"
#include "apps/coulomb/potential.hpp"
#include "apps/heat/kernel.hpp"
#include "apps/jacobi/kernel.hpp"
#include "apps/mandelbrot/kernel.hpp"
#include "apps/matmul/kernel.hpp"
#include "apps/ode/kernel.hpp"
#include "apps/sor/kernel.hpp"
#include "src/bench/shared/race/race.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace bench
{
namespace
{

namespace sk = skelrt;

std::size_t side_of(std::size_t elements)
{
    return std::max<std::size_t>(1, static_cast<std::size_t>(std::sqrt(static_cast<double>(elements))));
}

/// A grid that steps go over again and again.
class heat_plate : public hybrid_work
{
public:
    explicit heat_plate(std::size_t n) : plate_(n, n, 1.0f) {}
    void go_home() override { bring_home(plate_); }
    void step() override { heat::advance(plate_, plate_, 1, 0.2f); }
    void wait() override { sk::wait(plate_); }
    void read() override { keep(sk::host_read(plate_)(0, 0)); }

private:
    heat::plate plate_;
};

/// Fifty steps from a start that stays.
class poisson : public hybrid_work
{
public:
    explicit poisson(std::size_t n)
        : problem_(apps::poisson_problem(1, n + 2)), zero_(n, n, 0.0), source_(jacobi::source_of(problem_, n, n)),
          result_(zero_)
    {
    }
    void go_home() override { bring_home(zero_, source_, result_); }
    void step() override { jacobi::solve(result_, zero_, source_, problem_.h, 50); }
    void wait() override { sk::wait(result_); }
    void read() override { keep(sk::host_read(result_)(0, 0)); }

private:
    jacobi::product problem_;
    jacobi::grid zero_, source_, result_;
};

/// A sweep over both colours, of values that go on and on.
class relaxation : public hybrid_work
{
public:
    explicit relaxation(std::size_t n)
        : equations_(sor::equations_of(apps::poisson_problem(2, n + 2), n)), values_(n, n, 0.0)
    {
    }
    void go_home() override { bring_home(values_, equations_.source); }
    void step() override { sor::sweeps(values_, values_, equations_, 1); }
    void wait() override { sk::wait(values_); }
    void read() override { keep(sk::host_read(values_)(0, 0)); }

private:
    sor::equations equations_;
    sor::grid values_;
};

/// Steps from the same start each time that the data goes home: nothing is left to do after some hundred.
class gradients : public hybrid_work
{
public:
    explicit gradients(std::size_t n) : right_(cg::right_side(apps::poisson_problem(2, n + 2), n)), solver_(right_) {}
    void go_home() override
    {
        const sk::only cores(sk::device::cpu);
        solver_.restart(right_);
        solver_.bring_home();
        bring_home(right_);
    }
    void step() override { solver_.steps(1); }
    void wait() override { sk::wait(solver_.x()); }
    void read() override { keep(sk::host_read(solver_.x())(0, 0)); }

private:
    cg::grid right_;
    cg::solver solver_;
};

/// Runge-Kutta steps towards an end that is far away.
class reaction : public hybrid_work
{
public:
    explicit reaction(std::size_t n) : solver_(n, 1e-5) { solver_.stop_at(1e6); }
    void go_home() override { solver_.bring_home(); }
    void step() override { solver_.steps(1); }
    void wait() override { sk::wait(solver_.values()); }
    void read() override { keep(sk::host_read(solver_.values())(0, 0).real()); }

private:
    ode::solver solver_;
};

/// 256 charges here and there in a cube, whose potential is looked at in planes that are wider than deep: runs of
/// eight.
class potential : public hybrid_work
{
public:
    explicit potential(std::size_t n) : field_(grid_of(n)), charges_(coulomb::charges_of(some_charges())) {}
    void go_home() override { bring_home(field_.values, charges_); }
    void step() override { coulomb::compute(field_, charges_); }
    void wait() override { sk::wait(field_.values); }
    void read() override { keep(sk::host_read(field_.values)(0, 0).v[0]); }

private:
    static constexpr coulomb::region cube{{0, 0, 0}, {4, 4, 4}};

    static coulomb::grid grid_of(std::size_t n)
    {
        const auto width = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(n)) / coulomb::run_length));
        const std::size_t x = std::max<std::size_t>(1, width) * coulomb::run_length, y = side_of(n / x);
        return {cube, {x, y, y}};
    }
    static coulomb::molecule some_charges()
    {
        std::mt19937 random(1);
        std::uniform_real_distribution<double> at(0, 4), charge(-1, 1);
        coulomb::molecule m;
        for (int i = 0; i < 256; ++i) m.atoms.push_back({{at(random), at(random), at(random)}, charge(random), 'X'});
        return m;
    }

    coulomb::field field_;
    sk::vector<coulomb::point_charge> charges_;
};

class blurred : public hybrid_work
{
public:
    explicit blurred(std::size_t n) : filter_({blur::plane(n, n, 0.5f)}, blur::weights_of(3), blur::form::separable, 1)
    {
    }
    void go_home() override { filter_.bring_home(); }
    void step() override { filter_.run(); }
    void wait() override { filter_.wait(); }
    void read() override { keep(sk::host_read(filter_.result()[0])(0, 0)); }

private:
    blur::filter filter_;
};

class fractal : public hybrid_work
{
public:
    explicit fractal(std::size_t n) : view_(mandelbrot::view_of({}, n, n, 256)), picture_(n, n) {}
    void go_home() override { bring_home(picture_); }
    void step() override { mandelbrot::compute(picture_, view_); }
    void wait() override { sk::wait(picture_); }
    void read() override { keep(sk::host_read(picture_)(0, 0)); }

private:
    mandelbrot::view view_;
    sk::matrix<mandelbrot::pixel> picture_;
};

class product : public hybrid_work
{
public:
    explicit product(std::size_t n) : a_(n, n, 0.5f), b_(n, n, 0.25f), c_(n, n) {}
    void go_home() override { bring_home(a_, b_, c_); }
    void step() override { matmul::multiply(c_, a_, b_); }
    void wait() override { sk::wait(c_); }
    void read() override { keep(sk::host_read(c_)(0, 0)); }

private:
    matmul::matrix a_, b_, c_;
};

} // namespace

std::unique_ptr<hybrid_work> make_heat(std::size_t n, rival_team&) { return std::make_unique<heat_plate>(side_of(n)); }
std::unique_ptr<hybrid_work> make_jacobi(std::size_t n, rival_team&) { return std::make_unique<poisson>(side_of(n)); }
std::unique_ptr<hybrid_work> make_sor(std::size_t n, rival_team&) { return std::make_unique<relaxation>(side_of(n)); }
std::unique_ptr<hybrid_work> make_cg(std::size_t n, rival_team&) { return std::make_unique<gradients>(side_of(n)); }
std::unique_ptr<hybrid_work> make_ode(std::size_t n, rival_team&) { return std::make_unique<reaction>(side_of(n)); }
std::unique_ptr<hybrid_work> make_blur(std::size_t n, rival_team&) { return std::make_unique<blurred>(side_of(n)); }
std::unique_ptr<hybrid_work> make_mandelbrot(std::size_t n, rival_team&)
{
    return std::make_unique<fractal>(side_of(n));
}
std::unique_ptr<hybrid_work> make_coulomb(std::size_t n, rival_team&) { return std::make_unique<potential>(n); }
std::unique_ptr<hybrid_work> make_matmul(std::size_t n, rival_team&) { return std::make_unique<product>(side_of(n)); }

} // namespace bench
