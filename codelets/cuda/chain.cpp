// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/source.hpp"

namespace skelrt::detail::cuda
{

/// What kernels share whose blocks wait for those in front of them: scans and filters.
const char* const chain_text = R"cuda(
namespace skelrt::generated
{

/// Between two looks for what another block publishes: who looks too early or too often takes bandwidth from those that
/// it waits for. About a microsecond first, then briefly.
class pause
{
public:
    void take()
    {
        __nanosleep(next_);
        next_ = 76;
    }

private:
    unsigned next_ = 1150;
};

} // namespace skelrt::generated
)cuda";

} // namespace skelrt::detail::cuda
