// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

/// Simulated threads share one real one: they may wait through StarPU only.
namespace skelrt::detail
{

/// The calling simulated thread waits until `holds`; looked at again at each ring().
void wait_until(const std::function<bool()>& holds);

/// Something has changed that somebody may wait for.
void ring();

} // namespace skelrt::detail
