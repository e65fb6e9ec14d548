// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/hybrid/hybrid_works.hpp"

#include <skelrt/skelrt.hpp>

#include <cstddef>
#include <memory>

namespace bench
{

/// A writing view leaves no copy on any device.
template <class... Containers>
void bring_home(Containers&... all)
{
    (static_cast<void>(skelrt::host(all)), ...);
}

// What the applications compute, on about so many elements.
std::unique_ptr<hybrid_work> make_heat(std::size_t elements, rival_team&);
std::unique_ptr<hybrid_work> make_jacobi(std::size_t elements, rival_team&);
std::unique_ptr<hybrid_work> make_sor(std::size_t elements, rival_team&);
std::unique_ptr<hybrid_work> make_cg(std::size_t elements, rival_team&);
std::unique_ptr<hybrid_work> make_ode(std::size_t elements, rival_team&);
std::unique_ptr<hybrid_work> make_blur(std::size_t elements, rival_team&);
std::unique_ptr<hybrid_work> make_mandelbrot(std::size_t elements, rival_team&);
std::unique_ptr<hybrid_work> make_coulomb(std::size_t elements, rival_team&);
std::unique_ptr<hybrid_work> make_matmul(std::size_t elements, rival_team&);

} // namespace bench
