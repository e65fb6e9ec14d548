#include "src/runtime/compute_right.hpp"

#include <utility>

namespace skelrt::detail
{

namespace
{
thread_local compute_right* mine = nullptr;
}

compute_right* compute_right::current() noexcept { return mine; }
compute_right* compute_right::set(compute_right* right) noexcept { return std::exchange(mine, right); }

} // namespace skelrt::detail
