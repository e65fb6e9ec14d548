#include "src/runtime/compute_right.hpp"

#include <utility>

namespace skelrt::detail
{

namespace
{
thread_local compute_right* mine = nullptr;
}

std::atomic<unsigned> compute_right::in_use{0};

compute_right* compute_right::current() noexcept { return mine; }
compute_right* compute_right::set(compute_right* right) noexcept { return std::exchange(mine, right); }

} // namespace skelrt::detail
