// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/memory/host_storage.hpp"
#include "src/lowering/replay/recording.hpp"

#include <skelrt/detail/call.hpp>

#include <list>
#include <vector>

namespace skelrt::detail
{

/// A recorded call as so many ranks would make it, on containers without memory: for who asks what ranks need.
class rebuilt_call
{
public:
    rebuilt_call(const recording& r, const recorded_call& c, unsigned ranks);
    rebuilt_call(const rebuilt_call&) = delete;
    rebuilt_call& operator=(const rebuilt_call&) = delete;

    const call& get() const noexcept { return call_; }

private:
    operand rebuild(const recording& r, const recorded_operand& o, unsigned ranks);

    call_site site_;
    std::list<host_storage> storages_;
    std::vector<operand> operands_;
    call call_;
};

} // namespace skelrt::detail
