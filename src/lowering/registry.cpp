// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/registry.hpp"

#include "src/data/tile_handle.hpp"
#include "src/function/kept_text.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/recipe_key.hpp"
#include "src/lowering/run/starpu_costs.hpp"
#include "src/lowering/run/submitted_call.hpp"
#include "src/lowering/run/tasks.hpp"
#include "src/model/times/simulated_models.hpp"
#include "src/runtime/environment/environment.hpp"

#include "codelets/blas/libraries.hpp"
#include "codelets/cpu/pairs/pair_choice.hpp"
#include "src/config.hpp"
#if SKELRT_HAVE_CUDA
#include "codelets/cuda/cuda.hpp"
#include "codelets/cuda/samples.hpp"
#endif
#if SKELRT_HAVE_OPENCL
#include "codelets/opencl/samples.hpp"
#endif

#include <fmt/format.h>

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace skelrt::detail
{

namespace
{

/// StarPU keeps raw pointers to all of this and changes some of it: it stays where it is, for good.
struct codelet_entry {
    starpu_codelet codelet;
    const recipe* what = nullptr;
    starpu_data_handle_t scratch = nullptr;
    std::size_t scratch_bytes = 0;
};

struct named_model {
    std::string symbol;
    starpu_perfmodel model{};
};

std::mutex guard;

std::deque<codelet_entry>& entries()
{
    static auto& all = *new std::deque<codelet_entry>; // never destroyed: static destructors come too early
    return all;
}

std::deque<function_source>& sources()
{
    static auto& all = *new std::deque<function_source>;
    return all;
}

/// Codelets of one key share it: two models of one name would write over each other's file. Caller holds the guard.
starpu_perfmodel& model_of(std::uint64_t key)
{
    static auto& all = *new std::map<std::uint64_t, named_model>;
    const bool starpus_own = env_choice("SKELRT_MODEL", {"skelrt", "starpu"}).value_or(0) == 1;
    named_model& m = all[key];
    if (!m.symbol.empty()) return m.model;
    m.symbol = fmt::format("skelrt_{:016x}", key); // StarPU's files: no '.', no '/'
    m.model.symbol = m.symbol.c_str();
    if (starpus_own) {
        m.model.type = STARPU_HISTORY_BASED;
    } else {
        m.model.type = STARPU_PER_ARCH;
        m.model.arch_cost_function = &expected_us;
    }
    return m.model;
}

const char* name_of(skeleton s)
{
    switch (s) {
    case skeleton::map:
        return "map";
    case skeleton::reduce:
        return "reduce";
    case skeleton::reduce_rows:
        return "reduce by row";
    case skeleton::all_pairs:
        return "all pairs";
    case skeleton::reduce_columns:
        return "reduce by column";
    case skeleton::scan:
        return "scan";
    case skeleton::scan_rows:
        return "scan by row";
    case skeleton::scan_columns:
        return "scan by column";
    case skeleton::stencil:
        return "stencil";
    case skeleton::accumulate:
        return "for_each";
    case skeleton::filter:
        return "filter";
    case skeleton::sort:
        return "sort";
    case skeleton::wavefront:
        return "wavefront";
    }
    return "";
}

/// File and line of a user's function; the name of one of ours, which have no dot as files of programs have one, with
/// the line of the user's that asked for it. Calls of several lines share a recipe, so it is the first of them, and
/// says so.
std::string place_of(const function_source& f, const caller& first)
{
    const bool named = std::string_view(f.file).find('.') == std::string_view::npos;
    if (!named) return fmt::format("{}:{}", f.file, f.line);
    return first.line > 0 ? fmt::format("{}, first at {}:{}", f.file, first.file, first.line) : f.file;
}

/// Any number of data, device functions that only enqueue.
void set_functions(starpu_codelet& cl, const char* name, starpu_cpu_func_t on_cpu)
{
    starpu_codelet_init(&cl);
    cl.name = name;
    cl.nbuffers = STARPU_VARIABLE_NBUFFERS;
    cl.cpu_funcs[0] = on_cpu;
    cl.cuda_flags[0] = STARPU_CUDA_ASYNC;
    cl.opencl_flags[0] = STARPU_OPENCL_ASYNC;
    if constexpr (simulated) cl.model = &model_of_copies(); // kernels' own comes later
}

} // namespace

namespace
{

/// The strings lie in the program or in a plug-in, as the sources do.
const source_facts* keep_facts(source_facts facts)
{
    facts.scope = kept_text(facts.scope);
    facts.expanded = kept_text(facts.expanded);
    signature_text& types = facts.signature;
    if (types.parameters != nullptr) {
        auto* const parameters = new std::string_view[types.count + 1]; // live as long as the process
        for (std::size_t k = 0; k < types.count; ++k) parameters[k] = kept_text(types.parameters[k]);
        types.parameters = parameters;
        types.result = kept_text(types.result);
    }
    return new source_facts(facts);
}

} // namespace

call_site& new_call_site(skeleton kind)
{
    auto& s = *new call_site;
    s.what.kind = kind;
    return s;
}

argument add_slot(recipe& r, const slot_type& slot)
{
    r.slots.push_back(slot);
    return {argument_kind::slot, static_cast<unsigned>(r.slots.size() - 1)};
}

argument add_call(recipe& r, const function_source& f, std::string_view result, std::uint32_t result_size,
                  unsigned index, std::span<const argument> arguments)
{
    constexpr std::array indices{argument_kind::index1, argument_kind::index2, argument_kind::index3,
                                 argument_kind::index4};
    function_call c{keep_source(f), result, result_size, {}};
    if (index > 0) c.arguments.push_back({indices[index - 1], 0});
    c.arguments.insert(c.arguments.end(), arguments.begin(), arguments.end());
    r.calls.push_back(std::move(c));
    r.first_at = f.at;
    return {argument_kind::call, static_cast<unsigned>(r.calls.size() - 1)};
}

const function_source* keep_source(const function_source& s)
{
    function_source kept = s;
    kept.text = kept_text(s.text);
    kept.file = kept_text(s.file);
    if (s.around != nullptr) kept.around = kept_text(s.around);
    if (s.facts != nullptr) kept.facts = keep_facts(*s.facts);
    if (s.at.file != nullptr) kept.at.file = kept_text(s.at.file);
    std::lock_guard lock(guard);
    return &sources().emplace_back(kept);
}

void register_recipe(recipe& r)
{
    for (slot_type& s : r.slots) s.type = kept_text(s.type);
    for (function_call& f : r.calls) f.result = kept_text(f.result);
    r.result = kept_text(r.result);
    const function_source* at = !r.calls.empty() ? r.calls.back().function : r.combine;
    if (r.name.empty())
        r.name = at ? fmt::format("{} ({})", name_of(r.kind), place_of(*at, r.first_at)) : name_of(r.kind);
    for (const slot_type& s : r.slots)
        if (is_elementwise(s.kind) && (s.kind != slot_kind::element || r.kind != skeleton::all_pairs))
            r.bytes_per_element += s.size;
    r.key = key_of(r);

    std::lock_guard lock(guard);
    r.id = static_cast<std::uint32_t>(entries().size());
    codelet_entry& e = entries().emplace_back();
    e.what = &r;
    starpu_codelet& cl = e.codelet;
    set_functions(cl, r.name.c_str(), &run_on_cpu);
#if SKELRT_HAVE_CUDA || SKELRT_SIMULATION
    cl.cuda_funcs[0] = &run_on_cuda;
#endif
#if SKELRT_HAVE_OPENCL
    cl.opencl_funcs[0] = &run_on_opencl;
#endif
    cl.model = &model_of(r.key);
}

starpu_codelet& codelet_of(const recipe& r)
{
    std::lock_guard lock(guard);
    return entries()[r.id].codelet;
}

std::vector<const recipe*> registered_recipes()
{
    std::lock_guard lock(guard);
    std::vector<const recipe*> all;
    for (const codelet_entry& e : entries()) all.push_back(e.what);
    return all;
}

starpu_codelet& gather_codelet()
{
    static starpu_codelet& cl = []() -> starpu_codelet& {
        auto& c = *new starpu_codelet;
        set_functions(c, "gather", &gather_on_cpu);
#if SKELRT_HAVE_CUDA || SKELRT_SIMULATION
        c.cuda_funcs[0] = &gather_on_cuda;
#endif
#if SKELRT_HAVE_OPENCL
        c.opencl_funcs[0] = &gather_on_opencl;
#endif
        return c;
    }();
    return cl;
}

starpu_codelet& halo_codelet()
{
    static starpu_codelet& cl = []() -> starpu_codelet& {
        auto& c = *new starpu_codelet;
        set_functions(c, "halo", &copy_halo_on_cpu);
#if SKELRT_HAVE_CUDA || SKELRT_SIMULATION
        c.cuda_funcs[0] = &copy_halo_on_cuda;
#endif
#if SKELRT_HAVE_OPENCL
        c.opencl_funcs[0] = &copy_halo_on_opencl;
#endif
        return c;
    }();
    return cl;
}

starpu_codelet& combine_codelet()
{
    static starpu_codelet& cl = []() -> starpu_codelet& {
        auto& c = *new starpu_codelet;
        set_functions(c, "combine", &combine_on_cpu);
        return c;
    }();
    return cl;
}

starpu_codelet& batch_codelet()
{
    static starpu_codelet& cl = []() -> starpu_codelet& {
        auto& c = *new starpu_codelet;
        set_functions(c, "calls", &run_batch_on_cpu);
#if SKELRT_HAVE_CUDA
        c.cuda_funcs[0] = &run_batch_on_cuda;
#endif
        return c;
    }();
    return cl;
}

starpu_data_handle_t scratch_of(const recipe& r, std::size_t bytes)
{
    if (bytes == 0) return nullptr;
    std::unique_lock lock(guard);
    codelet_entry& e = entries()[r.id];
    lock.unlock();
    if (e.scratch && e.scratch_bytes < bytes) {
        engine::current()->order.flush_all_locked(); // what waits may use it
        starpu_data_unregister_submit(e.scratch);    // tasks in flight still use the smaller one
        e.scratch = nullptr;
    }
    if (!e.scratch) {
        register_handle(e.scratch, nullptr, bytes, 1);
        e.scratch_bytes = bytes;
    }
    return e.scratch;
}

void release_codelet_data() noexcept
{
    std::lock_guard lock(guard);
    for (codelet_entry& e : entries()) {
        if (e.scratch) starpu_data_unregister(e.scratch);
        e.scratch = nullptr;
        e.scratch_bytes = 0;
    }
    cpu::end_measuring();
    blas::release_devices();
#if SKELRT_HAVE_CUDA
    cuda::release_graphs();
    cuda::release_samples();
#endif
#if SKELRT_HAVE_OPENCL
    opencl::release_samples();
#endif
}

} // namespace skelrt::detail
