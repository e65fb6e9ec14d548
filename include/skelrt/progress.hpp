// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/api.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace skelrt
{

/// A bar on stderr for farm::progress: `trace.progress(sk::progress_bar("frames"))`. SKELRT_PROGRESS=1 shows one for
/// each farm that takes more than a second. Where nobody knows how many items there are (`all` is 0) it counts those
/// that are done. Each call writes the line anew; the last one, in which `done` is `all`, ends it.
class SKELRT_API progress_bar
{
public:
    explicit progress_bar(std::string label);
    void operator()(std::size_t done, std::size_t all) const;

private:
    std::string label_;
};

} // namespace skelrt
