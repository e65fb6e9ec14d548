// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "reduce.hpp"
#include "tensor.hpp"

namespace skelrt
{

namespace detail
{

template <class Lambda, class Indices>
struct hood_ranks;
/// Of each parameter of a user function (a leading index counts): the rank of the hood, or 0.
template <class Lambda, std::size_t... I>
struct hood_ranks<Lambda, std::index_sequence<I...>> {
    static constexpr int of[] = {hood_rank<typename nth<I, typename signature<Lambda>::list>::type>..., 0};
    static constexpr std::size_t count = sizeof...(I);
    static constexpr int largest()
    {
        int rank = 0;
        for (int r : of) rank = r > rank ? r : rank;
        return rank;
    }
    static constexpr bool all_equal()
    {
        for (int r : of)
            if (r != 0 && r != largest()) return false;
        return true;
    }
};
template <class Lambda>
using hood_ranks_of = hood_ranks<Lambda, std::make_index_sequence<signature<Lambda>::list::size>>;

/// The result of an iteration that waits to be assigned: one step's tree, whose first operand is the grid.
template <class N, int Rank, class Steps>
class [[nodiscard("skelrt: a call is computed when it is assigned to a container")]] iterate_expression
    : public operators::enabled
{
    using T = typename N::value;
    template <class U, int R>
    struct container_of {
        using type = matrix<U>;
    };
    template <class U>
    struct container_of<U, 1> {
        using type = vector<U>;
    };
    template <class U>
    struct container_of<U, 3> {
        using type = tensor<U, 3>;
    };

public:
    using skelrt_expression = void;
    using skelrt_reduction = void;
    using value = T;
    template <class U>
    using result_container = typename container_of<U, Rank>::type;

    iterate_expression(N step, Steps steps) : step_(std::move(step)), steps_(std::move(steps)) {}

    /// Evaluates; asynchronous but for conditions.
    template <class Container>
    void into_container(Container & to) const
    {
        constexpr bool fits = std::is_same_v<typename Container::value_type, T> && Container::rank == Rank;
        static_assert(fits, "skelrt: an iteration gives a container of the shape and the type of its grid");
        if constexpr (fits) iterate_into(to);
    }

private:
    template <class Container>
    void iterate_into(Container & to) const
    {
        call_site& site = map_site(step_);
        extent x;
        std::size_t argument = 0;
        join_extent(step_, x, argument, site.what);
        operand operands[leaf_count<N>::value + 1];
        operand* out = operands;
        collect_operands(step_, out);
        call c;
        c.site = &site;
        c.set_space(x);
        c.operands = operands;
        c.use = plan_of(step_);
        storage* const spare = may_be_spared(to, operands) ? to.storage().get() : nullptr;
        replace(to, steps_.template run<Container>(c, spare));
    }

    /// Whether the grid is about to be replaced by the result, and nobody else looks at it.
    template <class Container>
    static bool may_be_spared(const Container& to, const operand* operands)
    {
        storage* const old = to.storage().get();
        if (!old || old != operands[0].data || old->borrowed) return false;
        for (std::size_t k = 1; k < leaf_count<N>::value; ++k)
            if (operands[k].data == old) return false;
        return true;
    }

    N step_;
    Steps steps_;
};

struct counted_steps {
    std::size_t times;
    bool red_black;
    template <class Container>
    storage_ref run(const call& c, storage* spare) const
    {
        return iterate(c, {times, red_black, spare});
    }
};

template <class Predicate>
struct conditional_steps {
    Predicate done;
    std::size_t check_every;

    /// The destination's old grid is no spare: the predicate may look at it.
    template <class Container>
    storage_ref run(call c, storage*) const
    {
        operand* const grid = const_cast<operand*>(c.operands);
        storage* spare = nullptr;
        Container before, now;
        for (std::size_t made = check_every;; made += check_every) {
            before.adopt(check_every > 1 ? iterate(c, {check_every - 1, false, spare, made - check_every})
                                         : share(*grid->data));
            grid->data = before.storage().get();
            now.adopt(iterate(c, {1, false, nullptr, made - 1}));
            if (holds(now, before, made)) return now.storage();
            grid->data = now.storage().get();
            spare = now.storage().is_shared() ? nullptr : grid->data; // unless the predicate kept a view of it
        }
    }

private:
    static storage_ref share(storage& s)
    {
        s.references.fetch_add(1, std::memory_order_relaxed);
        return storage_ref(&s);
    }

