// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "all_pairs.hpp"
#include "filter.hpp"
#include "for_each.hpp"
#include "map.hpp"
#include "reduce.hpp"
#include "scan.hpp"
#include "sort.hpp"
#include "stencil.hpp"
#include "wavefront.hpp"

#include <string_view>

/// User functions with values of their own: SKELRT_FN_WITH((a, b), (float x) { return a * x + b; }).
///
/// What SKELRT_FN takes, behind the names of up to 16 variables, constants or members whose values the function uses.
/// They are copied where the macro stands, and are uniform parameters on every device: another value is no other
/// function, and nothing is compiled again. The host's compiler checks the whole as the lambda [a, b](float x) { ... }.
/// Values are numbers, enumerators and structs (trivially copyable, no pointers, no arrays); containers and sk::scalar
/// are arguments. Functions of sk::map, sk::generate, sk::stencil, sk::wavefront, sk::for_each, sk::filter,
/// sk::map_pairs and sk::all_pairs of one function may have such values; operators of reductions and scans,
/// comparators, and the functions of sk::all_pairs(zip, op) may not.
namespace skelrt
{

namespace detail
{

/// The text of a function as devices see it: captured values are parameters behind its own. Lives as long as the
/// process.
SKELRT_API const char* text_with_values(const char* text, const char* names);

/// Whether no capture has a value of its own: devices know captures by their names, and the preprocessor cannot take
/// the name from n = expression.
constexpr bool are_names(std::string_view names) { return names.find('=') == names.npos; }
template <bool Names>
constexpr auto only_names(const char* names)
{
    static_assert(Names, "skelrt: SKELRT_FN_WITH takes names of variables; for n = ..., define n in front of it");
    return names;
}

template <class T>
struct checked_value {
    static_assert(!std::is_array_v<T>, "skelrt: SKELRT_FN_WITH takes no arrays; put them into a struct, or pass an "
                                       "sk::vector as an argument");
    static_assert(!std::is_pointer_v<T> && !std::is_null_pointer_v<T>,
                  "skelrt: SKELRT_FN_WITH takes no pointers: devices cannot follow them; pass containers as arguments");
    static_assert(
        std::is_array_v<T> || element_type<T>,
        "skelrt: SKELRT_FN_WITH takes trivially copyable values; pass containers and sk::scalar as arguments");
    using type = std::decay_t<T>; // of an array: goes on without more messages
};

/// A user function whose last parameters are its captured values: Make, a lambda without captures, makes the user's of
/// them.
template <class Make, class... T>
struct values_last {
    using made = std::invoke_result_t<Make, const std::tuple<T...>&>;

    template <class... Args>
    decltype(auto) operator()(const Args&... args) const
    {
        return call(std::make_index_sequence<sizeof...(Args) - sizeof...(T)>{}, std::index_sequence_for<T...>{},
                    std::tuple<const Args&...>(args...));
    }

private:
    template <std::size_t... A, std::size_t... V, class All>
    static decltype(auto) call(std::index_sequence<A...>, std::index_sequence<V...>, const All& all)
    {
        return Make{}(std::tuple<T...>(std::get<sizeof...(A) + V>(all)...))(std::get<A>(all)...);
    }
};

template <class Make, class... T>
    requires(!signature<typename values_last<Make, T...>::made>::generic)
struct signature<values_last<Make, T...>> {
    static constexpr bool generic = false;
    using list =
        typename concat<typename signature<typename values_last<Make, T...>::made>::list, type_list<T...>>::type;
};

/// Stands for such a function where skeletons are named by their function's type; they pass on the values.
template <class Make, class... T>
struct with_values {
};
template <class Make, class... T>
struct signature<with_values<Make, T...>> : signature<values_last<Make, T...>> {
};

} // namespace detail

namespace detail
{
/// What the host's compiler knows of the user's lambda, with the values behind its own parameters.
template <class Operator, class... T>
struct signature_with_values;
template <class Result, class Lambda, class... P, class... T>
struct signature_with_values<Result (Lambda::*)(P...) const, T...>
    : written_signature<Result (Lambda::*)(P..., T...) const> {
};
template <class Result, class Lambda, class... P, class... T>
struct signature_with_values<Result (Lambda::*)(P...) const noexcept, T...>
    : written_signature<Result (Lambda::*)(P..., T...) const> {
};

template <class Made, class... T>
constexpr signature_text signature_with()
{
    if constexpr (requires { signature_with_values<decltype(&Made::operator()), T...>::value; })
        return signature_with_values<decltype(&Made::operator()), T...>::value;
    else return {};
}
} // namespace detail

/// Made by SKELRT_FN_WITH.
template <class Make, class... T>
class function<detail::with_values<Make, T...>>
{
public:
    using lambda = detail::with_values<Make, T...>;
    using plain_function = function<detail::values_last<Make, T...>>;

