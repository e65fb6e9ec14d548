// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace skelrt::detail
{

/// As memcpy, of many bytes by all cores, if the calling thread can lead them now. Any thread.
void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes) noexcept;

} // namespace skelrt::detail