    template <class Container>
    bool holds(const Container& now, const Container& before, std::size_t made) const
    {
        if constexpr (std::is_invocable_v<Predicate, const Container&, const Container&, std::size_t>)
            return done(now, before, made);
        else return done(now, before);
    }
};

} // namespace detail

/// A map whose function sees the neighbours of each element: MapOverlap and iterative stencils.
///
///     auto heat = sk::stencil(
///         SKELRT_FN((sk::hood2<float> u) { return 0.25f * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1)); }),
///         sk::border::constant(0.0f));
///     grid = heat.iterate(100, grid);
///
/// Parameters: sk::hood1<T> around the elements of a vector, sk::hood2<T> of a matrix, sk::hood3<T> of a tensor; others
/// as in sk::map (elements, uniform values, sk::vec and sk::mat for weights, a leading index). All hoods have one shape
/// and border.
/// How far hoods reach is read from the function's text where every use has integer literals; otherwise say sk::reach,
/// which is a promise: nothing beyond may be read. A hood that reaches nowhere makes the call a map.
/// Borders (sk::border): constant(value), cyclic(), nearest(), none(); the same meaning on every backend, for grids
/// smaller than the reach, too.
///
/// Hood operands: containers and map calls over containers, which become part of the kernel: f(sk::map(g)(x)) makes no
/// container of the results of g, and the border's constant stands beside these. Views are copied first, and the border
/// stands at their edge; in sk::with_neighbours(view) hoods see the container around it. Copied first are the results
/// of maps of views, of maps that ask for their position, for random numbers or whole containers, and of those under
/// hoods that see more than 32 KiB for 256 positions. The result never shares memory with a hood operand: x = heat(x)
/// computes into new data, which then becomes x. A stencil call nests in maps (one kernel). Under a reduction or
/// another stencil's hood it is evaluated first, and beside operands of sk::per_row, sk::per_column and sk::transpose;
/// one whose border is none also beside another stencil.
/// Only the elements that neighbours need travel between devices. O(n) calls of the function.
/// Errors (sk::error): shapes that differ; reach that the text does not tell or that a literal exceeds.
template <class Lambda, class Border>
class [[nodiscard]] stencil
{
    using ranks = detail::hood_ranks_of<Lambda>;

public:
    constexpr stencil(const function<Lambda>& f, const Border& border, const reach& given = {})
        : source_(f.source()), border_(border), reach_(given)
    {
    }

    /// Calls made from now on obey the plan, each pass of an iteration, too; an empty one makes them automatic again.
    stencil& use(const plan& p)
    {
        source_.use = detail::keep_plan(p);
        return *this;
    }

    template <class... Args>
    auto operator()(const Args&... args) const
    {
        return build<ranks::largest()>(false, std::index_sequence_for<Args...>{}, args...);
    }

    /// A function with sk::hood1 applied to a matrix: hoods along each row, or down each column.
    template <class... Args>
    auto by_row(const Args&... args) const
    {
        static_assert(ranks::largest() == 1, "skelrt: by_row and by_column are for functions with sk::hood1");
        if constexpr (ranks::largest() == 1) return build<2>(false, std::index_sequence_for<Args...>{}, args...);
        else return detail::refused_call{};
    }
    template <class... Args>
    auto by_column(const Args&... args) const
    {
        static_assert(ranks::largest() == 1, "skelrt: by_row and by_column are for functions with sk::hood1");
        if constexpr (ranks::largest() == 1) return build<2>(true, std::index_sequence_for<Args...>{}, args...);
        else return detail::refused_call{};
    }
    /// by_column of by_row: a separable filter in two passes. Further arguments go to both.
    template <class Grid, class... Args>
    auto separable(const Grid& grid, const Args&... args) const
    {
        constexpr bool part = (detail::part_argument<Grid> || ... || detail::part_argument<Args>);
        static_assert(!part,
                      "skelrt: the second pass of separable looks around in what the first one gives, which is no "
                      "larger than the part; make the first pass on a larger part, into a container");
        if constexpr (part) return detail::refused_call{};
        else return by_column(by_row(grid, args...), args...);
    }

