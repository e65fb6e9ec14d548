// SPDX-License-Identifier: BSD-3-Clause
// A tool that listens to NVTX, as Nsight does: it writes the ranges that it is told of to the file that NVTX_LISTENER
// names, a line each: "begin domain: message" and "end domain".
#include <nvtx3/nvToolsExt.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace
{

std::mutex writing;
std::FILE* file = nullptr;

struct domain {
    const char* name;
};

nvtxDomainHandle_t create(const char* name)
{
    return reinterpret_cast<nvtxDomainHandle_t>(new domain{name}); // for as long as the process lives
}

const char* name_of(nvtxDomainHandle_t d) { return reinterpret_cast<domain*>(d)->name; }

int push(nvtxDomainHandle_t d, const nvtxEventAttributes_t* e)
{
    const std::lock_guard lock(writing);
    return std::fprintf(file, "begin %s: %s\n", name_of(d), e->message.ascii);
}

int pop(nvtxDomainHandle_t d)
{
    const std::lock_guard lock(writing);
    std::fprintf(file, "end %s\n", name_of(d));
    return std::fflush(file);
}

template <class F>
void listen(NvtxFunctionTable table, unsigned which, F* f)
{
    *table[which] = reinterpret_cast<NvtxFunctionPointer>(f);
}

} // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t tables)
{
    const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(tables(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable table = nullptr;
    unsigned size = 0;
    if (!callbacks || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size)) return 0;
    file = std::fopen(std::getenv("NVTX_LISTENER"), "we");
    listen(table, NVTX_CBID_CORE2_DomainCreateA, &create);
    listen(table, NVTX_CBID_CORE2_DomainRangePushEx, &push);
    listen(table, NVTX_CBID_CORE2_DomainRangePop, &pop);
    return file != nullptr;
}
