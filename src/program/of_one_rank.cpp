// SPDX-License-Identifier: BSD-3-Clause
#include "src/program/of_one_rank.hpp"

#include <utility>

namespace skelrt::detail
{

namespace
{

thread_local constinit bool alone_here = false;

} // namespace

bool is_of_one_rank() noexcept { return alone_here; }

of_one_rank::of_one_rank() noexcept : was_(std::exchange(alone_here, true)) {}
of_one_rank::~of_one_rank() { alone_here = was_; }

} // namespace skelrt::detail
