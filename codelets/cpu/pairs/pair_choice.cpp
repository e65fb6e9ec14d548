// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cpu/pairs/pair_choice.hpp"

#include "codelets/blas/openblas.hpp"
#include "codelets/blas/plain_product.hpp"
#include "codelets/cpu/skeletons.hpp"
#include "src/runtime/log.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <mutex>
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
        : what_(what), elements_(blas::with_one(*blas::plain_product_of(what), [](auto one) { return bytes_of(one); }))
    {
        const std::size_t matrix = side * side * what.result_size;
        for (std::size_t k = 0; k < 3; ++k) {
            const slot_kind kind = what.slots[k].kind;
            const bool across = kind == slot_kind::column_vec; // their steps are given the other way round
            views_.push_back({elements_.data() + k * matrix, 0, side, side, across ? 1 : side, across ? side : 1});
        }
    }
    double us(bool by_blas)
    {
        work w{what_, true, side, {&all_, 1}, views_};
        w.depth = side;
        const auto begin = std::chrono::steady_clock::now();
        all_pairs(w, 0, 1, by_blas);
        return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
    }

private:
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

/// Both in turn, so that what else the machine does meets both; the best of each counts.
bool measure(const recipe& what)
{
    sample_product sample(what);
    double ours = std::numeric_limits<double>::max(), blas = ours;
    for (int k = 0; k < rounds; ++k) {
        ours = std::min(ours, sample.us(false));
        blas = std::min(blas, sample.us(true));
    }
    log_info("products of {}s on a core, {} x {}: OpenBLAS {:.0f} us, our kernel {:.0f} us", what.result, side, side,
             blas, ours);
    return blas < ours;
}

/// Of the kernel that the program was compiled with; others wait for who measures.
bool is_faster(const recipe& what)
{
    static std::mutex guard;
    static std::map<void (*)(const pair_tile&), bool> known;
    const std::lock_guard lock(guard);
    const auto kernel = what.cpu.pairs->tile;
    if (const auto found = known.find(kernel); found != known.end()) return found->second;
    return known[kernel] = measure(what);
}

/// A matrix times a vector: wider registers are no help.
bool waits_for_memory(const work& w)
{
    return w.segments[0].cols == 1 || (w.segments.size() == 1 && w.segments[0].rows == 1);
}

} // namespace

bool goes_to_blas(const work& w)
{
    return blas::cores::multiplies(w) && (blas::is_preferred() || waits_for_memory(w) || is_faster(w.what));
}

void prepare_pairs(const recipe& what)
{
    if (!blas::cores::knows(what)) return;
    if (!blas::is_preferred()) is_faster(what);
}

} // namespace skelrt::detail::cpu
