// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

/// How this process was started, by the environment that launchers of MPI programs make.
namespace skelrt::detail
{

struct launch {
    int rank = 0, size = 1;
    bool known = false;                 ///< a launcher said so
    bool wanted = false;                ///< SKELRT_CLUSTER=mpi: the ranks are opened whatever the launcher says
    const void* communicator = nullptr; ///< that the program gave instead

    /// Whether there are other ranks to speak with.
    bool is_cluster() const noexcept { return wanted || communicator || size > 1; }
};

using variable_reader = std::function<std::optional<std::string>(std::string_view)>;

/// Pure but for `read`. Throws error for a number that makes no sense.
launch read_launch(const variable_reader& read);
/// Of this process.
launch read_launch();
/// Ranks of a communicator, null: of what was launched. The environment may say that there are none.
launch launched_on(const void* communicator);

} // namespace skelrt::detail
