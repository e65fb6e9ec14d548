// SPDX-License-Identifier: BSD-3-Clause
#include "src/program/of_one_rank.hpp"

#include <utility>

namespace skelrt::detail
{

namespace
{

thread_local constinit bool here = false;

} // namespace

bool is_of_one_rank() noexcept { return here; }

of_one_rank::of_one_rank() noexcept : was_(std::exchange(here, true)) {}
of_one_rank::~of_one_rank() { here = was_; }

} // namespace skelrt::detail
