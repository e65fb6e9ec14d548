// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "farm_items.hpp"
#include "trees.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <ranges>
#include <span>
#include <stop_token>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

/// The typed side of divide and conquer: which of the user's functions is called how, and where results lie.
namespace skelrt::detail
{

/// In place of is_small: how large a problem is.
template <class Size>
struct problem_size {
    Size of;
    double least; ///< what is not larger is never split
};
template <class Small>
inline constexpr bool is_problem_size = false;
template <class Size>
inline constexpr bool is_problem_size<problem_size<Size>> = true;

template <class Small, class P>
constexpr bool says_what_is_small()
{
    if constexpr (is_problem_size<Small>)
        return std::convertible_to<std::invoke_result_t<decltype((std::declval<const Small&>().of)), const P&>, double>;
    else return std::predicate<const Small&, const P&>;
}

/// In place of a merge.
struct no_merge {
};

template <class Parts>
concept fixed_parts = requires
{
    std::tuple_size<Parts>::value;
};

/// What split gave, as a range: a tuple becomes an array.
template <class Parts>
decltype(auto) as_range(Parts&& parts)
{
    using plain = std::remove_cvref_t<Parts>;
    if constexpr (std::ranges::random_access_range<plain>) {
        return static_cast<plain>(std::forward<Parts>(parts));
    } else {
        static_assert(fixed_parts<plain>, "skelrt: divide_and_conquer: split gives an std::array, an std::vector or "
                                          "another range with random access, an std::pair or an std::tuple");
        return std::apply(
            [](auto&&... p) {
                return std::array<std::common_type_t<std::remove_cvref_t<decltype(p)>...>, sizeof...(p)>{
                    std::forward<decltype(p)>(p)...};
            },
            std::forward<Parts>(parts));
    }
}

template <class F, class P>
inline constexpr bool works_on = std::invocable<F&, P> || std::invocable<F&, P, std::stop_token>;

/// A problem for the last function that wants it, which may take it away.
template <class P, class F>
decltype(auto) problem_for(P& p)
{
    static_assert(works_on<F, P&&> || works_on<F, P&>,
                  "skelrt: divide_and_conquer: solve takes one of the parts that split gives, as a const function");
    if constexpr (works_on<F, P&&>) return static_cast<P&&>(p);
    else return (p);
}

template <class Split, class P>
auto parts_of(Split& split, P& p)
{
    static_assert(std::invocable<Split&, P&> || std::invocable<Split&, P&&>,
                  "skelrt: divide_and_conquer: split takes the problem and each of its parts, as a const function");
    if constexpr (std::invocable<Split&, P&>) return as_range(std::invoke(split, p));
    else return as_range(std::invoke(split, std::move(p)));
}

template <class Range>
inline constexpr std::size_t fixed_count = 0;
template <fixed_parts Range>
inline constexpr std::size_t fixed_count<Range> = std::tuple_size_v<Range>;

/// What a problem is: the type of the parts that the argument of the call is split into.
template <class Split, class Argument>
using problem_of = std::remove_cvref_t<std::ranges::range_reference_t<decltype(parts_of(
    std::declval<Split&>(), std::declval<std::remove_cvref_t<Argument>&>()))>>;

template <class Solve, class P>
using solution_of = kept_value<decltype(run_item(std::declval<Solve&>(), std::stop_token{},
                                                 problem_for<P, Solve>(std::declval<P&>())))>;

/// Raw places for `Here` values side by side, on the heap if there are more.
template <class T, std::size_t Here>
class places
{
public:
    explicit places(std::size_t n) : n_(n), first_(n <= Here ? here() : std::allocator<T>().allocate(n)) {}
    ~places()
    {
        if (n_ > Here) std::allocator<T>().deallocate(first_, n_);
    }
    places(const places&) = delete;
    places& operator=(const places&) = delete;

    T* data() noexcept { return first_; }
    T* at(std::size_t k) noexcept { return first_ + k; }

private:
    T* here() noexcept { return reinterpret_cast<T*>(memory_); }

