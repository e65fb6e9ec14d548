// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// What has ended on a worker, which may not free, keeps what it held until a thread of the program lets it go.
namespace skelrt::detail
{

/// A member of such an object, in memory that workers may write.
struct ended_link {
    ended_link* next = nullptr; ///< in the list; whoever adds several links them
    void* object = nullptr;
    void (*let_go)(void* object) noexcept = nullptr; ///< called by a thread of the program; may end the object
};

/// So many, linked, the last one first. Any thread.
void add_ended(ended_link& newest, ended_link& oldest) noexcept;
/// Lets all go that have ended. Cheap when there is none. For threads of the program.
void let_ended_go() noexcept;

} // namespace skelrt::detail
