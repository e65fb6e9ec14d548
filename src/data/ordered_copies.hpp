// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/config.hpp"
#include "src/data/range/tile_range.hpp"
#include "src/trace/timeline.hpp"
#if SKELRT_HAVE_CUDA
#include "src/jit/lanes/cuda_queue.hpp"

#include <starpu_cuda.h>
#endif

#include <starpu.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace skelrt::detail
{

/// StarPU's operations on data whose copies from and to GPUs go behind the kernels that were left running there.
/// `Kind` has base(), StarPU's own operations; a name; address(interface); bytes(interface), to the last one; and
/// copy(from, from_node, to, to_node, stream, direction).
template <class Kind>
class ordered_copies
{
public:
#if SKELRT_HAVE_CUDA
    static starpu_data_interface_ops& ops()
    {
        static starpu_data_copy_methods methods = [] {
            starpu_data_copy_methods m = *Kind::base().copy_methods;
            m.ram_to_cuda_async = &host_to_cuda;
            m.cuda_to_ram_async = &cuda_to_host;
            m.any_to_any = &any_to_any;
            return m;
        }();
        static starpu_data_interface_ops ordered = [] {
            starpu_data_interface_ops o = Kind::base();
            o.copy_methods = &methods;
            o.allocate_data_on_node = &allocate;
            o.interfaceid = STARPU_UNKNOWN_INTERFACE_ID; // StarPU gives it one
            o.name = const_cast<char*>(Kind::name);
            return o;
        }();
        return ordered;
    }

private:
    /// Memory that is kept for what may come is for what is there.
    static starpu_ssize_t allocate(void* interface, unsigned node)
    {
        const starpu_ssize_t bytes = Kind::base().allocate_data_on_node(interface, node);
        if (bytes != -ENOMEM || drop_unused_memory(node) == 0) return bytes;
        return Kind::base().allocate_data_on_node(interface, node);
    }

    static int device_of(unsigned node) { return starpu_memory_node_get_devid(node); }
    static memory_use use_of(void* interface, bool writes)
    {
        const std::uintptr_t begin = Kind::address(interface);
        return {begin, begin + Kind::bytes(interface), writes};
    }

    /// Of one whose end its stream knows.
    static void note_copy(const void* from, unsigned from_node, unsigned to_node)
    {
        if (tracing()) record_copy(from_node, to_node, Kind::bytes(from), trace_now_ns(), false);
    }

    static int host_to_cuda(void* from, unsigned from_node, void* to, unsigned to_node, cudaStream_t stream)
    {
        note_copy(from, from_node, to_node);
        order_copy(device_of(to_node), use_of(to, true), stream);
        return Kind::copy(from, from_node, to, to_node, stream, cudaMemcpyHostToDevice);
    }

    static int cuda_to_host(void* from, unsigned from_node, void* to, unsigned to_node, cudaStream_t stream)
    {
        note_copy(from, from_node, to_node);
        order_copy(device_of(from_node), use_of(from, false), stream);
        return Kind::copy(from, from_node, to, to_node, stream, cudaMemcpyDeviceToHost);
    }

    static void wait_on_node(unsigned node, const memory_use& m)
    {
        if (starpu_node_get_kind(node) == STARPU_CUDA_RAM) wait_for_memory(device_of(node), m);
    }

    /// Copies without a stream that we are told of: between GPUs, and where StarPU copies synchronously.
    static int any_to_any(void* from, unsigned from_node, void* to, unsigned to_node, void* async)
    {
        wait_on_node(from_node, use_of(from, false));
        wait_on_node(to_node, use_of(to, true));
        const std::uint64_t begin_ns = tracing() ? trace_now_ns() : 0;
        const int later = Kind::base().copy_methods->any_to_any(from, from_node, to, to_node, async);
        if (begin_ns > 0) record_copy(from_node, to_node, Kind::bytes(from), begin_ns, later == 0);
        return later;
    }
#else
    static starpu_data_interface_ops& ops() { return Kind::base(); }
#endif
};

} // namespace skelrt::detail