    /// `facts` makes detail::source_facts: of the lambda without its values.
    template <class Facts>
    function(const detail::function_source& written, const char* names, Facts facts, const T&... values)
        : plain_({}, with_names(written, names, facts)), values_(values...)
    {
    }
    const detail::function_source& source() const { return plain_.source(); }
    /// The function of all its parameters, and what to pass for the last.
    const plain_function& plain() const noexcept { return plain_; }
    const std::tuple<T...>& values() const noexcept { return values_; }

    template <class... Args>
    decltype(auto) operator()(Args&&... args) const
    {
        return Make{}(values_)(std::forward<Args>(args)...);
    }

private:
    /// A function's type has one text.
    template <class Facts>
    static detail::function_source with_names(detail::function_source f, const char* names, Facts make)
    {
        static const char* const text = detail::text_with_values(f.text, names);
        static const detail::source_facts facts = [&] {
            detail::source_facts all = make();
            all.expanded = detail::text_with_values(all.expanded, names);
            all.signature = detail::signature_with<typename detail::values_last<Make, T...>::made, T...>();
            return all;
        }();
        f.text = text;
        f.facts = &facts;
        return f;
    }

    plain_function plain_;
    std::tuple<T...> values_;
};

namespace detail
{

template <class Make, class Facts, class... T>
auto make_function_with(Make, const function_source& written, const char* names, Facts facts, const T&... values)
{
    function_source f = written;
    f.line = line_of<Make>(written.line);
    return function<with_values<Make, typename checked_value<T>::type...>>(f, names, facts, values...);
}

/// A skeleton of a function with values: every call is the plain skeleton's, with the values behind the arguments.
template <class Plain, class... T>
class valued
{
public:
    template <class Function, class... More>
    explicit valued(const Function& f, const More&... more) : plain_(f.plain(), more...), values_(f.values())
    {
    }

protected:
    template <class Call>
    decltype(auto) with(const Call& call) const
    {
        return std::apply([&](const T&... values) -> decltype(auto) { return call(plain_, values...); }, values_);
    }
    void plan_to_use(const plan& p) { plain_.use(p); }

private:
    Plain plain_;
    std::tuple<T...> values_;
};

} // namespace detail

template <class Make, class... T>
class map<detail::with_values<Make, T...>> : detail::valued<map<detail::values_last<Make, T...>>, T...>
{
public:
    explicit map(const function<detail::with_values<Make, T...>>& f, detail::caller where = detail::caller::here())
        : map::valued(f, where)
    {
    }
    map& use(const plan& p)
    {
        this->plan_to_use(p);
        return *this;
    }
    template <class... Args>
    auto operator()(const Args&... args) const
    {
        return this->with([&](const auto& plain, const T&... values) { return plain(args..., values...); });
    }
};

template <class Make, class... T>
class filter<detail::with_values<Make, T...>> : detail::valued<filter<detail::values_last<Make, T...>>, T...>
{
public:
    explicit filter(const function<detail::with_values<Make, T...>>& f, detail::caller where = detail::caller::here())
        : filter::valued(f, where)
    {
    }
    filter& use(const plan& p)
    {
        this->plan_to_use(p);
        return *this;
    }
    template <class... Args>
    auto operator()(const Args&... args) const
    {
        return this->with([&](const auto& plain, const T&... values) { return plain(args..., values...); });
    }
};

template <class Make, class... T>
class for_each<detail::with_values<Make, T...>> : detail::valued<for_each<detail::values_last<Make, T...>>, T...>
{
public:
    explicit for_each(const function<detail::with_values<Make, T...>>& f) : for_each::valued(f) {}
    for_each& use(const plan& p)
    {
        this->plan_to_use(p);
        return *this;
    }
    template <class... Args>
    void operator()(Args&&... args) const
    {
        this->with([&](const auto& plain, const T&... values) { plain(std::forward<Args>(args)..., values...); });
    }
};

template <class Make, class... T, class Border>
class stencil<detail::with_values<Make, T...>, Border>
    : detail::valued<stencil<detail::values_last<Make, T...>, Border>, T...>
{
public:
    stencil(const function<detail::with_values<Make, T...>>& f, const Border& border, const reach& given = {})
        : stencil::valued(f, border, given)
    {
    }
    stencil& use(const plan& p)
    {
        this->plan_to_use(p);
        return *this;
    }
    template <class... Args>
    auto operator()(const Args&... args) const
    {
        return this->with([&](const auto& plain, const T&... values) { return plain(args..., values...); });
    }
    template <class... Args>
    auto by_row(const Args&... args) const
    {
        return this->with([&](const auto& plain, const T&... values) { return plain.by_row(args..., values...); });
    }
    template <class... Args>
    auto by_column(const Args&... args) const
    {
        return this->with([&](const auto& plain, const T&... values) { return plain.by_column(args..., values...); });
    }
    template <class... Args>
    auto separable(const Args&... args) const
    {
        return this->with([&](const auto& plain, const T&... values) { return plain.separable(args..., values...); });
    }
    template <class... Args>
    auto iterate(std::size_t n, const Args&... args) const
    {
        return this->with([&](const auto& plain, const T&... values) { return plain.iterate(n, args..., values...); });
    }
    template <class Predicate, class... Args>
    auto iterate_until(Predicate done, std::size_t check_every, const Args&... args) const
    {
        return this->with([&](const auto& plain, const T&... values) {
            return plain.iterate_until(std::move(done), check_every, args..., values...);
        });
    }
    template <class... Args>
    auto red_black(std::size_t n, const Args&... args) const
    {
        return this->with(
            [&](const auto& plain, const T&... values) { return plain.red_black(n, args..., values...); });
    }
};

template <class Make, class... T, class Border>
class wavefront<detail::with_values<Make, T...>, Border>
    : detail::valued<wavefront<detail::values_last<Make, T...>, Border>, T...>
{
public:
    template <class... GivenBorder>
    explicit wavefront(const function<detail::with_values<Make, T...>>& f, const GivenBorder&... border)
        : wavefront::valued(f, border...)
    {
    }
    wavefront& use(const plan& p)
    {
        this->plan_to_use(p);
        return *this;
    }
    template <class... Args>
    auto operator()(const Args&... args) const
    {
        return this->with([&](const auto& plain, const T&... values) { return plain(args..., values...); });
    }
};

// Where a function combines two values, it gets no others: tiles are combined in many places.

namespace detail
{
template <class>
inline constexpr bool may_have_values = false;
}

template <class Make, class... T, class Start>
class reduce<detail::with_values<Make, T...>, Start>
{
    static_assert(
        detail::may_have_values<Make>,
        "skelrt: the operator of a reduction has no values of its own; map the elements with SKELRT_FN_WITH first");
};
template <class Make, class... T, class Start, bool Exclusive>
class detail::scan_caller<detail::with_values<Make, T...>, Start, Exclusive>
{
    static_assert(
        may_have_values<Make>,
        "skelrt: the operator of a scan has no values of its own; map the elements with SKELRT_FN_WITH first");
};
template <class Make, class... T, class Op, class Start>
    requires(!std::is_void_v<Op>)
class all_pairs<detail::with_values<Make, T...>, Op, Start>
{
    static_assert(detail::may_have_values<Make>,
                  "skelrt: the functions of sk::all_pairs(zip, op) have no values of their own; map a side, or use "
                  "sk::all_pairs of one function");
};
template <class Argument, class Make, class... T>
void sort(const Argument&, const function<detail::with_values<Make, T...>>&)
{
    static_assert(detail::may_have_values<Make>,
                  "skelrt: the comparator of a sort has no values of its own; sort_by_key takes keys that a map makes");
}
template <class Keys, class Values, class Make, class... T>
void sort_by_key(Keys&&, Values&&, const function<detail::with_values<Make, T...>>&)
{
    static_assert(detail::may_have_values<Make>,
                  "skelrt: the comparator of a sort has no values of its own; sort_by_key takes keys that a map makes");
}

} // namespace skelrt

