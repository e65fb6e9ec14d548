// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/timing/nvtx.hpp"

#include "src/trace/deeds.hpp"

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define SKELRT_HAVE_NVTX 1
#else
#define SKELRT_HAVE_NVTX 0
#endif

namespace skelrt::detail
{

#if SKELRT_HAVE_NVTX

namespace
{

nvtxDomainHandle_t domain = nullptr; ///< null: nobody listens

/// Nsight draws each kind in a colour of its own.
std::uint32_t colour_of(deed what) noexcept
{
    switch (what) {
    case deed::call:
        return 0xff4c9f70;
    case deed::task:
        return 0xff2f6db5;
    case deed::item:
        return 0xff8e6bbf;
    case deed::wait:
        return 0xffb0b0b0;
    case deed::build:
        return 0xffd97b29;
    case deed::kernels:
    case deed::none:
        break;
    }
    return 0xff000000;
}

void begin_range(deed what, const std::string& name)
{
    nvtxEventAttributes_t e{};
    e.version = NVTX_VERSION;
    e.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    e.category = static_cast<std::uint32_t>(what);
    e.colorType = NVTX_COLOR_ARGB;
    e.color = colour_of(what);
    e.messageType = NVTX_MESSAGE_TYPE_ASCII;
    e.message.ascii = name.c_str();
    nvtxDomainRangePushEx(domain, &e);
}

void end_range() { nvtxDomainRangePop(domain); }

/// Without a tool there is no domain.
bool open_domain() noexcept
{
    domain = nvtxDomainCreateA("skelrt");
    if (!domain) return false;
    nvtxDomainNameCategoryA(domain, static_cast<std::uint32_t>(deed::call), "call");
    nvtxDomainNameCategoryA(domain, static_cast<std::uint32_t>(deed::task), "task");
    nvtxDomainNameCategoryA(domain, static_cast<std::uint32_t>(deed::item), "item");
    nvtxDomainNameCategoryA(domain, static_cast<std::uint32_t>(deed::wait), "wait");
    nvtxDomainNameCategoryA(domain, static_cast<std::uint32_t>(deed::build), "build of kernels");
    return true;
}

} // namespace

void tell_profilers() noexcept
{
    static const deed_listener ranges{&begin_range, &end_range};
    static const bool heard = open_domain();
    if (heard) listen_to_deeds(ranges);
}

#else

void tell_profilers() noexcept {}

#endif

} // namespace skelrt::detail
