// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/use_here.hpp"

#include "src/runtime/running.hpp"

#include <algorithm>
#include <utility>

namespace skelrt::detail
{

void use_here::add(managed_state& m, bool written) noexcept
{
    mark* const end = marked_.data() + count_;
    mark* const known = std::find_if(marked_.data(), end, [&](const mark& k) { return k.data == &m; });
    if (known == end) marked_[count_++] = {&m, written};
    else if (!written || std::exchange(known->written, true)) return;
    if (written) m.used_here.store(managed_state::written_here, std::memory_order_relaxed); // by nobody else
    else m.used_here.fetch_add(1, std::memory_order_relaxed);
}

void use_here::end() noexcept
{
    if (count_ == 0) return;
    for (std::size_t k = 0; k < count_; ++k)
        if (marked_[k].written) marked_[k].data->used_here.store(0, std::memory_order_release);
        else marked_[k].data->used_here.fetch_sub(1, std::memory_order_release);
    count_ = 0;
    running& e = *running::current(); // the marks' owners may be gone now
    e.order.uses_ended.add(1);
    e.order.uses_ended.wake();
}

} // namespace skelrt::detail
