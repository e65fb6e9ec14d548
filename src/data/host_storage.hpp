#pragma once

#include "src/data/memory.hpp"

#include <skelrt/detail/storage.hpp>

#include <exception>

namespace skelrt::detail
{

/// A storage with what only the library needs to know.
struct host_storage : storage {
    block memory;
    bool borrowed_pinned = false;
    bool just_taken = false;       ///< from those that were kept; no task knows it since
    std::exception_ptr left_fault; ///< set when the runtime ended before anybody looked at a failed call's data
};

/// For a result of the same shape, cut in the same way.
storage_ref create_like(const storage& s);

inline host_storage& host_part(storage& s) noexcept { return static_cast<host_storage&>(s); }

} // namespace skelrt::detail
