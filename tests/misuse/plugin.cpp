// SPDX-License-Identifier: BSD-3-Clause
#include "plugin.hpp"

#include <stdexcept>

/// A shared library that a program opens, uses and closes again.

namespace sk = skelrt;

SKELRT_SHARED(
    struct plugin_pair { int a, b; }; constexpr int plugin_factor = 3;
    inline int plugin_sum(plugin_pair p) { return p.a + plugin_factor * p.b; })

extern "C" __attribute__((visibility("default"))) void work(plugin_work& w, const sk::vector<int>& x)
{
    const int shift = 5;
    const auto pairs = sk::map(SKELRT_FN_WITH((shift), (int v) { return plugin_pair{v, shift}; }));
    const auto sums = sk::map(SKELRT_FN((plugin_pair p) { return plugin_sum(p); }));
    const sk::vector<plugin_pair> between = pairs(x);
    w.made = sums(between);
    w.sum = sk::reduce(SKELRT_FN((int a, int b) { return a + b; }), 0)(w.made);
    w.made = sk::stencil(SKELRT_FN((sk::hood1<int> u) { return u(-1) + u(1); }), sk::border::nearest())(w.made);
    w.made = sk::scan(sk::plus)(w.made);
    sk::wait(w.made);
    try {
        w.made = sk::map(SKELRT_FN((int a, int b) { return a + b; }))(x, sk::vector<int>(x.size() + 1));
    } catch (const sk::error&) {
        w.error = std::current_exception();
    }
}
