#include "src/farm/errors.hpp"

#include <skelrt/item_error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace skelrt
{

item_error::item_error(const std::string& message, std::vector<std::exception_ptr> all)
    : error(message), all_(std::make_shared<const std::vector<std::exception_ptr>>(std::move(all)))
{
}
item_error::~item_error() = default;
cancelled::~cancelled() = default;

} // namespace skelrt

namespace skelrt::detail
{

namespace
{

/// With the exception under way.
std::string what_is_thrown()
{
    try {
        throw;
    } catch (const std::exception& e) {
        return e.what();
    } catch (...) {
        return "something that is no std::exception";
    }
}

} // namespace

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

std::exception_ptr item_errors::together(const std::string& of) const
{
    const std::lock_guard lock(guard_);
    if (all_.empty()) return nullptr;
    std::vector<std::exception_ptr> whats;
    for (const one& e : all_) whats.push_back(e.what);
    const one& first = all_.front();
    return as_item_error(fmt::format("{}, {} {}{}", of, an_item_, first.item, first.name), an_item_, std::move(whats));
}

std::exception_ptr as_item_error(const std::string& of, const char* an_item, std::vector<std::exception_ptr> all)
{
    const std::string more = all.size() == 1 ? "" : fmt::format(" ({} {}s threw)", all.size(), an_item);
    try {
        std::rethrow_exception(all.front());
    } catch (...) {
        const std::string text = fmt::format("{}: {}{}", of, what_is_thrown(), more);
        return std::make_exception_ptr(item_error(text, std::move(all)));
    }
}

} // namespace skelrt::detail