    /// The stencil applied n times to the grid, the first argument; the others stay as they are, but an
    /// sk::random_seed, which gives other numbers in each step (random_seed::key_of_step). Map calls among them are
    /// evaluated once, first. Several steps may be done in one pass over the data; the result does not depend on it.
    template <class... Args>
    auto iterate(std::size_t n, const Args&... args) const
    {
        return repeated(detail::counted_steps{n, false}, args...);
    }

    /// Applies the stencil until done(now, before) is true, `before` being the grid one step before `now`; asks after
    /// every `check_every` steps (0 counts as 1). done may take the number of steps made as a third parameter. It runs
    /// on the calling thread, which waits for what it reads: a fused reduction, say.
    template <class Predicate, class... Args>
    auto iterate_until(Predicate done, std::size_t check_every, const Args&... args) const
    {
        return repeated(detail::conditional_steps<Predicate>{std::move(done), check_every > 0 ? check_every : 1},
                        args...);
    }

    /// n steps in two halves each: first the positions whose indices have an even sum, then the others, which see the
    /// new values of the first. Red-black Gauss-Seidel. Cheapest on cores for hoods that the function's text uses at
    /// their own position and next to it along one axis only: all steps are one task then.
    template <class... Args>
    auto red_black(std::size_t n, const Args&... args) const
    {
        return repeated(detail::counted_steps{n, true}, args...);
    }

private:
    static constexpr bool keeps = Border::rule == detail::border_rule::none;

    detail::stencil_shape shape(bool down) const
    {
        static const detail::hood_uses uses = detail::scan_hoods(source_, ranks::of, ranks::count);
        return detail::make_shape(source_, uses, reach_, ranks::largest(), down, Border::rule);
    }

    template <class T>
    T border_value() const
    {
        if constexpr (Border::rule == detail::border_rule::constant) {
            constexpr bool converts = std::is_convertible_v<decltype(Border::value), T>;
            static_assert(converts, "skelrt: the border's constant is no element of the hood");
            if constexpr (converts) return static_cast<T>(border_.value);
            else return T{};
        } else {
            return T{};
        }
    }

    /// A container that was never given elements has no storage; hoods look around in one.
    template <class Container>
    static detail::data_ref stored(const Container& a)
    {
        if (a.storage()) return a.storage();
        return detail::data_ref(detail::create_storage(0, 0, sizeof(typename Container::value_type), false));
    }

    /// The same for a part of one.
    template <class View>
    static View stored_part(const View& part)
    {
        using T = typename View::value_type;
        if (part.storage()) return part;
        const detail::data_ref none(detail::create_storage(0, 0, sizeof(T), false));
        if constexpr (View::rank == 1) return View(none, 0, 0, 1);
        else return View(none, 0, part.rows(), part.cols(), part.cols());
    }

    /// What an argument turns into; `Rank`: of the containers that hoods look around in.
    template <class Parameter, int Rank, class Argument>
    auto node(const detail::stencil_shape& s, const Argument& a) const
    {
        constexpr bool part_elsewhere = detail::part_argument<Argument> && detail::hood_rank<Parameter> == 0;
        static_assert(
            !detail::side<Argument>,
            "skelrt: a stencil takes no sk::per_row and sk::per_column; let a map around the stencil take them");
        static_assert(!part_elsewhere,
                      "skelrt: sk::with_neighbours is for hoods; hand the view over as it is where the function takes "
                      "an element");
        if constexpr (detail::side<Argument> || detail::is_refused<Argument> || part_elsewhere) {
            return detail::refused_call{};
        } else if constexpr (detail::hood_rank<Parameter> > 0) {
            return hood_node<Parameter, Rank>(s, a);
        } else if constexpr (detail::expression<Argument>) {
            if constexpr (detail::has_hoods<Argument> || detail::has_sides<Argument>)
                return detail::later_leaf<Argument>{detail::later<Argument>(a)};
            else return detail::make_node<Parameter>(a);
        } else {
            return detail::make_node<Parameter>(a);
        }
    }

