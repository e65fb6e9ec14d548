// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <exception>
#include <mutex>
#include <string>
#include <vector>

namespace skelrt::detail
{

/// What the items of a run threw. Thread-safe.
class item_errors
{
public:
    struct one {
        std::size_t item;
        std::string name;
        std::exception_ptr what;
    };

    explicit item_errors(const char* an_item = "item") : an_item_(an_item) {}

    /// `name`: what stands behind its number, " (left eye)", ", stage 2".
    void add(std::size_t item, std::string name, std::exception_ptr what);
    void add_all_of(const item_errors& others);
    void clear();
    bool any() const;
    /// Null: there are none. `of`: "main.cpp:12: farm frames".
    std::exception_ptr together(const std::string& of) const;

    /// In the order of the items.
    std::vector<one> all() const;

private:
    const char* const an_item_; ///< what they are called
    mutable std::mutex guard_;
    std::vector<one> all_; ///< in the order of the items
};

} // namespace skelrt::detail