    std::size_t n_;
    T* first_;
    alignas(T) std::byte memory_[Here * sizeof(T)];
};

/// The results of parts: each is there once its node is solved.
template <class R, std::size_t Here>
class part_results
{
public:
    explicit part_results(std::size_t n) : all_(n) {}
    void put(std::size_t k, R&& value) { std::construct_at(all_.at(k), std::move(value)); }
    void destroy(std::size_t k) noexcept { std::destroy_at(all_.at(k)); }
    std::span<R> all(std::size_t n) noexcept { return {all_.data(), n}; }

private:
    places<R, Here> all_;
};
/// Of problems that are solved in place.
template <std::size_t Here>
class part_results<std::monostate, Here>
{
public:
    explicit part_results(std::size_t) {}
    void put(std::size_t, std::monostate) {}
    void destroy(std::size_t) noexcept {}
};

/// What is known of a problem that was split, where that is to be learnt.
struct frame_cost {
    double size = 0;
    double us = 0; ///< of the split, and what its parts should take
};
struct no_frame_cost {
};

/// A frame with its parts: as many as Parts has when that is known, else some, or more on the heap.
template <class Parts, class R, class Cost>
class typed_frame : public tree_frame
{
    static constexpr std::size_t some = 4;
    static constexpr std::size_t here = fixed_count<Parts> > 0 ? fixed_count<Parts> : some;

public:
    typed_frame(tree_node& split, Parts&& problems)
        : problems_(std::move(problems)), nodes_(std::ranges::size(problems_)), results_(std::ranges::size(problems_))
    {
        this->node = &split;
        this->parts = nodes_.data();
        this->count = static_cast<std::uint32_t>(std::ranges::size(problems_));
        for (std::uint32_t k = 0; k < this->count; ++k) ::new (nodes_.at(k)) tree_node{this, k};
    }
    ~typed_frame()
    {
        if constexpr (!std::is_trivially_destructible_v<R>)
            for (std::uint32_t k = 0; k < this->count; ++k)
                if (nodes_.at(k)->is_solved) results_.destroy(k);
    }
    typed_frame(const typed_frame&) = delete;
    typed_frame& operator=(const typed_frame&) = delete;

