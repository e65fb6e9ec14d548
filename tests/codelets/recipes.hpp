// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/before.hpp>
#include <skelrt/detail/recipe.hpp>
#include <skelrt/detail/type_text.hpp>
#include <skelrt/function.hpp>
#include <skelrt/hood.hpp>

#include <cstddef>
#include <deque>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

/// Recipes written by hand, without the front end.
namespace sk = skelrt; // as users write it

namespace recipes
{

using namespace skelrt::detail;

/// The device's text of a lambda and the lambda itself, as SKELRT_FN does it.
template <class Lambda>
struct user_function {
    Lambda call;
    function_source source;
};

template <class Lambda>
user_function(Lambda, function_source) -> user_function<Lambda>;

#define USER_FUNCTION(...)                                                                                             \
    ::recipes::user_function                                                                                           \
    {                                                                                                                  \
        [] __VA_ARGS__, { #__VA_ARGS__, __FILE__, __LINE__ }                                                           \
    }

template <class T>
slot_type slot(slot_kind kind)
{
    return {kind, type_text<T>(), sizeof(T), alignof(T)};
}

template <class T>
slot_type element()
{
    return slot<T>(slot_kind::element);
}
template <class T>
slot_type uniform()
{
    return slot<T>(slot_kind::uniform);
}

template <class T>
slot_type hood()
{
    return slot<T>(slot_kind::hood);
}

template <class T>
slot_type hood_source()
{
    return slot<T>(slot_kind::hood_source);
}
template <class T>
slot_type mapped_hood()
{
    return slot<T>(slot_kind::mapped_hood);
}

inline argument operand(unsigned k) { return {argument_kind::slot, k}; }
inline argument result_of(unsigned k) { return {argument_kind::call, k}; }
/// The results before the position; uniform slot k lies outside.
inline argument before(unsigned k) { return {argument_kind::before, k}; }
inline argument at1() { return {argument_kind::index1, 0}; }
inline argument at2() { return {argument_kind::index2, 0}; }

/// A recipe and the function sources that it points to.
class builder
{
public:
    builder(skeleton kind, std::string name)
    {
        what_.kind = kind;
        what_.name = std::move(name);
    }
    builder& slots(std::initializer_list<slot_type> all)
    {
        what_.slots = all;
        return *this;
    }
    template <class Result, class F>
    builder& call(const F& f, std::initializer_list<argument> arguments)
    {
        return call<Result>(f.source, arguments);
    }
    template <class Result>
    builder& call(const function_source& f, std::initializer_list<argument> arguments)
    {
        sources_.push_back(f);
        what_.calls.push_back({&sources_.back(), type_text<Result>(), sizeof(Result), arguments});
        what_.root = result_of(static_cast<unsigned>(what_.calls.size() - 1));
        return *this;
    }
    template <class F>
    builder& combine(const F& f)
    {
        sources_.push_back(f.source);
        what_.combine = &sources_.back();
        return *this;
    }
    /// The last call gives what the hoods of `slot` hold, of the slots from `first` on.
    builder& under_hood(unsigned first, unsigned slot)
    {
        const auto call = static_cast<unsigned>(what_.calls.size() - 1);
        const unsigned first_call = what_.hood_maps.empty() ? 0 : what_.hood_maps.back().call + 1;
        what_.hood_maps.push_back({first, slot, first_call, call, nullptr});
        return *this;
    }
    builder& stencil(const stencil_shape& shape)
    {
        what_.stencil = shape;
        return *this;
    }
    builder& edges()
    {
        what_.has_edges = true;
        return *this;
    }
    template <class Result>
    builder& result()
    {
        what_.result = type_text<Result>();
        what_.result_size = sizeof(Result);
        what_.result_align = alignof(Result);
        return *this;
    }
    const recipe& get() const { return what_; }

private:
    recipe what_;
    std::deque<function_source> sources_;
};

} // namespace recipes
