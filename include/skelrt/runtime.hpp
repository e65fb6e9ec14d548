// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/api.hpp"
#include "detail/caller.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace skelrt
{

/// Kinds of device.
enum class device : std::uint8_t { cpu = 1, cuda = 2, opencl = 4 };

/// A set of kinds: `device::cpu | device::cuda`.
class device_set
{
public:
    constexpr device_set() = default;
    constexpr device_set(device d) : bits_(static_cast<std::uint8_t>(d)) {}
    static constexpr device_set all() { return from_bits(7); }
    static constexpr device_set from_bits(unsigned bits)
    {
        device_set s;
        s.bits_ = static_cast<std::uint8_t>(bits);
        return s;
    }
    constexpr bool has(device d) const { return (bits_ & static_cast<std::uint8_t>(d)) != 0; }
    constexpr bool empty() const { return bits_ == 0; }
    constexpr unsigned bits() const { return bits_; }
    friend constexpr device_set operator|(device_set a, device_set b) { return from_bits(a.bits_ | b.bits_); }
    friend constexpr device_set operator&(device_set a, device_set b) { return from_bits(a.bits_ & b.bits_); }
    friend constexpr bool operator==(device_set, device_set) = default;

private:
    std::uint8_t bits_ = 0;
};
constexpr device_set operator|(device a, device b) { return device_set(a) | device_set(b); }

/// What a runtime may use. Negative numbers mean "all there are". The environment (`skelrt env`) wins over options
/// where a variable is set, so that a program can be tuned without a rebuild.
struct options {
    int cpu_cores = -1;
    int cuda_devices = -1;
    int opencl_devices = -1;    ///< GPUs only, unless opencl_on_cpu
    bool opencl_on_cpu = false; ///< use OpenCL devices that are CPUs (PoCL), too
    std::string policy;         ///< scheduling policy, see docs/schedulers.md; empty: skelrt, which obeys the planner
    std::size_t tiles = 0;      ///< tiles per container; 0: chosen from its size
    bool fusion = true;         ///< nested calls become one kernel; false: one after the other, with temporaries
    std::shared_ptr<const void> communicator; ///< what sk::on (mpi.hpp) gives; empty: all ranks that were started
};

/// One device that the runtime uses.
struct device_info {
    device kind;
    int number; ///< counted within the kind; the CPU cores together are one device
    std::string name;
    unsigned cores;     ///< CPU cores; 0 for others
    std::size_t memory; ///< bytes of its own memory; 0 if it shares the host's
};

/// StarPU, the devices and the worker threads. One per process; containers may outlive it.
///
/// Start: throws error if another runtime lives, or if no device is usable. End: waits for all calls and
/// tasks, and for items that run; those of farms, groups and pipelines that have not begun are cancelled, which the log
/// tells. Brings all data home, stops StarPU; never throws. Thread safety: calls may come from several threads.
class SKELRT_API runtime
{
public:
    runtime() : runtime(options{}) {}
    explicit runtime(const options& wanted);
    ~runtime();
    runtime(const runtime&) = delete;
    runtime& operator=(const runtime&) = delete;

    /// The devices in use.
    std::vector<device_info> devices() const;
    /// Waits for every call made so far. Errors stay with their data.
    void wait();
    /// Whether a runtime lives in this process.
    static bool running() noexcept;
};

/// While it lives, calls of this thread run on these kinds of device only (never inline unless the CPU is among them).
/// Throws error if none of them is in use. Nests.
class SKELRT_API only
{
public:
    [[nodiscard("skelrt: sk::only holds while it lives")]] explicit only(device_set kinds,
                                                                         detail::caller where = detail::caller::here());
    ~only();
    only(const only&) = delete;
    only& operator=(const only&) = delete;

private:
    device_set previous_;
};

/// While it lives, nested calls of this thread fuse into one kernel, or do not; whatever the options say. The results
/// are the same, but for the rounding of floating-point numbers where a compiler contracts across calls. Nests.
class SKELRT_API fusion
{
public:
    [[nodiscard("skelrt: sk::fusion holds while it lives")]] explicit fusion(bool on) noexcept;
    ~fusion();
    fusion(const fusion&) = delete;
    fusion& operator=(const fusion&) = delete;

private:
    std::optional<bool> previous_;
};

/// What calls were measured to cost, in this process and in earlier ones, and what programs usually do with their
/// results: all is forgotten, as if this were the first run on a machine. For benchmarks and tests of first calls. The
/// calls under way are waited for. Files on disk stay; so does what is known of the machine itself.
SKELRT_API void forget_models();

} // namespace skelrt
