// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/messages/turn.hpp"

#include "src/runtime/starpu_task.hpp"

#include <utility>

namespace skelrt::detail
{

turn::~turn()
{
    if (order_) starpu_data_unregister_submit(order_);
}

void turn::begin(std::vector<starpu_data_handle_t> messages)
{
    messages_ = std::move(messages);
    if (messages_.empty()) return;
    if (!order_) starpu_void_data_register(&order_);
    submit(STARPU_W);
}

void turn::end()
{
    if (messages_.empty()) return;
    submit(STARPU_RW);
    for (starpu_data_handle_t h : std::exchange(messages_, {})) starpu_data_unregister_submit(h);
}

void turn::submit(starpu_data_access_mode how_messages) const
{
    std::vector<listed_handle> data{{order_, STARPU_RW}};
    for (starpu_data_handle_t h : messages_) data.push_back({h, how_messages});
    starpu_task* const t = starpu_task_create();
    t->cl = &nowhere_codelet();
    list_handles(*t, data);
    if (submit_task(t) != 0) discard(t);
}

} // namespace skelrt::detail
