// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/join.hpp"

#include "src/cluster/faults.hpp"
#include "src/cluster/peers.hpp"
#include "src/cluster/trees.hpp"
#include "src/data/managed.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/parting/held.hpp"
#include "src/data/parting/opened_on_host.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/place/storages_of.hpp"
#include "src/lowering/ranks/call_faults.hpp"
#include "src/lowering/ranks/call_share.hpp"
#include "src/lowering/ranks/partings/container_copies.hpp"

#include "codelets/element_memory.hpp"

#include <skelrt/detail/user_code.hpp>
#include <skelrt/error.hpp>
#include <skelrt/view.hpp>

#include <algorithm>
#include <cstring>
#include <exception>
#include <mutex>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace skelrt::detail
{

namespace
{

/// What a rank has of the result of a call, and what becomes of it.
class partial_result : public joint_result
{
public:
    partial_result(const call& c, peers& others)
        : call_(c), what_(c.site->what), others_(others), count_(what_.kind == skeleton::reduce ? 1 : c.result.cols),
          bytes_(count_ * what_.result_size), values_(bytes_ + 1), right_(bytes_)
    {
    }

    void run(const call_share& share, const run_local& run) override
    {
        call mine = share.mine();
        if (!share.is_first()) mine.start = nullptr; // in front of the whole
        mine.value = nullptr;
        if (what_.kind == skeleton::reduce) {
            mine.value = values_.data();
            return run(mine);
        }
        const storage_ref here = create_held(all_held(1, count_), what_.result_size, false);
        mine.result = {here.get(), nullptr, 0, 1, count_, count_, 1};
        run(mine);
        const opened_on_host read(*here, access::read);
        std::memcpy(values_.data(), read.data(), bytes_);
    }

    /// The bits of rank 0's everywhere. A rank that failed says so in the last byte.
    void join(bool there, std::exception_ptr mine) override
    {
        std::byte& failed = values_.data()[bytes_];
        failed = std::byte{mine != nullptr};
        const auto combine = [&](std::span<std::byte> left, std::span<const std::byte> right) {
            left.back() |= right.back();
            if (left.back() != std::byte{0}) return;
            std::memcpy(right_.data(), right.data(), bytes_); // to where elements may lie
            try {
                const in_user_code mark;
                what_.cpu.combine(left.data(), right_.data(), count_);
            } catch (...) {
                mine = std::current_exception();
                left.back() = std::byte{1};
            }
        };
        reduce_to_all(others_, {values_.data(), bytes_ + 1}, there || mine, combine);
        if (failed != std::byte{0}) throw_together(others_, mine);
    }

    void deliver() const override
    {
        if (call_.value) {
            std::memcpy(call_.value, values_.data(), bytes_);
            return;
        }
        storage& to = *call_.result.data;
        const opened_on_host open(to, has_all_elements(call_.result) ? access::write : access::read_write);
        const block all = held_elements(to, call_.result);
        std::memcpy(open.data() + all.in_storage * what_.result_size,
                    values_.data() + all.in_values * what_.result_size, all.count * what_.result_size);
    }

    void check_place() const override
    {
        if (call_.value || has_all_elements(call_.result)) return;
        storage& to = *call_.result.data;
        check_foreign_faults(to);
        wait_for(to, {0, to.rows, to.cols, to.cols, 1});
    }

private:
    /// Of a line of values that goes to an operand, those that this rank holds.
    struct block {
        std::size_t in_storage, in_values, count;
    };
    static block held_elements(const storage& to, const operand& o)
    {
        const std::size_t begin = std::max(to.first, o.offset);
        const std::size_t end = std::min(to.first + to.count(), o.offset + o.cols);
        if (begin >= end) return {0, 0, 0};
        return {begin - to.first, begin - o.offset, end - begin};
    }

    const call& call_;
    const recipe& what_;
    peers& others_;
    std::size_t count_, bytes_;
    element_memory values_, right_;
};

} // namespace

void run_for_results(engine& e, const call& mine, const run_local& run)
{
    try {
        run(mine);
    } catch (...) {
        const std::exception_ptr what = std::current_exception();
        const std::lock_guard lock(e.order);
        const std::uint64_t number = ++e.order.calls_made;
        for_each_storage(mine, [&](storage& s, bool written) {
            if (!written) return;
            managed_state* const m = s.managed.load(std::memory_order_acquire);
            if (m) m->faults->add(number, what);
            else keep_fault(s, what);
        });
    }
}

bool has_partial_results(const call& c) noexcept
{
    const skeleton kind = c.site->what.kind;
    return kind == skeleton::reduce || kind == skeleton::reduce_columns;
}

void make_together(engine& e, const call& c, const call_share& share, const run_local& run, joint_result& result)
{
    std::exception_ptr failed;
    try {
        check_operands(c, !share.empty());
        result.check_place();
        if (!share.empty()) result.run(share, run);
    } catch (...) {
        failed = std::current_exception();
    }
    e.order.flush(); // others may wait for these calls
    result.join(!share.empty(), failed);
    result.deliver();
}

void run_and_join(engine& e, const call& c, const call_share& share, const run_local& run)
{
    partial_result result(c, *e.cluster);
    make_together(e, c, share, run, result);
}

} // namespace skelrt::detail