    /// What the argument for a hood turns into.
    template <class Parameter, int Rank, class Argument>
    auto hood_node(const detail::stencil_shape& s, const Argument& a) const
    {
        using T = typename Parameter::value_type;
        constexpr bool nested = detail::expression<Argument>;
        constexpr bool looks_in = nested || detail::container<Argument> || detail::part_argument<Argument>;
        static_assert(looks_in, "skelrt: a hood parameter takes a container, a view or a map call");
        if constexpr (!looks_in) return detail::refused_call{};
        else if constexpr (nested) return nested_hood_node<T, detail::hood_rank<Parameter>>(s, a);
        else return container_hood_node<T, detail::hood_rank<Parameter>, Rank>(s, a);
    }

    template <class T, int HoodRank, class Argument>
    auto nested_hood_node(const detail::stencil_shape& s, const Argument& a) const
    {
        constexpr bool nests = !detail::reduces_to_one<Argument>;
        constexpr bool same = std::is_same_v<typename Argument::value, T>;
        static_assert(nests, "skelrt: an sk::hood parameter takes elements, and a reduction gives one value");
        static_assert(!nests || same, "skelrt: an sk::hood<T> parameter takes elements of the same T");
        if constexpr (!nests || !same) return detail::refused_call{};
        else if constexpr (detail::fits_under_hood<Argument>)
            return detail::mapped_hood<T, HoodRank, Argument>(a, s, border_value<T>());
        else
            return detail::hood_leaf<T, HoodRank, detail::later<Argument>>{detail::later<Argument>(a), s,
                                                                           border_value<T>()};
    }

    template <class T, int HoodRank, int Rank, class Argument>
    auto container_hood_node(const detail::stencil_shape& s, const Argument& a) const
    {
        constexpr bool same = std::is_same_v<typename Argument::value_type, T>;
        static_assert(same, "skelrt: an sk::hood<T> parameter takes elements of the same T");
        static_assert(!same || Argument::rank == Rank,
                      "skelrt: sk::hood1 takes a vector (or by_row, by_column a matrix), "
                      "sk::hood2 a matrix, sk::hood3 a tensor of rank 3");
        if constexpr (!same || Argument::rank != Rank) {
            return detail::refused_call{};
        } else if constexpr (detail::part_argument<Argument>) {
            using part = detail::part_source<T, Rank>;
            return detail::hood_leaf<T, HoodRank, part>{part(stored_part(a.part())), s, border_value<T>()};
        } else if constexpr (requires(Argument whole) { whole.clear(); }) { // a container; views are copied
            return detail::hood_leaf<T, HoodRank, detail::present<Argument::rank>>{
                {stored(a), a.place()}, s, border_value<T>()};
        } else {
            using copy = decltype(detail::copy_of(a));
            return detail::hood_leaf<T, HoodRank, detail::later<copy>>{detail::later<copy>(detail::copy_of(a)), s,
                                                                       border_value<T>()};
        }
    }

    template <int Rank, std::size_t... I, class... Args>
    auto build(bool down, std::index_sequence<I...>, const Args&... args) const
    {
        constexpr std::size_t indices = detail::index_of<Lambda>() == detail::index_use::none ? 0 : 1;
        constexpr bool as_many = detail::signature<Lambda>::list::size == sizeof...(Args) + indices;
        static_assert(as_many,
                      "skelrt: stencil is called with another number of arguments than its function has parameters "
                      "(a leading index is not an argument)");
        if constexpr (as_many) {
            const detail::stencil_shape s = shape(down);
            return expression_of(node<detail::parameter<Lambda, I>, Rank>(s, args)...);
        } else {
            return detail::refused_call{};
        }
    }

