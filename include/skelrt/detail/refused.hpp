// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../function.hpp"

#include <cstddef>
#include <tuple>
#include <type_traits>

/// Mistakes that the compiler finds are told once, by a sentence at the public interface. What follows in this header
/// takes the place of what cannot be, so that nothing else is said about it.
namespace skelrt::detail
{

template <class... T>
struct type_list;

/// In the place of a user function that cannot be one.
struct refused {
};

/// In the place of a call that cannot be one: goes wherever a call may go.
struct refused_call {
    using skelrt_expression = void;
    using skelrt_map = void;
    using value = refused_call;
    using leaf_types = type_list<>;
    static constexpr std::size_t leaves = 0;

    refused_call get() const { return {}; }
    template <class T>
        requires(std::is_trivially_copyable_v<T> && !std::is_reference_v<T>)
    operator T() const { __builtin_unreachable(); }
};

template <class T>
inline constexpr bool is_refused = std::is_same_v<std::remove_cvref_t<T>, refused_call>;

// --- members that are missed, and say what to do instead ---------------------------------------------------------

/// A sentence as a type: g++ shows it in its message about a deleted function.
template <std::size_t N>
struct sentence {
    char text[N]{};
    constexpr sentence(const char (&from)[N])
    {
        for (std::size_t i = 0; i < N; ++i) text[i] = from[i];
    }
};
template <sentence S>
struct says;

/// SKELRT_DETAIL_MISSED("skelrt: ...") declaration SKELRT_DETAIL_DELETED; is a function that nobody can call, and that
/// concepts see as not there; calling it says the sentence. SKELRT_DETAIL_REFUSED: the same for those `Other` that meet
/// a condition. Each compiler has its own way of showing sentences. END: g++ tells of begin() alone where a loop needs
/// both.
#ifdef __clang__
#define SKELRT_DETAIL_MISSED(sentence) __attribute__((unavailable(sentence)))
#define SKELRT_DETAIL_MISSED_END(sentence) __attribute__((unavailable(sentence)))
#define SKELRT_DETAIL_REFUSED(sentence, ...)                                                                           \
    template <class Other>                                                                                             \
        requires(__VA_ARGS__)                                                                                          \
    __attribute__((unavailable(sentence)))
#define SKELRT_DETAIL_DELETED
#else
#define SKELRT_DETAIL_MISSED(sentence) template <class = ::skelrt::detail::says<sentence>>
#define SKELRT_DETAIL_MISSED_END(sentence) __attribute__((error(sentence)))
#define SKELRT_DETAIL_REFUSED(sentence, ...)                                                                           \
    template <class Other, class = ::skelrt::detail::says<sentence>>                                                   \
        requires(__VA_ARGS__)
#define SKELRT_DETAIL_DELETED = delete
#endif

/// A container or view of ours.
template <class Other>
concept own_container = requires(const Other& o)
{
    o.storage();
    o.place();
    Other::rank;
};
/// A container of the standard library's kind, whose elements one of ours might take.
template <class Other, class T>
concept standard_container = !own_container<Other> && requires(const Other& o)
{
    o.begin();
    o.end();
    o.size();
}
&&std::is_convertible_v<typename Other::value_type, T>;

/// Of ours, but not what Container is assigned from.
template <class Other, class Container>
concept other_rank = own_container<Other> && Other::rank != Container::rank;
template <class Other, class Container>
concept other_type = own_container<Other> && Other::rank == Container::rank &&
                     !std::is_same_v<typename Other::value_type, typename Container::value_type>;
template <class Other, class Container>
concept view_of =
    own_container<Other> && Other::rank ==
    Container::rank&& std::is_same_v<typename Other::value_type, typename Container::value_type>&& requires
{
    typename Other::skelrt_view;
};

// --- what user functions may be ----------------------------------------------------------------------------------

template <class P>
inline constexpr bool is_written_to =
    std::is_reference_v<P> && !(std::is_lvalue_reference_v<P> && std::is_const_v<std::remove_reference_t<P>>);
template <class P>
inline constexpr bool is_pointer_parameter = std::is_pointer_v<std::remove_cvref_t<P>>;

enum class function_fault : unsigned char { none, not_ours, changes_itself, writes, has_pointers };

/// Of the type of a call operator; those that are not const change the lambda.
template <class M>
inline constexpr function_fault operator_fault = function_fault::changes_itself;
template <class C, class R, class... P>
inline constexpr function_fault operator_fault<R (C::*)(P...) const> = (is_pointer_parameter<P> || ...)
                                                                           ? function_fault::has_pointers
                                                                       : (is_written_to<P> || ...)
                                                                           ? function_fault::writes
                                                                           : function_fault::none;
template <class C, class R, class... P>
inline constexpr function_fault operator_fault<R (C::*)(P...) const noexcept> = operator_fault<R (C::*)(P...) const>;

/// Of what a skeleton is made of.
template <class F>
inline constexpr function_fault fault_of = function_fault::not_ours;
template <class Lambda>
inline constexpr function_fault fault_of<function<Lambda>> = function_fault::none; // generic
template <class Lambda>
    requires requires { &Lambda::operator(); }
inline constexpr function_fault fault_of<function<Lambda>> = operator_fault<decltype(&Lambda::operator())>;

/// The type by which a skeleton knows its function: `Lambda`, or `refused` if that or another one of its functions
/// cannot be.
template <class Lambda, class... Others>
using checked = std::conditional_t<fault_of<function<Lambda>> == function_fault::none &&
                                       ((fault_of<function<Others>> == function_fault::none) && ...),
                                   Lambda, refused>;

template <std::size_t I, class... Args>
constexpr function_fault nth_fault()
{
    if constexpr (I < sizeof...(Args))
        return fault_of<std::remove_cvref_t<std::tuple_element_t<I, std::tuple<Args...>>>>;
    else return function_fault::none;
}

/// Any of the first `Functions` arguments has the fault.
template <std::size_t Functions, class... Args>
constexpr bool any_fault(function_fault what)
{
    return (Functions > 0 && nth_fault<0, Args...>() == what) || (Functions > 1 && nth_fault<1, Args...>() == what);
}

/// A skeleton whose first arguments, as many as `Functions`, are no user functions. Says why, and does nothing else.
template <std::size_t Functions = 1>
class refused_skeleton
{
public:
    template <class... Args>
    constexpr explicit refused_skeleton(const Args&...)
    {
        using fault = function_fault;
        static_assert(
            !any_fault<Functions, Args...>(fault::not_ours),
            "skelrt: a user function is made by SKELRT_FN, as in sk::map(SKELRT_FN((float x) { return 2 * x; })): "
            "a lambda, a functor or a named function has no text for GPUs; sk::plus stands for std::plus");
        static_assert(!any_fault<Functions, Args...>(fault::changes_itself),
                      "skelrt: a user function is not mutable: it runs at all positions at once");
        static_assert(!any_fault<Functions, Args...>(fault::writes),
                      "skelrt: a user function takes its parameters by value, not float& and the like: it returns its "
                      "result, several of them as a struct (sk::tie)");
        static_assert(
            !any_fault<Functions, Args...>(fault::has_pointers),
            "skelrt: a user function takes no pointers; a parameter sk::vec<T> or sk::mat<T> is a whole container");
    }

    refused_skeleton& use(const plan&) { return *this; }
    template <class... Args>
    refused_call operator()(const Args&...) const
    {
        return {};
    }
    template <class... Args>
    refused_call by_row(const Args&...) const
    {
        return {};
    }
    template <class... Args>
    refused_call by_column(const Args&...) const
    {
        return {};
    }
    template <class... Args>
    refused_call separable(const Args&...) const
    {
        return {};
    }
    template <class... Args>
    refused_call iterate(std::size_t, const Args&...) const
    {
        return {};
    }
    template <class... Args>
    refused_call iterate_until(const Args&...) const
    {
        return {};
    }
    template <class... Args>
    refused_call red_black(std::size_t, const Args&...) const
    {
        return {};
    }

protected:
    constexpr refused_skeleton() = default;
};

/// The same for functions that take a user function.
template <class F>
refused_call refuse(const F& f)
{
    static_cast<void>(refused_skeleton<>(f));
    return {};
}

} // namespace skelrt::detail
