// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/trace/record.hpp"

#include <vector>

/// SKELRT_TRACE: when kernels really began and ended, by events of their device, on the host's clock. Tasks may end
/// long before their kernels do, and StarPU notices late that these have ended.
namespace skelrt::detail
{

/// Two events around kernels. From begin to record_kernels() or drop; thread-safe but for the span itself.
struct kernel_span;

/// On a stream of the calling thread's device, before the kernels. Null: nobody records, or CUDA has no event.
kernel_span* begin_kernel_span(void* stream) noexcept;
/// Null: nothing.
void end_kernel_span(kernel_span* s, void* stream) noexcept;

/// A span to the end of a block, kept with its task. Unless somebody records, the task's line of memory stays its own.
class traced_span
{
public:
    traced_span(kernel_span*& kept, void* stream) noexcept : span_(begin_kernel_span(stream)), stream_(stream)
    {
        if (span_) kept = span_;
    }
    ~traced_span() { end_kernel_span(span_, stream_); }
    traced_span(const traced_span&) = delete;
    traced_span& operator=(const traced_span&) = delete;

private:
    kernel_span* const span_;
    void* const stream_;
};

/// A record of what is in a span: its part of the time, behind those in front of it.
struct spanned_record {
    trace_record what;
    double part = 1; ///< of all, which are 1 together
};
/// The records get their times, and are recorded, once the kernels have ended. Takes the span, which is not null.
void record_kernels(kernel_span* s, std::vector<spanned_record> all) noexcept;
/// All that have not ended: waits for them. Before recording ends, and devices do.
void finish_kernel_spans() noexcept;

} // namespace skelrt::detail
