// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/cpu/pairs/pair_choice.hpp"
#include "codelets/work.hpp"

#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// Products put together by hand: what the front end makes of sk::all_pairs(sk::multiplies, sk::plus)(A, B).
namespace products
{

using namespace skelrt::detail;
namespace sk = skelrt;

/// Which sides are transposed in memory.
struct sides {
    bool left = false, right = false;
};

template <class T, bool Across>
using side_tree = std::conditional_t<Across, transposed_expression<T>, leaf_expression<element_leaf<T>>>;

template <class T, class Side, bool Left, bool Right>
inline constexpr const pair_functions* functions =
    &pair_functions_of<side_tree<Side, Left>, side_tree<Side, Right>, decltype(sk::multiplies)::lambda,
                       decltype(sk::plus)::lambda, T>;

/// Of the first two slots.
template <class T>
void sum_products(recipe& what, const function_source& times, const function_source& plus)
{
    what.calls.push_back({&times, type_text<T>(), sizeof(T), {{argument_kind::slot, 0}, {argument_kind::slot, 1}}});
    what.root = {argument_kind::call, 0};
    what.combine = &plus;
    what.result = type_text<T>();
    what.result_size = sizeof(T);
    what.result_align = alignof(T);
}

/// `known`: of sk::multiplies and sk::plus; else of functions that do the same, which nobody sees. Sides of short
/// numbers give floats.
template <class T, class Side = T>
class product_recipe
{
public:
    explicit product_recipe(const sides& across, bool known = true)
        : zip_(sk::multiplies.source()), op_(sk::plus.source())
    {
        if (!known) op_.text = "(auto a, auto b) { return a + (b); }";
        what_.kind = skeleton::all_pairs;
        what_.name = "product";
        what_.slots = {slot<Side>(across.left ? slot_kind::column_vec : slot_kind::row_vec),
                       slot<Side>(slot_kind::column_vec), slot<T>(slot_kind::element)};
        sum_products<T>(what_, zip_, op_);
        what_.cpu.pairs = across.left
                              ? (across.right ? functions<T, Side, true, true> : functions<T, Side, true, false>)
                              : (across.right ? functions<T, Side, false, true> : functions<T, Side, false, false>);
        what_.cpu.combine = &combine_values<T, decltype(sk::plus)::lambda>;
    }
    product_recipe(const product_recipe&) = delete;
    product_recipe& operator=(const product_recipe&) = delete;
    ~product_recipe() { cpu::end_measuring(); }
    recipe& get() { return what_; }

private:
    template <class E>
    static slot_type slot(slot_kind kind)
    {
        return {kind, type_text<E>(), sizeof(E), alignof(E)};
    }

    function_source zip_, op_;
    recipe what_;
};

/// A side in memory: `rows` of `depth` elements, as they are or across, with `pad` elements behind each line.
template <class T>
struct side_values {
    std::size_t rows, depth;
    bool across;
    std::size_t pad;
    std::vector<T> memory;

    std::size_t ld() const { return (across ? rows : depth) + pad; }
    T& at(std::size_t row, std::size_t k) { return memory[across ? k * ld() + row : row * ld() + k]; }
    const T& at(std::size_t row, std::size_t k) const { return memory[across ? k * ld() + row : row * ld() + k]; }
    std::size_t row_step() const { return across ? 1 : ld(); }
    std::size_t element_step() const { return across ? ld() : 1; }
};

/// value(row, k) in all places.
template <class T, class Value>
side_values<T> side_of(std::size_t rows, std::size_t depth, bool across, std::size_t pad, Value value)
{
    side_values<T> s{rows, depth, across, pad, {}};
    s.memory.assign((across ? depth : rows) * s.ld(), T{-77});
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t k = 0; k < depth; ++k) s.at(r, k) = value(r, k);
    return s;
}

/// The pieces of a product's work. `left`, `right` and `result` are where the elements lie for who does it; the result
/// has lines of `result_ld` elements, and is cut into so many tiles, between which `gap` elements lie.
template <class T, class Side = T>
class product_work
{
public:
    product_work(const recipe& what, const side_values<Side>& a, const Side* left, const side_values<Side>& b,
                 const Side* right, T* result, std::size_t result_ld, std::size_t tiles, std::size_t gap = 0)
        : what_(what), cols_(b.rows), depth_(a.depth)
    {
        const std::size_t height = (a.rows + tiles - 1) / tiles;
        for (std::size_t row = 0, number = 0; row < a.rows; row += height, ++number) {
            const std::size_t rows = std::min(height, a.rows - row);
            segments_.push_back({rows, b.rows, row, 0});
            // What is read across is read whole.
            if (a.across) add(left, a.rows, a.depth, a.element_step(), a.row_step());
            else add(left + row * a.row_step(), rows, a.depth, a.row_step(), a.element_step());
            add(right, b.rows, b.depth, b.element_step(), b.row_step());
            add(result + row * result_ld + number * gap, rows, b.rows, result_ld, 1);
        }
    }

