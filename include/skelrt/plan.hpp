// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "runtime.hpp"

#include <iosfwd>
#include <limits>
#include <string>
#include <vector>

namespace skelrt
{

/// A device and its share of a call.
struct plan_share {
    device kind;
    double part = 1; ///< of the elements, 0 to 1
    int number = 0;  ///< of the device within its kind; the CPU's cores together are cpu 0
    unsigned pieces =
        0; ///< so many tasks, one after the other, copies of one under the kernels of another; 0: automatic
    unsigned threads = 0; ///< the CPU only: so many cores work; 0: all
    unsigned block =
        0; ///< CUDA and OpenCL: threads of a block, 32, 64, ... 1024, of maps any multiple of 32; 0: automatic
    friend bool operator==(const plan_share&, const plan_share&) = default;
};

/// Sizes, and who does calls of these sizes.
struct plan_range {
    std::size_t from, to; ///< elements of the call, both included
    std::vector<plan_share> shares;
    friend bool operator==(const plan_range&, const plan_range&) = default;
};

/// An execution plan: which devices do a call of which size, and in what shares. Made by hand or by `skelrt tune`; a
/// skeleton gets it with use(), a whole program with SKELRT_PLAN=file.
///
///     sk::plan p;
///     p.range(0, 100'000, {{sk::device::cpu}});
///     p.range(100'001, sk::plan::any_size, {{sk::device::cuda, 0.7}, {sk::device::cpu, 0.3}});
///     saxpy.use(p);
///
/// The size of a call is the number of positions that it works on: of elements read by a reduction, of the result's
/// otherwise. Parts are rounded to whole tiles of the containers; the shares follow each other in the order given. A
/// call whose size lies in no range is placed automatically, as without a plan. Small calls on host data, on the CPU
/// alone and without pieces and threads, stay on the calling thread. STARPU_SCHED wins over plans, as over all
/// placement.
/// Errors (sk::error): from range() and load() for what cannot be; from the call for a device that is not in use there,
/// or that cannot run it.
class SKELRT_API plan
{
public:
    static constexpr std::size_t any_size = std::numeric_limits<std::size_t>::max();

    /// Everything automatic.
    plan() = default;
    /// The same for all sizes.
    explicit plan(std::vector<plan_share> shares);

    /// Adds a range of sizes, both ends included. It overlaps no other; its parts sum to 1; no device comes twice.
    plan& range(std::size_t from, std::size_t to, std::vector<plan_share> shares);

    /// In the order of sizes.
    const std::vector<plan_range>& ranges() const noexcept { return ranges_; }
    /// The range that a size lies in; null: none.
    const plan_range* at(std::size_t elements) const noexcept;

    /// JSON; throw error naming the file.
    void save(const std::string& file) const;
    static plan load(const std::string& file);

    /// A line for each range, for people.
    std::string to_text() const;

    friend bool operator==(const plan&, const plan&) = default;

private:
    std::vector<plan_range> ranges_;
};

/// While it lives, calls of this thread obey a plan, whatever SKELRT_PLAN says; those of a skeleton that has one of its
/// own obey that. Nests.
class SKELRT_API follow
{
public:
    explicit follow(plan p);
    ~follow();
    follow(const follow&) = delete;
    follow& operator=(const follow&) = delete;

private:
    plan plan_;
    const plan* previous_;
};

SKELRT_API std::ostream& operator<<(std::ostream& to, const plan& p);

} // namespace skelrt
