// SPDX-License-Identifier: BSD-3-Clause
#include "src/farm/errors.hpp"

#include "src/program/as_item_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace skelrt::detail
{

void item_errors::add(std::size_t item, std::string name, std::exception_ptr what)
{
    const std::lock_guard lock(guard_);
    const auto place = std::ranges::upper_bound(all_, item, {}, &one::item);
    all_.insert(place, {item, std::move(name), std::move(what)});
}

void item_errors::add_all_of(const item_errors& others)
{
    const std::scoped_lock lock(guard_, others.guard_);
    all_.insert(all_.end(), others.all_.begin(), others.all_.end());
    std::ranges::stable_sort(all_, {}, &one::item);
}

void item_errors::clear()
{
    const std::lock_guard lock(guard_);
    all_.clear();
}

bool item_errors::any() const
{
    const std::lock_guard lock(guard_);
    return !all_.empty();
}

std::vector<item_errors::one> item_errors::all() const
{
    const std::lock_guard lock(guard_);
    return all_;
}

std::exception_ptr item_errors::together(const std::string& of) const
{
    const std::lock_guard lock(guard_);
    if (all_.empty()) return nullptr;
    std::vector<std::exception_ptr> whats;
    for (const one& e : all_) whats.push_back(e.what);
    const one& first = all_.front();
    return as_item_error(fmt::format("{}, {} {}{}", of, an_item_, first.item, first.name), an_item_, std::move(whats));
}

} // namespace skelrt::detail
