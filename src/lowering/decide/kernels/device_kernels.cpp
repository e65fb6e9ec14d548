// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/decide/kernels/device_kernels.hpp"

#include "src/lowering/plan/told.hpp"

#include "src/config.hpp"
#if SKELRT_HAVE_CUDA
#include "codelets/cuda/cuda.hpp"
#include "codelets/cuda/samples.hpp"
#endif
#if SKELRT_HAVE_OPENCL
#include "codelets/opencl/opencl.hpp"
#include <starpu_opencl.h>
#endif

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <exception>

namespace skelrt::detail
{

namespace
{

/// Those of a stencil's kernel in one pass: half steps are made one by one.
unsigned steps_of_kernel(const call& c) { return c.color >= 0 ? 1 : c.steps; }

device_way way_of(const target& t, const call& c, const plan_range* obeyed)
{
    device_way way{c.site->what.id, t.kind, t.number};
    if (c.site->what.kind == skeleton::stencil) way.steps = steps_of_kernel(c), way.colored = c.color >= 0;
    if (t.kind != device::cpu && obeyed) way.block = block_of(*obeyed, t);
    return way;
}

#if SKELRT_HAVE_CUDA
cuda::kernel_variant variant_of(const device_way& way) { return {way.steps, way.colored, way.block}; }
#endif

#if SKELRT_HAVE_OPENCL
/// As StarPU has it.
struct opencl_device {
    explicit opencl_device(int number)
    {
        starpu_opencl_get_device(number, &id);
        starpu_opencl_get_context(number, &context);
    }
    cl_device_id id = nullptr;
    cl_context context = nullptr;
};

bool has_doubles(cl_device_id device)
{
    cl_device_fp_config config = 0;
    clGetDeviceInfo(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof config, &config, nullptr);
    return config != 0;
}

/// Throws function_error.
void refuse_untranslatable(const recipe& r, const opencl_device& d)
{
    if (const auto reason = opencl::refusal(r, has_doubles(d.id))) throw function_error(*reason);
}
#endif

} // namespace

device_kernels::device_kernels(const target& on, const call& c, const plan_range* obeyed)
    : what_(&c.site->what), on_(&on), way_(way_of(on, c, obeyed))
{
}

std::string device_kernels::refusal() const
{
    if (trust_in(*what_, on_->kind) == trust::broken)
        return fmt::format("its function gives other values on {} than on the host", kind_name(on_->kind));
    return find_refusal(*what_, way_).value_or("");
}

bool device_kernels::are_ready() const
{
    switch (on_->kind) {
#if SKELRT_HAVE_CUDA
    case device::cuda:
        return cuda::is_prepared(*what_, on_->number, variant_of(way_));
#endif
#if SKELRT_HAVE_OPENCL
    case device::opencl: {
        const opencl_device d(on_->number);
        return opencl::is_prepared(*what_, d.context, d.id, {way_.steps, way_.block});
    }
#endif
    default:
        return true;
    }
}

bool device_kernels::take_from_cache() const noexcept
try {
    switch (on_->kind) {
#if SKELRT_HAVE_CUDA
    case device::cuda:
        cuda::reserve_samples(on_->number);
        return cuda::prepare_from_cache(*what_, on_->number, variant_of(way_));
#endif
#if SKELRT_HAVE_OPENCL
    case device::opencl: {
        const opencl_device d(on_->number);
        refuse_untranslatable(*what_, d);
        return opencl::prepare_from_cache(*what_, d.context, d.id, {way_.steps, way_.block});
    }
#endif
    default:
        return true;
    }
} catch (const std::exception&) { // build() says it
    return false;
}

void device_kernels::prepare() const
{
    switch (on_->kind) {
#if SKELRT_HAVE_CUDA
    case device::cuda:
        cuda::reserve_samples(on_->number);
        return cuda::prepare(*what_, on_->number, variant_of(way_));
#endif
#if SKELRT_HAVE_OPENCL
    case device::opencl: {
        const opencl_device d(on_->number);
        refuse_untranslatable(*what_, d);
        return opencl::prepare(*what_, d.context, d.id, {way_.steps, way_.block});
    }
#endif
    default:
        return;
    }
}

void device_kernels::build() const noexcept
try {
    prepare();
} catch (const std::exception& refused) {
    note_refusal(*what_, way_, refused.what());
}

unsigned steps_of_pass(const std::vector<const target*>& targets, const recipe& r, unsigned most, bool forced)
{
    static_cast<void>(r), static_cast<void>(forced);
    for (const target* t : targets) {
        static_cast<void>(t);
#if SKELRT_HAVE_CUDA
        if (t->kind == device::cuda) most = cuda::steps_of_pass(r, most, forced);
#endif
#if SKELRT_HAVE_OPENCL
        if (t->kind == device::opencl) most = opencl::steps_of_pass(r, opencl_device(t->number).id, most, forced);
#endif
    }
    return most;
}

} // namespace skelrt::detail
