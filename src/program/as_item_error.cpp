// SPDX-License-Identifier: BSD-3-Clause
#include "src/program/as_item_error.hpp"

#include <skelrt/item_error.hpp>

#include <fmt/format.h>

#include <utility>

namespace skelrt
{

item_error::item_error(const std::string& message, std::vector<std::exception_ptr> all)
    : error(message), all_(std::make_shared<const std::vector<std::exception_ptr>>(std::move(all)))
{
}
item_error::~item_error() = default;
cancelled::~cancelled() = default;
skipped::~skipped() = default;

} // namespace skelrt

namespace skelrt::detail
{

std::string text_of(const std::exception_ptr& what)
{
    try {
        std::rethrow_exception(what);
    } catch (const std::exception& e) {
        return e.what();
    } catch (...) {
        return "something that is no std::exception";
    }
}

std::exception_ptr as_item_error(const std::string& of, const char* an_item, std::vector<std::exception_ptr> all)
{
    const std::string more = all.size() == 1 ? "" : fmt::format(" ({} {}s threw)", all.size(), an_item);
    try {
        std::rethrow_exception(all.front());
    } catch (...) {
        const std::string text = fmt::format("{}: {}{}", of, text_of(all.front()), more);
        return std::make_exception_ptr(item_error(text, std::move(all)));
    }
}

} // namespace skelrt::detail