    template <class... Nodes>
    auto expression_of(Nodes... nodes) const
    {
        if constexpr (keeps && !(detail::is_refused<Nodes> || ...)) {
            using what = detail::application<Lambda, Nodes...>;
            constexpr bool same = result_is<first_element<Nodes...>, what>();
            static_assert(same, "skelrt: with sk::border::none the result has the type of the first hood's elements");
            if constexpr (same)
                return detail::checked_expression<detail::keeping_expression, Lambda>(source_, detail::extent{},
                                                                                      std::move(nodes)...);
            else return detail::refused_call{};
        } else {
            return detail::checked_expression<detail::map_expression, Lambda>(source_, detail::extent{},
                                                                              std::move(nodes)...);
        }
    }

    /// Whether a call gives a T, or nothing because it cannot be.
    template <class T, class Application>
    static constexpr bool result_is()
    {
        if constexpr (Application::possible)
            return std::is_same_v<std::remove_cvref_t<typename Application::result::type>, T>;
        else return true;
    }

    template <class First, class... Rest>
    struct first_hood : first_hood<Rest...> {
    };
    template <class T, int Rank, class Source, class... Rest>
    struct first_hood<detail::hood_leaf<T, Rank, Source>, Rest...> {
        using type = T;
    };
    template <class T, int Rank, class E, class... Rest>
    struct first_hood<detail::mapped_hood<T, Rank, E>, Rest...> {
        using type = T;
    };
    template <class... Nodes>
    using first_element = typename first_hood<Nodes...>::type;

    template <class Steps, class Grid, class... Args>
    auto repeated(Steps steps, const Grid& grid, const Args&... args) const
    {
        constexpr bool goes_on = detail::hood_rank < detail::parameter < Lambda, 0 >>> 0;
        static_assert(goes_on, "skelrt: an iteration goes on with the first argument, which must be a hood's");
        if constexpr (goes_on) return repeated_call(std::move(steps), (*this)(grid, args...));
        else return detail::refused_call{};
    }

    template <class Steps, class E>
    auto repeated_call(Steps steps, const E& one) const
    {
        if constexpr (detail::is_refused<E>) {
            return one;
        } else {
            constexpr bool same = std::is_same_v<typename E::value, typename detail::parameter<Lambda, 0>::value_type>;
            constexpr bool whole = !detail::sees_parts<E>;
            static_assert(same, "skelrt: an iterated function returns an element of its first hood");
            static_assert(whole, "skelrt: the grid of an iteration is a whole container: around a part the elements "
                                 "would stay as they are; assign single steps, or iterate with sk::border::none");
            if constexpr (same && whole) {
                auto step = detail::hoods_first(one); // maps under hoods would be made again in every step
                return detail::iterate_expression<decltype(step), ranks::largest(), Steps>(std::move(step),
                                                                                           std::move(steps));
            } else {
                return detail::refused_call{};
            }
        }
    }

