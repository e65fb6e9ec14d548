#pragma once

#include "plot.hpp"

#include <skelrt/matrix.hpp>

namespace apps
{

/// A grid as a picture shows it. Waits for the values.
field field_of(const skelrt::matrix<double>& values);

} // namespace apps
