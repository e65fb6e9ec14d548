// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "plot.hpp"

#include <skelrt/matrix.hpp>

namespace apps
{

/// Grids as a picture shows them. Wait for the values.
field field_of(const skelrt::matrix<double>& values);
field field_of(const skelrt::matrix<float>& values);

} // namespace apps