    decltype(auto) problem(std::size_t k) { return nth_of(problems_, k); }
    auto& results() noexcept { return results_; }
    Cost& cost() noexcept { return cost_; }

private:
    Parts problems_;
    places<tree_node, here> nodes_;
    part_results<R, here> results_;
    [[no_unique_address]] Cost cost_;
};

/// Of what is done while it lives.
class stopwatch
{
public:
    double us() const
    {
        return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begun_).count();
    }

private:
    const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

/// Whether Merge can make the result of a P of its parts' results.
template <class Merge, class P, class R>
constexpr bool merges_well()
{
    if constexpr (!std::is_same_v<R, std::monostate>)
        return std::invocable<Merge&, P&, std::span<R>> || std::invocable<Merge&, std::span<R>>;
    else if constexpr (std::is_same_v<Merge, const no_merge>) return true;
    else return std::invocable<Merge&, P&> || std::invocable<Merge&>;
}

/// The four functions of the user's.
template <class Small, class Split, class Solve, class Merge>
struct tree_functions {
    Small is_small;
    Split split;
    Solve solve;
    Merge merge;
};

/// A problem, its parts, theirs and so on, and the result of the first one.
template <class Functions, class P>
class tree;

template <class Small, class Split, class Solve, class Merge, class P>
class tree<tree_functions<Small, Split, Solve, Merge>, P> final : public tree_source,
                                                                  public run_result<solution_of<const Solve, P>>
{
    using functions = tree_functions<Small, Split, Solve, Merge>;
    using result_type = solution_of<const Solve, P>;
    using parts = decltype(parts_of(std::declval<const Split&>(), std::declval<P&>()));
    static constexpr bool learns = is_problem_size<Small>;
    using frame = typed_frame<parts, result_type, std::conditional_t<learns, frame_cost, no_frame_cost>>;

    static_assert(
        says_what_is_small<Small, P>(),
        "skelrt: divide_and_conquer: is_small takes a const problem and gives a bool; the function in sk::size_of "
        "takes one and gives a number");
    static_assert(std::is_same_v<std::ranges::range_value_t<parts>, P>,
                  "skelrt: divide_and_conquer: split gives problems of another type than those that it takes");
    static_assert(merges_well<const Merge, P, result_type>(),
                  "skelrt: divide_and_conquer: merge takes (problem&, std::span<R>) or (std::span<R>), R is what solve "
                  "gives; where solve gives nothing, merge takes (problem&) or nothing, or is left out");

public:
    template <class Argument>
    tree(std::shared_ptr<const functions> f, Argument&& problem)
        : f_(std::move(f)), problem_(std::forward<Argument>(problem))
    {
    }

    room frame_room() const noexcept override { return {sizeof(frame), alignof(frame)}; }
    tree_node& root() noexcept override { return root_; }
    tree_frame* begin(tree_node& node, void* memory, const std::stop_token& stop) override
    {
        P& problem = problem_at(node);
        if constexpr (learns) return begin_and_learn(node, problem, memory, stop);
        else if (!std::invoke(f_->is_small, std::as_const(problem))) return split(node, problem, memory);
        else return solve(node, problem, stop);
    }
    void end(tree_frame& ended, tree_ending how) override
    {
        const std::unique_ptr<frame, destroyer> f(&typed(ended));
        if (how == tree_ending::dropped) return;
        if constexpr (learns) merge_and_learn(*f);
        else put(*f->node, merged(*f));
    }
    result_type& result() override { return *result_; }

private:
    struct destroyer {
        void operator()(frame* f) const noexcept { std::destroy_at(f); }
    };
    static frame& typed(tree_frame& f) noexcept { return static_cast<frame&>(f); }

    frame* split(tree_node& node, P& problem, void* memory)
    {
        return ::new (memory) frame(node, parts_of(f_->split, problem));
    }
    frame* solve(tree_node& node, P& problem, const std::stop_token& stop)
    {
        put(node, value_of_item(f_->solve, stop, problem_for<P, const Solve>(problem)));
        return nullptr;
    }

    /// Of all trees of these functions.
    static tree_cut_off& cut_off()
    {
        static constinit tree_cut_off learnt;
        return learnt;
    }
    frame* begin_and_learn(tree_node& node, P& problem, void* memory, const std::stop_token& stop)
    {
        const double size = size_of(problem);
        if (!node.in) of_root_ = size;
        const bool splits = size > f_->is_small.least && cut_off().splits(size, of_root_, cores_of_trees());
        const stopwatch watch;
        if (splits) {
            frame* const made = split(node, problem, memory);
            made->cost() = {size, watch.us() + known_us_of_parts(*made)};
            return made;
        }
        solve(node, problem, stop);
        cut_off().note_solved(size, watch.us());
        return nullptr;
    }
    /// Not what they will have taken: that may be on many cores, or after other work.
    double known_us_of_parts(frame& f) const
    {
        double all = 0;
        for (std::uint32_t k = 0; k < f.count; ++k) all += cut_off().known_us(size_of(f.problem(k))).value_or(0);
        return all;
    }
    void merge_and_learn(frame& f)
    {
        const stopwatch watch;
        put(*f.node, merged(f));
        cut_off().note_split(f.cost().size, f.cost().us + watch.us());
    }
    double size_of(const P& problem) const { return static_cast<double>(std::invoke(f_->is_small.of, problem)); }

    P& problem_at(const tree_node& node) { return node.in ? typed(*node.in).problem(node.place) : problem_; }
    void put(tree_node& node, result_type&& value)
    {
        if (node.in) typed(*node.in).results().put(node.place, std::move(value));
        else result_.emplace(std::move(value));
        node.is_solved = true;
    }
    result_type merged(frame& f)
    {
        P& problem = problem_at(*f.node);
        if constexpr (std::is_same_v<Merge, no_merge>) {
            return {};
        } else if constexpr (std::is_same_v<result_type, std::monostate>) {
            if constexpr (std::invocable<const Merge&, P&>) std::invoke(f_->merge, problem);
            else std::invoke(f_->merge);
            return {};
        } else {
            const std::span<result_type> results = f.results().all(f.count);
            if constexpr (std::invocable<const Merge&, P&, std::span<result_type>>)
                return std::invoke(f_->merge, problem, results);
            else return std::invoke(f_->merge, results);
        }
    }

    const std::shared_ptr<const functions> f_;
    P problem_;
    tree_node root_;
    std::optional<result_type> result_;
    double of_root_ = 0; ///< its size, if problems have sizes; known before there are parts
};

} // namespace skelrt::detail
