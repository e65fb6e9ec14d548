// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/peers.hpp"
#include "src/config.hpp"
#include "src/data/managed.hpp"
#include "src/data/memory/blocks_at_start.hpp"
#include "src/data/memory/memory.hpp"
#include "src/data/release.hpp"
#include "src/data/waiting/wait_for_all.hpp"
#include "src/jit/timing/nvtx.hpp"
#include "src/lowering/engine.hpp"
#if SKELRT_HAVE_CUDA
#include "codelets/cuda/samples.hpp"
#include "src/jit/lanes/cuda_queue.hpp"
#include "src/jit/nvrtc/library.hpp"
#include "src/jit/nvrtc/used_kernels.hpp"
#include "src/jit/timing/kernel_span.hpp"
#endif
#include "src/lowering/checks/device_table.hpp"
#include "src/lowering/decide/cache.hpp"
#include "src/lowering/decide/episodes.hpp"
#include "src/lowering/decide/kernels/kernel_builder.hpp"
#include "src/lowering/decide/runs/run_episode.hpp"
#include "src/lowering/plan/load_board.hpp"
#include "src/lowering/ranks/products/limits.hpp"
#include "src/lowering/ranks/steps/agreed_steps.hpp"
#include "src/lowering/registry.hpp"
#include "src/lowering/replay/recorder.hpp"
#include "src/lowering/run/make_tasks.hpp"
#include "src/lowering/run/pending.hpp"
#include "src/lowering/run/trace.hpp"
#include "src/lowering/summary/call_summary.hpp"
#include "src/model/files/plan_file.hpp"
#include "src/model/files/store.hpp"
#include "src/model/knowledge.hpp"
#include "src/model/machine/device_key.hpp"
#include "src/model/machine/find_machine.hpp"
#include "src/program/program.hpp"
#include "src/runtime/environment/environment.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/memory/small_memory.hpp"
#include "src/runtime/simulated.hpp"
#include "src/runtime/starpu_task.hpp"
#include "src/runtime/visit.hpp"
#include "src/trace/timeline.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace skelrt::detail
{

std::atomic<bool> engine::fusion_{true};

namespace
{

void refuse_where_none_can_start()
{
    if (is_forked_from_runtime())
        throw error("sk::runtime: this process was forked from one whose runtime lives, and StarPU cannot be started "
                    "again in it; fork first, or let the child exec");
    if (drivers_are_parents()) // StarPU, too, asks them, whatever devices are wanted
        throw error(
            "sk::runtime: this process was forked from one whose runtime has used CUDA or OpenCL, whose drivers are "
            "of no use in a child; fork before the first runtime starts, or let the child exec");
    if (running::current())
        throw error("sk::runtime: a runtime already lives in this process; there is one per process, so keep the first "
                    "and pass a reference to it around");
}

/// What can be refused before other ranks are asked.
launch begin_start(const options& asked)
{
    refuse_where_none_can_start();
    start_log();
    for (const std::string& complaint : environment_complaints()) log_warning("{}", complaint);
    const launch started = launched_on(asked.communicator.get());
    if (started.is_cluster() && env_text("SKELRT_CALLS"))
        throw error("sk::runtime: SKELRT_CALLS records a program that runs as one process; start it without mpirun, or "
                    "with SKELRT_CLUSTER=off");
    return started;
}

/// All else that can be refused before a device is touched.
settings prepare(const options& wanted)
{
    settings s = read_settings(wanted);
    s.plans = plans_of_environment();
    if (!s.trace.empty()) prepare_recording();
    tell_profilers();
    return s;
}

double bytes_in_caches(const machine& here)
{
    const device_peaks* const cpu = here.any("cpu");
    return cpu && cpu->cache.value > 0 ? cpu->cache.value : std::numeric_limits<double>::infinity();
}

/// Of the host's memory a rank's part, or, if that is less, a GPU's.
double memory_of_rank(const running& r)
{
    double bytes = 2 * static_cast<double>(comfortable_bytes()) / r.cluster->local_size();
    for (const target& t : r.devices().targets())
        if (t.memory > 0) bytes = std::min(bytes, static_cast<double>(t.memory));
    return bytes;
}

std::vector<std::uint64_t> keys_of_recipes()
{
    std::vector<std::uint64_t> keys;
    for (const recipe* r : registered_recipes()) keys.push_back(r->key);
    return keys;
}

/// See knowledge.
knowledge& all_that_is_learnt()
{
    static auto& all = *new knowledge(&keys_of_recipes);
    return all;
}

/// What takes some milliseconds beside GPUs, and the first calls would wait for, while the rest of the runtime starts.
std::vector<std::jthread> begin_to_prepare([[maybe_unused]] const starpu_devices& devices, blocks_at_start& blocks)
{
    std::vector<std::jthread> all;
#if SKELRT_HAVE_CUDA
    if (devices.has_cuda()) all.emplace_back([] { find_nvrtc(); });
    if (devices.has_cuda() && !simulated) {
        all.emplace_back([&blocks] {
            blocks.pin();
            make_first_chunk();
        });
        return all;
    }
#endif
    blocks.drop();
    return all;
}

#if SKELRT_HAVE_CUDA
void load_what_was_used(int gpu, const std::stop_token& ends) noexcept
{
    try {
        cuda::reserve_samples(gpu);
    } catch (const error&) { // whoever checks a function there sees it
    }
    load_used_kernels(gpu, ends);
}
#endif

/// What earlier processes of this program have used on GPUs, while the program begins.
void begin_to_load_kernels([[maybe_unused]] kernel_builder& builder, [[maybe_unused]] const starpu_devices& devices)
{
#if SKELRT_HAVE_CUDA
    if (simulated || !devices.has_cuda() || !knows_used_kernels()) return;
    std::vector<int> gpus;
    for (const target& t : devices.targets())
        if (t.kind == device::cuda) gpus.push_back(t.number);
    builder.load_beside([gpus](const std::stop_token& ends) {
        for (const int gpu : gpus) load_what_was_used(gpu, ends);
    });
#endif
}

std::string name_of_memory(unsigned node)
{
    char name[64];
    starpu_memory_node_get_name(node, name, sizeof name);
    return name;
}

} // namespace

engine::engine(const options& asked)
    : membership(begin_start(asked)), running(with_ranks(prepare(asked)), *this, all_that_is_learnt(), others()),
      pending_(std::make_unique<pending_calls>()), decisions_(std::make_unique<decision_cache>()),
      loads_(std::make_unique<load_board>(devices().targets().size())), builder_(std::make_unique<kernel_builder>()),
      steps_(std::make_unique<agreed_steps>())
{
    fusion_ = wanted.fuses;
#if SKELRT_HAVE_CUDA
    set_cuda_lanes(devices().policy_places() ? 1 : wanted.lanes); // other policies go by when tasks end
#endif
    std::vector<std::jthread> beside = begin_to_prepare(devices(), *this);
    begin_to_load_kernels(*builder_, devices());
    start_trace();
    start_timeline();
    if (wanted.summary) summary_ = std::make_unique<call_summary>();
    recorder_ = call_recorder::of_environment();
    const machine here = find_machine(targets_to_rate(), devices().describe(), devices().cores());
    learnt.models.set_machine(here);
    streams_from_bytes_ = wanted.stream_bytes ? *wanted.stream_bytes : bytes_in_caches(here);
    learnt.begin(known_devices(devices().targets(), here));
    keeper_ = std::make_unique<knowledge_keeper>(learnt, order, is_first_on_node());
    pending_->start(order, devices().targets(), wanted.calls_a_task);
    ground_ =
        std::make_unique<episode_ground>(*this, wanted.learns_episodes && !devices().policy_places() && !simulated);
    join_others();
    if (cluster) limits_ = std::make_unique<rank_limits>(agree_on_limits(*cluster, memory_of_rank(*this), here));
    beside.clear(); // they would have cores that the first calls want
    open();
}

engine::~engine()
{
    const visit mine;
    close_to_visitors();
    wait_for_all_tasks(*this);
    if (program_part* const known = program::current().part(number)) static_cast<episodes&>(*known).close();
    builder_->end();
    leave_others();
    if (wanted.checks_devices) print_device_table();
    if (summary_) summary_->print();
#if SKELRT_HAVE_CUDA
    finish_kernel_spans();
    keep_used_kernels();
    if (!simulated) keep_block_counts(); // there is nothing to copy
#endif
    if (const std::string problem = end_recording(); !problem.empty()) log_error("{}", problem);
    hide();
    release_all_managed();
    release_codelet_data();
#if SKELRT_HAVE_CUDA
    release_cuda_queues();
#endif
    stop_messages();
    const device_set kinds = devices().available();
    const unsigned cores = devices().cores();
    stop_devices();
    if (recorder_) recorder_->write(learnt.models, kinds, cores);
    keeper_.reset(); // all runs are observed
    fusion_ = true;
}

void engine::start_timeline() const
{
    if (wanted.trace.empty()) return;
    trace_setting s;
    s.file = wanted.trace;
    s.megabytes = wanted.trace_megabytes;
    s.runtime = number;
    if (cluster) s.rank = cluster->rank(), s.ranks = cluster->size();
    for (const target& t : devices().targets()) s.targets.push_back(device_text({t.kind, 1, t.number}));
    s.workers = names_of_workers();
    for (unsigned node = 0; node < starpu_memory_nodes_get_count(); ++node) s.memories.push_back(name_of_memory(node));
    if (const std::string problem = begin_recording(s); !problem.empty()) throw error(problem);
}

bool engine::any() const noexcept { return pending_->any(); }
bool engine::due() const noexcept { return pending_->due(); }
void engine::send_due() noexcept { pending_->send_due(); }
void engine::send_all() noexcept { pending_->send(); }
void engine::send_own() noexcept { pending_->send_of(program::current()); }
void engine::send_batch(std::uint64_t number) noexcept { pending_->send_batch(number); }

void engine::copy_tile(const tile_copy& c)
{
    std::vector<const target*> all;
    for (const target& t : devices().targets()) all.push_back(&t);
    const auto there = std::ranges::find(all, c.node, &target::node);
    starpu_task* const t = make_copy_task(c);
    send_to(*t, there == all.end() || devices().policy_places() ? nullptr : *there, all);
    if (submit_task(t, program::current().wishes.priority) == 0) return;
    discard(t);
    c.faults->add(c.call, std::make_exception_ptr(error("copy of a container: StarPU has no worker that can make it")));
    c.done(c.of);
}

void engine::before_wait() noexcept { end_late_accesses(); } // tasks wait for them

void engine::host_waited(const storage* data)
{
    program::current().row.end();
    run_episode::host_waited(*this);
    if (episodes& mine = program_episodes(); mine.waits()) mine.waited_for(data);
}

episodes& engine::begin_episodes()
{
    program& p = program::current();
    const std::lock_guard lock(episodes_guard_);
    episodes& made = *episodes_.emplace_back(std::make_unique<episodes>(*ground_, p));
    p.set_part(made, number);
    return made;
}

} // namespace skelrt::detail
