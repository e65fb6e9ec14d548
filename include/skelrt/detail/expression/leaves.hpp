// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../scalar.hpp"
#include "../../view.hpp"
#include "../call.hpp"
#include "../hoods.hpp"
#include "../refused.hpp"

#include <type_traits>
#include <utility>

/// What the arguments of a call turn into: the slots of its recipe.
namespace skelrt::detail
{

/// `Rank`: of its container, where the type of a call has to tell (sk::eval); 0: `rank` knows.
template <class T, int Rank = 0>
struct element_leaf {
    using value = T;
    static constexpr slot_kind kind = slot_kind::element;
    data_ref data;
    placement place;
    int rank;
};

template <class T>
struct uniform_leaf {
    using value = T;
    static constexpr slot_kind kind = slot_kind::uniform;
    T held;
};

template <class T>
struct scalar_leaf {
    using value = T;
    static constexpr slot_kind kind = slot_kind::scalar;
    data_ref data;
};

// Functions see memory: elements with others between them are copied to `packed` when the call is evaluated.

template <class T>
struct vec_leaf {
    using value = vec<T>;
    static constexpr slot_kind kind = slot_kind::vec;
    data_ref data;
    placement place;
    mutable storage_ref packed{};
};

template <class T>
struct mat_leaf {
    using value = mat<T>;
    static constexpr slot_kind kind = slot_kind::mat;
    data_ref data;
    placement place;
    mutable storage_ref packed{};
};

/// What a call adds to; memory comes from the core.
template <class T, class View = accumulator<T>>
struct accumulator_leaf {
    using value = View;
    static constexpr slot_kind kind = slot_kind::accumulator;
    data_ref data;
    std::size_t offset, size;
};

/// Where a member of the result goes.
template <class T>
struct output_leaf {
    using value = T;
    static constexpr slot_kind kind = slot_kind::output;
    data_ref data;
    placement place;
};

// Operands of pairs: placed so that what belongs to (row, column) begins at offset + row * ld + column * stride.

template <class T>
struct row_leaf {
    using value = T;
    static constexpr slot_kind kind = slot_kind::row_element;
    data_ref data;
    placement place;
};

template <class T>
struct column_leaf {
    using value = T;
    static constexpr slot_kind kind = slot_kind::column_element;
    data_ref data;
    placement place;
};

/// Element (r, c) of the call is element (c, r) of the matrix, which tasks read whole.
template <class T>
struct transposed_leaf {
    using value = T;
    static constexpr slot_kind kind = slot_kind::column_element;
    data_ref data;
    placement place; ///< rows and cols as the call sees them
};

// Rows as the matrix has them; packed as those above.

template <class T>
struct row_vec_leaf {
    using value = vec<T>;
    static constexpr slot_kind kind = slot_kind::row_vec;
    data_ref data;
    placement place;
    mutable storage_ref packed{};
};

template <class T>
struct column_vec_leaf {
    using value = vec<T>;
    static constexpr slot_kind kind = slot_kind::column_vec;
    data_ref data;
    placement place;
    mutable storage_ref packed{};
};

/// What sk::per_row and sk::per_column make: a vector, or a matrix that the function sees row by row.
template <class T, int Rank, bool Rows>
struct side_operand : operators::enabled {
    using skelrt_side = void;
    data_ref data;
    placement place;
    side_operand(storage_ref d, const placement& p) : data(std::move(d)), place(p) {}
};

template <class T>
concept side = requires
{
    typename T::skelrt_side;
};

template <class Parameter, class T, int Rank, bool Rows>
auto make_side_node(const side_operand<T, Rank, Rows>& a)
{
    const placement& p = a.place;
    constexpr bool fits = Rank != 2 || std::is_same_v<Parameter, vec<T>>;
    static_assert(fits, "skelrt: the rows of a matrix as operands of pairs need an sk::vec<T> parameter of the same T");
    if constexpr (!fits) {
        return refused_call{};
    } else if constexpr (Rank == 2) {
        if constexpr (Rows) return row_vec_leaf<T>{a.data, p};
        else return column_vec_leaf<T>{a.data, p};
    } else {
        if constexpr (Rows) return row_leaf<T>{a.data, {p.offset, p.cols, 1, p.stride, 0}};
        else return column_leaf<T>{a.data, {p.offset, 1, p.cols, 0, p.stride}};
    }
}

/// A call that makes a container of its own, whose shape need not be that of its operands: a filter, a product, an
/// iteration.
template <class E>
concept makes_container = requires
{
    typename E::skelrt_reduction;
}
&&!reduces_to_one<E>;

/// An operand that is a call itself, evaluated into new data when the call around it is: where a hood looks around in
/// it, or no kernel computes its elements one by one.
template <class E>
class later
{
public:
    explicit later(E what) : what_(std::move(what)) {}
    /// Of calls that make containers: evaluates.
    extent shape() const;
    /// Evaluates, if shape() did not. The data lives as long as this and the tasks that use it.
    storage* get() const;
    const E& call() const noexcept { return what_; }

private:
    extent shape_of_elements() const;

    E what_;
    mutable storage_ref made_;
};

/// A container as it is. `Rank`: its own.
template <int Rank>
struct present {
    data_ref data;
    placement place;
    extent shape() const { return extent_of(Rank, place); }
    storage* get() const { return data.get(); }
};

template <class E>
struct later_leaf {
    using value = typename E::value;
    static constexpr slot_kind kind = slot_kind::element;
    later<E> source;
};

/// A reduction to one value that is an operand itself, evaluated when the call around it is.
template <class E>
class later_value
{
public:
    explicit later_value(E what) : what_(std::move(what)) {}
    /// Evaluates. The data lives as long as this and the tasks that use it.
    storage* get() const
    {
        storage_ref fresh;
        what_.into(fresh);
        made_ = std::move(fresh);
        return made_.get();
    }

private:
    E what_;
    mutable storage_ref made_;
};

template <class E>
struct later_scalar_leaf {
    using value = typename E::value;
    static constexpr slot_kind kind = slot_kind::scalar;
    later_value<E> source;
};

template <class T, int Rank, class Source>
struct hood_leaf {
    using value = typename hood_of<T, Rank>::type;
    static constexpr slot_kind kind = slot_kind::hood;
    Source source;
    stencil_shape shape;
    T border; ///< border::constant
};

template <class T>
concept leaf = requires
{
    T::kind;
};

template <class T>
inline constexpr bool is_vec = false;
template <class T>
inline constexpr bool is_vec<vec<T>> = true;
template <class T>
inline constexpr bool is_mat = false;
template <class T>
inline constexpr bool is_mat<mat<T>> = true;
template <class T>
inline constexpr bool is_accumulator = false;
template <class T>
    requires requires
    {
        T::rule;
        typename T::value_type;
    }
inline constexpr bool is_accumulator<T> = std::is_base_of_v<accumulated_elements<T, typename T::value_type>, T> ||
                                          std::is_same_v<T, atomic_vec<typename T::value_type>> ||
                                          std::is_same_v<T, out_vec<typename T::value_type>>;

template <class T>
concept container = requires(const T& c)
{
    c.storage();
    c.place();
};
template <class T>
concept scalar_container = requires(const T& c)
{
    c.storage();
    c.get();
};

} // namespace skelrt::detail