/// A function that uses values from around it: SKELRT_FN_WITH((a, b), (float x) { return a * x + b; }).
#define SKELRT_FN_WITH(names, ...)                                                                                     \
    ::skelrt::detail::make_function_with(                                                                              \
        [](const auto& skelrt_values) { return [SKELRT_DETAIL_VALUES names] __VA_ARGS__; },                            \
        {#__VA_ARGS__, __FILE__, __LINE__, nullptr, SKELRT_DETAIL_AROUND},                                             \
        ::skelrt::detail::only_names<::skelrt::detail::are_names(SKELRT_DETAIL_NAMES names)>(                          \
            SKELRT_DETAIL_NAMES names),                                                                                \
        SKELRT_DETAIL_FACTS(__VA_ARGS__), SKELRT_DETAIL_LIST names)

#define SKELRT_DETAIL_NAMES(...) #__VA_ARGS__
#define SKELRT_DETAIL_LIST(...) __VA_ARGS__
/// a = std::get<0>(skelrt_values), b = std::get<1>(skelrt_values), ...: the captures of the host's lambda.
#define SKELRT_DETAIL_VALUES(a, ...) a = ::std::get<0>(skelrt_values) __VA_OPT__(, SKELRT_DETAIL_VALUE1(__VA_ARGS__))
#define SKELRT_DETAIL_VALUE1(a, ...) a = ::std::get<1>(skelrt_values) __VA_OPT__(, SKELRT_DETAIL_VALUE2(__VA_ARGS__))
#define SKELRT_DETAIL_VALUE2(a, ...) a = ::std::get<2>(skelrt_values) __VA_OPT__(, SKELRT_DETAIL_VALUE3(__VA_ARGS__))
#define SKELRT_DETAIL_VALUE3(a, ...) a = ::std::get<3>(skelrt_values) __VA_OPT__(, SKELRT_DETAIL_VALUE4(__VA_ARGS__))
#define SKELRT_DETAIL_VALUE4(a, ...) a = ::std::get<4>(skelrt_values) __VA_OPT__(, SKELRT_DETAIL_VALUE5(__VA_ARGS__))
#define SKELRT_DETAIL_VALUE5(a, ...) a = ::std::get<5>(skelrt_values) __VA_OPT__(, SKELRT_DETAIL_VALUE6(__VA_ARGS__))
#define SKELRT_DETAIL_VALUE6(a, ...) a = ::std::get<6>(skelrt_values) __VA_OPT__(, SKELRT_DETAIL_VALUE7(__VA_ARGS__))
#define SKELRT_DETAIL_VALUE7(a, ...) a = ::std::get<7>(skelrt_values) __VA_OPT__(, SKELRT_DETAIL_VALUE8(__VA_ARGS__))
#define SKELRT_DETAIL_VALUE8(a, ...) a = ::std::get<8>(skelrt_values) __VA_OPT__(, SKELRT_DETAIL_VALUE9(__VA_ARGS__))
#define SKELRT_DETAIL_VALUE9(a, ...) a = ::std::get<9>(skelrt_values) __VA_OPT__(, SKELRT_DETAIL_VALUE10(__VA_ARGS__))
#define SKELRT_DETAIL_VALUE10(a, ...) a = ::std::get<10>(skelrt_values) __VA_OPT__(, SKELRT_DETAIL_VALUE11(__VA_ARGS__))
#define SKELRT_DETAIL_VALUE11(a, ...) a = ::std::get<11>(skelrt_values) __VA_OPT__(, SKELRT_DETAIL_VALUE12(__VA_ARGS__))
#define SKELRT_DETAIL_VALUE12(a, ...) a = ::std::get<12>(skelrt_values) __VA_OPT__(, SKELRT_DETAIL_VALUE13(__VA_ARGS__))
#define SKELRT_DETAIL_VALUE13(a, ...) a = ::std::get<13>(skelrt_values) __VA_OPT__(, SKELRT_DETAIL_VALUE14(__VA_ARGS__))
#define SKELRT_DETAIL_VALUE14(a, ...) a = ::std::get<14>(skelrt_values) __VA_OPT__(, SKELRT_DETAIL_VALUE15(__VA_ARGS__))
#define SKELRT_DETAIL_VALUE15(a, ...)                                                                                  \
    a = ::std::get<15>(skelrt_values) __VA_OPT__(, "skelrt: SKELRT_FN_WITH takes at most 16 values")