    detail::function_source source_;
    Border border_;
    reach reach_;
};

namespace detail
{

template <class Border>
concept border_rules = requires
{
    Border::rule;
};

enum class hood_fault : unsigned char { none, no_hood, two_ranks };
template <class F>
inline constexpr hood_fault hood_fault_of = hood_fault::none;
template <class Lambda>
    requires(fault_of<function<Lambda>> == function_fault::none)
inline constexpr hood_fault hood_fault_of<function<Lambda>> =
    hood_ranks_of<Lambda>::largest() == 0 ? hood_fault::no_hood
    : !hood_ranks_of<Lambda>::all_equal() ? hood_fault::two_ranks
                                          : hood_fault::none;

/// As checked, of a stencil's function and border.
template <class Lambda, class Border>
using checked_stencil = std::conditional_t<hood_fault_of<function<Lambda>> == hood_fault::none && border_rules<Border>,
                                           checked<Lambda>, refused>;

} // namespace detail

/// Stencils that cannot be, and say why.
template <class Border>
class [[nodiscard]] stencil<detail::refused, Border> : public detail::refused_skeleton<>
{
public:
    template <class F, class... Rest>
    constexpr explicit stencil(const F& f, const Rest&... rest) : detail::refused_skeleton<>(f, rest...)
    {
        using detail::hood_fault;
        static_assert(detail::hood_fault_of<F> != hood_fault::no_hood,
                      "skelrt: a stencil's function has an sk::hood1, sk::hood2 or sk::hood3 parameter (not auto)");
        static_assert(detail::hood_fault_of<F> != hood_fault::two_ranks,
                      "skelrt: all hoods of a stencil have one rank");
        static_assert(detail::fault_of<F> != detail::function_fault::none ||
                          detail::hood_fault_of<F> != hood_fault::none || detail::border_rules<Border>,
                      "skelrt: a stencil takes a border behind its function: sk::border::constant(value), cyclic(), "
                      "nearest() or none()");
    }
};

template <class Lambda>
stencil(const function<Lambda>&) -> stencil<detail::refused, void*>;
template <class Lambda, class Border>
stencil(const function<Lambda>&, const Border&) -> stencil<detail::checked_stencil<Lambda, Border>, Border>;
template <class Lambda, class Border>
stencil(const function<Lambda>&, const Border&, const reach&)
    -> stencil<detail::checked_stencil<Lambda, Border>, Border>;
template <class F, class... Rest>
stencil(const F&, const Rest&...) -> stencil<detail::refused, void*>;

namespace detail
{

/// Stages applied n times that wait to be assigned.
template <class Sequence, class Grid>
class [[nodiscard("skelrt: a call is computed when it is assigned to a container")]] sequence_expression
    : public operators::enabled
{
public:
    using skelrt_expression = void;
    using skelrt_reduction = void;
    using value = typename Grid::value_type;
    template <class U>
    using result_container = Grid;

    sequence_expression(const Sequence& stages, std::size_t n, const Grid& grid)
        : stages_(stages), times_(n), data_(grid.storage())
    {
    }

    template <class Container>
    void into_container(Container & to) const
    {
        constexpr bool same = std::is_same_v<Container, Grid>;
        static_assert(same, "skelrt: an iterated sequence gives a container as its operand's");
        if constexpr (same) {
            Grid now;
            now.adopt(times_ > 0 || !data_ ? storage_ref(data_) : storage_ref(clone_storage(*data_)));
            for (std::size_t i = 0; i < times_; ++i) now = Grid(stages_(now));
            replace(to, now.storage());
        }
    }

private:
    Sequence stages_;
    std::size_t times_;
    data_ref data_;
};

} // namespace detail

/// Stencils and maps one after the other: sk::sequence(gauss, sobel, threshold)(image) is
/// threshold(sobel(gauss(image))). Each stage is called with the result of the one before it; a map behind a stencil is
/// part of its kernel.
template <class... Stages>
class [[nodiscard]] sequence
{
public:
    explicit constexpr sequence(const Stages&... stages) : stages_(stages...) {}

    template <class Grid>
    auto operator()(const Grid& grid) const
    {
        return apply<0>(grid);
    }

    /// All stages, n times over; the last gives what the first takes.
    template <class Grid>
    auto iterate(std::size_t n, const Grid& grid) const
    {
        return detail::sequence_expression<sequence, Grid>(*this, n, grid);
    }

private:
    template <std::size_t K, class Argument>
    auto apply(const Argument& a) const
    {
        if constexpr (K == sizeof...(Stages)) return a;
        else return apply<K + 1>(std::get<K>(stages_)(a));
    }

    std::tuple<Stages...> stages_;
};

/// MapOverlap, the name by which others know it: see sk::stencil.
template <class F, class... Rest>
constexpr auto map_overlap(const F& f, const Rest&... border_and_reach)
{
    return stencil(f, border_and_reach...);
}

} // namespace skelrt
