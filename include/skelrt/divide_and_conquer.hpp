// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/caller.hpp"
#include "detail/items/tree_steps.hpp"
#include "future.hpp"

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace skelrt
{

/// Divide and conquer: small problems are solved, others split into parts, whose results are merged. Make it by
/// sk::divide_and_conquer. Copies share the functions.
///
/// Several threads may call the functions at once, each with a problem of its own; they may make skeleton calls, farm,
/// and divide and conquer. One thread does all, in the order of the parts, where SKELRT_SEQUENTIAL=1 is set.
///
/// Cost: some 50 ns for each split and merge, and the memory of those problems that were split and whose result is not
/// there: for each thread, about as many as the tree is deep. Trees may be of any shape: depth takes no stack.
///
/// Thread safety: any number of threads may call it at once.
template <class Small, class Split, class Solve, class Merge>
class division
{
    using functions = detail::tree_functions<Small, Split, Solve, Merge>;
    template <class Argument>
    using problem = detail::problem_of<const Split, Argument>;
    template <class Argument>
    using solution = detail::solution_of<const Solve, problem<Argument>>;

public:
    explicit division(functions f) : f_(std::make_shared<const functions>(std::move(f))) {}

    /// For messages; without one it is "divide and conquer".
    division& named(std::string name) & { return wishes_.name = std::move(name), *this; }
    division&& named(std::string name) && { return std::move(named(std::move(name))); }
    /// Of several trees and farms, those with higher numbers begin first.
    division& priority(int p) & { return wishes_.priority = p, *this; }
    division&& priority(int p) && { return std::move(priority(p)); }

    /// The result of the problem; the calling thread works on it, too. Nothing where solve gives nothing.
    ///
    /// Throws item_error if one of the functions threw: nothing more begins then, and what runs is waited for; node
    /// 0.2.1 is part 1 of part 2 of the problem. Throws sk::cancelled inside an item that was cancelled; error where
    /// there is no runtime, and inside user functions and tasks.
    template <class Argument>
    auto operator()(Argument&& argument, detail::caller where = detail::caller::here()) const
    {
        auto started = start_as("sk::divide_and_conquer", std::forward<Argument>(argument), where,
                                detail::tree_begins::when_waited_for);
        if constexpr (std::is_same_v<solution<Argument>, std::monostate>) static_cast<void>(std::move(started).get());
        else return std::move(started).get();
    }
    /// The same, not waited for. What the problem refers to must live until it has ended.
    template <class Argument>
    future<solution<Argument>> start(Argument&& argument, detail::caller where = detail::caller::here()) const
    {
        return start_as("divide_and_conquer::start", std::forward<Argument>(argument), where,
                        detail::tree_begins::at_once);
    }

private:
    template <class Argument>
    future<solution<Argument>> start_as(const char* what, Argument&& argument, detail::caller where,
                                        detail::tree_begins when) const
    {
        using tree = detail::tree<functions, problem<Argument>>;
        const auto source = std::make_shared<tree>(f_, std::forward<Argument>(argument));
        return {detail::run_handle::start_tree(what, where, source, wishes_, when), source};
    }

    std::shared_ptr<const functions> f_;
    detail::run_wishes wishes_;
};

/// In place of is_small, where nobody knows what is small: `size` gives a number for a problem, the more the longer it
/// takes to solve. How long, as a whole and by parts, is learnt while trees run. Problems are split until there are
/// many for each core, and down to some 5 us if that is less work. Those not larger than `least` are never split.
///
/// What is learnt belongs to the types of the functions, and lives as long as the process.
template <class Size>
detail::problem_size<Size> size_of(Size size, double least = 1)
{
    return {std::move(size), least};
}

/// Divide and conquer over problems of a type P, of which whatever can be made that split takes:
///
///     const auto fib = sk::divide_and_conquer([](int n) { return n < 2; },
///                                             [](int n) { return std::array{n - 1, n - 2}; },
///                                             [](int n) { return std::int64_t{n}; },
///                                             [](std::span<std::int64_t> r) { return r[0] + r[1]; });
///     std::int64_t f = fib(30);
///
/// is_small(const P&) says which problems solve takes; sk::size_of stands in its place where that is to be learnt.
/// split(P&), or of P, gives the parts: an std::array, std::vector or tuple of P.
/// solve(P), or of P and an std::stop_token, gives a result R, or nothing where problems are solved in place.
/// merge(P&, std::span<R>), or of the span alone, makes a problem's result of those of its parts, in their order; where
/// solve gives nothing, it takes P& or nothing.
template <class Small, class Split, class Solve, class Merge>
auto divide_and_conquer(Small is_small, Split split, Solve solve, Merge merge)
{
    return division<Small, Split, Solve, Merge>(
        {std::move(is_small), std::move(split), std::move(solve), std::move(merge)});
}
/// The same, of problems that are solved in place, with nothing left to do after their parts.
template <class Small, class Split, class Solve>
auto divide_and_conquer(Small is_small, Split split, Solve solve)
{
    return division<Small, Split, Solve, detail::no_merge>(
        {std::move(is_small), std::move(split), std::move(solve), {}});
}

} // namespace skelrt
