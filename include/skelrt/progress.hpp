// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/api.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace skelrt
{

/// A bar on stderr for farm::progress: `trace.progress(sk::progress_bar("frames"))`. SKELRT_PROGRESS=1 shows one for
/// each farm that takes more than a second.
class SKELRT_API progress_bar
{
public:
    explicit progress_bar(std::string label);
    void operator()(std::size_t done, std::size_t all) const;

private:
    std::string label_;
};

} // namespace skelrt
