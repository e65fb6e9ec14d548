// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/checks/strict_order.hpp"

#include "codelets/element_memory.hpp"

#include <fmt/format.h>

#include <cstring>

namespace skelrt::detail
{

std::optional<std::string> broken_order(std::size_t n, const std::function<bool(std::size_t, std::size_t)>& before,
                                        const std::function<std::string(std::size_t)>& name)
{
    const auto equal = [&](std::size_t a, std::size_t b) { return a == b || (!before(a, b) && !before(b, a)); };
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = a + 1; b < n; ++b)
            if (before(a, b) && before(b, a))
                return fmt::format("{0} is before {1}, and {1} before {0}", name(a), name(b));
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b)
            for (std::size_t c = 0; c < n; ++c) {
                if (a == b || b == c || a == c) continue;
                if (before(a, b) && before(b, c) && !before(a, c))
                    return fmt::format("{0} is before {1}, {1} before {2}, but {0} not before {2}", name(a), name(b),
                                       name(c));
                if (equal(a, b) && equal(b, c) && before(a, c))
                    return fmt::format("neither of {0} and {1} is before the other, nor of {1} and {2}, but {0} is "
                                       "before {2}",
                                       name(a), name(b), name(c));
            }
    return {};
}

std::optional<std::string> broken_order(const work& sort)
{
    const sort_functions& f = *sort.what.cpu.sort;
    const segment& where = sort.segments[0];
    const std::size_t n = where.cols, size = f.item_size;
    const element_memory items(n * size), pair(2 * size);
    f.load({where, sort.width, &sort.slot(0, 0), &sort.what}, items.data());
    const auto item = [&](std::size_t i) { return items.data() + i * size; };
    // A stable sort of two puts the second in front if it is before the first. Of equal bytes nobody can tell.
    const auto before = [&](std::size_t a, std::size_t b) {
        std::memcpy(pair.data(), item(b), size);
        std::memcpy(pair.data() + size, item(a), size);
        f.sort(pair.data(), 2);
        return std::memcmp(item(a), item(b), size) != 0 && std::memcmp(pair.data(), item(a), size) == 0 &&
               std::memcmp(pair.data() + size, item(b), size) == 0;
    };
    return broken_order(n, before, [&](std::size_t i) { return fmt::format("element {}", where.col0 + i); });
}

} // namespace skelrt::detail
