// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/cores/calling_threads.hpp"

namespace skelrt::detail
{

std::atomic<calling_threads*> calling_threads::all{nullptr};

} // namespace skelrt::detail
