// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/call.hpp>

#include <cstdint>
#include <unordered_map>

namespace skelrt::detail
{

class engine;

/// How many steps a pass of an iterated stencil makes on all ranks: the fewest that one of them wishes, for their
/// devices and models differ. Agreed when a stencil of this shape is first iterated, and kept as long as the runtime
/// lives. Thread safety: the program's thread.
class agreed_steps
{
public:
    /// All ranks call it at the same place; the first time they wait for each other.
    unsigned of(engine& e, const call& c);

private:
    std::unordered_map<std::uint64_t, unsigned> known_;
};

} // namespace skelrt::detail