    work get(const T* start = nullptr, bool begun = false) const
    {
        work w{what_, true, cols_, segments_, views_};
        w.depth = depth_;
        w.start = start;
        w.begun = begun;
        return w;
    }

private:
    template <class E>
    void add(const E* data, std::size_t rows, std::size_t cols, std::size_t ld, std::size_t stride)
    {
        views_.push_back({const_cast<E*>(data), 0, rows, cols, ld, stride});
    }

    const recipe& what_;
    std::size_t cols_, depth_;
    std::vector<segment> segments_;
    std::vector<slot_view> views_;
};

/// Small whole numbers: their products are exact in floats, in any order.
inline int small(std::size_t i, std::size_t k, unsigned seed) { return static_cast<int>((i * 31 + k * seed) % 11) - 5; }

/// The same as an element; complex ones have two.
template <class T>
T small_value(std::size_t i, std::size_t k, unsigned seed)
{
    if constexpr (requires(T v) { v.imag(); })
        return {static_cast<typename T::value_type>(small(i, k, seed)),
                static_cast<typename T::value_type>(small(k, i, seed + 2))};
    else return static_cast<T>(small(i, k, seed));
}

struct shape {
    std::size_t rows, cols, depth;
};

/// What a product begins with.
enum class front : std::uint8_t { nothing, zero, value, begun };

template <class T>
constexpr T front_value = 3;

/// body(size, sides, tiles, front, number) for all sizes, sides and tiles. Not all of all: fronts take turns, and what
/// else a case may differ in can do so by its number.
template <class Body>
void for_each_case(std::span<const shape> sizes, Body body)
{
    constexpr front fronts[] = {front::nothing, front::zero, front::value, front::begun};
    std::size_t number = 0;
    for (const shape& s : sizes)
        for (const bool left : {false, true})
            for (const bool right : {false, true})
                for (const std::size_t tiles : {1, 3, 7}) {
                    if (tiles > s.rows) continue;
                    body(s, sides{left, right}, tiles, fronts[number % 4], number);
                    ++number;
                }
}

/// The product of a matrix and a vector, as sk::all_pairs makes it a reduction: by row, or by column of one that lies
/// transposed.
template <class T, class Side = T>
class vector_recipe
{
public:
    explicit vector_recipe(bool by_row, bool known = true) : zip_(sk::multiplies.source()), op_(sk::plus.source())
    {
        if (!known) op_.text = "(auto a, auto b) { return a + (b); }";
        what_.kind = by_row ? skeleton::reduce_rows : skeleton::reduce_columns;
        what_.name = "product with a vector";
        for (const slot_kind kind : {slot_kind::element, by_row ? slot_kind::column_element : slot_kind::row_element})
            what_.slots.push_back({kind, type_text<Side>(), sizeof(Side), alignof(Side)});
        sum_products<T>(what_, zip_, op_);
        what_.cpu.fold_rows = &fold_rows_block<tree<column_leaf<Side>>, T, sum>;
        what_.cpu.fold_columns = &fold_columns_block<tree<row_leaf<Side>>, T, sum>;
        what_.cpu.combine = &combine_values<T, sum>;
    }
    vector_recipe(const vector_recipe&) = delete;
    vector_recipe& operator=(const vector_recipe&) = delete;
    ~vector_recipe() { cpu::end_measuring(); }
    recipe& get() { return what_; }

private:
    using sum = decltype(sk::plus)::lambda;
    template <class Vector>
    using tree = map_expression<decltype(sk::multiplies)::lambda, element_leaf<Side, 2>, Vector>;

    function_source zip_, op_;
    recipe what_;
};

/// The pieces of its work: `rows` x `cols` with rows `ld` apart, cut into so many tiles; the vector's elements lie
/// `step` apart.
template <class T, class Side = T>
class vector_work
{
public:
    vector_work(const recipe& what, const segment& all, const Side* matrix, std::size_t ld, const Side* vector,
                std::size_t step, T* result, std::size_t tiles)
        : what_(what), cols_(all.cols), result_{result, 0, 1, 0, 0, 1}
    {
        const bool by_row = what.kind == skeleton::reduce_rows;
        const std::size_t height = (all.rows + tiles - 1) / tiles;
        for (std::size_t row = 0; row < all.rows; row += height) {
            const std::size_t rows = std::min(height, all.rows - row);
            segments_.push_back({rows, cols_, row, 0});
            views_.push_back({const_cast<Side*>(matrix + row * ld), 0, rows, cols_, ld, 1});
            const Side* const at = by_row ? vector : vector + row * step;
            views_.push_back({const_cast<Side*>(at), 0, by_row ? 1 : rows, by_row ? cols_ : 1, by_row ? 0 : step,
                              by_row ? step : 0});
        }
    }
    work get(const T* start = nullptr) const
    {
        work w{what_, true, cols_, segments_, views_};
        w.result = result_;
        w.start = start;
        return w;
    }

private:
    const recipe& what_;
    std::size_t cols_;
    slot_view result_;
    std::vector<segment> segments_;
    std::vector<slot_view> views_;
};

} // namespace products
