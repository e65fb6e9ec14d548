// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cpu/pairs/pair_choice.hpp"

#include "codelets/blas/openblas.hpp"
#include "codelets/blas/plain_product.hpp"
#include "codelets/cpu/cpu.hpp"
#include "codelets/cpu/skeletons.hpp"
#include "src/runtime/cores/team.hpp"
#include "src/runtime/log.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <future>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <vector>

namespace skelrt::detail::cpu
{
namespace
{

constexpr std::size_t side = 192; ///< rows, columns and depth of the products that are timed
constexpr int rounds = 4;

/// A small product, with values of ones.
class sample_product
{
public:
    explicit sample_product(const recipe& what)
        : what_(what), elements_(blas::with_one(*blas::product_of(what), [](auto one) { return bytes_of(one); }))
    {
        for (std::size_t k = 0; k < what.slots.size(); ++k) views_.push_back(view_of(k));
    }
    double us(bool by_blas)
    {
        work w{what_, true, side, {&all_, 1}, views_};
        w.depth = side;
        w.result = {matrix(2), 0, 1, side, side, 1};
        const auto begin = std::chrono::steady_clock::now();
        run(w, by_blas);
        return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
    }

private:
    std::byte* matrix(std::size_t k) { return elements_.data() + k * side * side * what_.result_size; }

    slot_view view_of(std::size_t slot)
    {
        const bool is_result = slot + 1 == what_.slots.size();
        std::byte* const data =
            matrix(what_.kind == skeleton::all_pairs && is_result ? 2 : std::min<std::size_t>(slot, 1));
        switch (what_.slots[slot].kind) {
        case slot_kind::column_vec: // its steps are given the other way round
            return {data, 0, side, side, 1, side};
        case slot_kind::row_element:
            return {data, 0, side, 1, 1, 0};
        case slot_kind::column_element:
            return {data, 0, 1, side, 0, 1};
        default: // factors are ones, too
            return {data, 0, side, side, side, 1};
        }
    }

    void run(const work& w, bool by_blas) const
    {
        const cpu_block block{all_, side, views_.data(), &what_};
        if (what_.kind == skeleton::all_pairs) all_pairs(w, 0, 1, by_blas);
        else if (what_.kind == skeleton::reduce_rows)
            fold_rows(what_, block, nullptr, static_cast<std::byte*>(w.result.data), by_blas);
        else fold_columns(what_, block, w.result.data, false, by_blas);
    }

    template <class T>
    static std::vector<std::byte> bytes_of(const T& one)
    {
        std::vector<std::byte> all(3 * side * side * sizeof(T));
        std::fill_n(reinterpret_cast<T*>(all.data()), 3 * side * side, one);
        return all;
    }

    const recipe& what_;
    std::vector<std::byte> elements_;
    std::vector<slot_view> views_;
    segment all_{side, side, 0, 0};
};

enum class openblas_is : std::uint8_t { missing, slower, faster };

/// Both in turn, so that what else the machine does meets both; the best of each counts.
openblas_is measure(const recipe& what)
{
    if (!blas::cores::knows(what)) return openblas_is::missing;
    sample_product sample(what);
    double ours = std::numeric_limits<double>::max(), blas = ours;
    for (int k = 0; k < rounds; ++k) {
        ours = std::min(ours, sample.us(false));
        blas = std::min(blas, sample.us(true));
    }
    log_info("products of {}s on a core, {} x {}{}: OpenBLAS {:.0f} us, our kernel {:.0f} us", what.result, side, side,
             what.kind == skeleton::all_pairs ? "" : " and a vector", blas, ours);
    return blas < ours ? openblas_is::faster : openblas_is::slower;
}

openblas_is measure_anywhere(const recipe& what) noexcept
try {
    run_anywhere();
    held_core core; // regions had better do without it than wait for it
    core.take();
    return measure(what);
} catch (const std::exception& e) {
    log_info("products of {}s on a core: our kernel: {}", what.result, e.what());
    return openblas_is::missing;
}

/// What the program was compiled with for a product's numbers.
using kernel = void (*)();
kernel kernel_of(const recipe& what)
{
    if (what.kind == skeleton::all_pairs) return reinterpret_cast<kernel>(what.cpu.pairs->tile);
    if (what.kind == skeleton::reduce_rows) return reinterpret_cast<kernel>(what.cpu.fold_rows);
    return reinterpret_cast<kernel>(what.cpu.fold_columns);
}

/// Of each such kernel. Never destroyed: products may outlive static objects.
struct measurements {
    std::mutex guard;
    std::map<kernel, std::shared_future<openblas_is>> all;
};

measurements& begun()
{
    static auto& all = *new measurements;
    return all;
}

/// Products of two elements, of a program so far: by then the cores have computed for about as long as it takes.
constexpr std::size_t worth_measuring = std::size_t{1} << 26;
/// Of one call: those take longer.
constexpr std::size_t worth_waiting = std::size_t{1} << 30;

std::shared_future<openblas_is> begin_to_measure(const recipe& what)
{
    measurements& m = begun();
    const std::lock_guard lock(m.guard);
    std::shared_future<openblas_is>& one = m.all[kernel_of(what)];
    if (one.valid()) return one;
    try {
        one = std::async(std::launch::async, [&what] { return measure_anywhere(what); });
    } catch (const std::system_error&) { // no thread for it: our kernel serves
        std::promise<openblas_is> none;
        none.set_value(openblas_is::missing);
        one = none.get_future();
    }
    return one;
}

/// None: not yet.
std::optional<openblas_is> measured(const recipe& what)
{
    measurements& m = begun();
    const std::lock_guard lock(m.guard);
    const auto found = m.all.find(kernel_of(what));
    if (found == m.all.end() || found->second.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return {};
    return found->second.get();
}

/// All pairs of a matrix and a vector, for which our kernel is not made.
bool is_one_line(const work& w)
{
    if (w.what.kind != skeleton::all_pairs) return false;
    return w.segments[0].cols == 1 || (w.segments.size() == 1 && w.segments[0].rows == 1);
}

} // namespace

bool goes_to_blas(const work& w)
{
    if (blas::is_preferred()) return blas::cores::multiplies(w);
    if (!blas::cores::suits(w)) return false;
    const std::optional<openblas_is> here = measured(w.what);
    return here == openblas_is::faster || (here == openblas_is::slower && is_one_line(w));
}

void prepare_product(const work& w)
{
    if (!blas::cores::is_product(w.what)) return;
    if (blas::is_preferred()) {
        blas::cores::knows(w.what);
        return;
    }
    static std::atomic<std::size_t> so_far{0};
    const std::size_t products = element_count(w.segments) * w.depth;
    if (so_far.fetch_add(products, std::memory_order_relaxed) + products < worth_measuring) return;
    const std::shared_future<openblas_is> begun = begin_to_measure(w.what);
    if (products >= worth_waiting) begun.wait();
}

void end_measuring() noexcept
{
    measurements& m = begun();
    const std::lock_guard lock(m.guard);
    for (auto& [kernel, one] : m.all) one.wait();
}

} // namespace skelrt::detail::cpu
