// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"

#include <skelrt/algorithms.hpp>

namespace canny
{

namespace sk = skelrt;

SKELRT_SHARED(constexpr int nobody = 0x7fffffff;)

namespace
{

/// Pixels that are connected get one name, the least of theirs: 0 is the name of all edges.
const auto own_name = sk::map(SKELRT_FN((sk::index1 i, int mark) {
    if (mark == 0) return nobody;
    return mark == 2 ? 0 : int(i.i) + 1;
}));

const auto least_around = sk::stencil(SKELRT_FN((sk::hood2<int> name) {
                                          int least = name(0, 0);
                                          if (least == nobody) return nobody;
                                          for (int r = -1; r <= 1; ++r)
                                              for (int c = -1; c <= 1; ++c)
                                                  if (name(r, c) < least) least = name(r, c);
                                          return least;
                                      }),
                                      sk::border::constant(nobody), sk::reach(1));

/// Each name leads to a lesser one of the same component, or to itself.
const auto hook = sk::for_each(SKELRT_FN((int name, int least, sk::min_accumulator<int> leads_to) {
    if (least < name) leads_to.min(name, least);
}));

const auto followed = sk::map(SKELRT_FN((int name, sk::vec<int> leads_to) {
    if (name == nobody) return nobody;
    while (leads_to[name] != name) name = leads_to[name];
    return name;
}));

const auto mark_of = sk::map(SKELRT_FN((int name, int mark) { return name == 0 ? 2 : mark; }));

} // namespace

video::marks fully_grown(const video::marks& found)
{
    sk::matrix<int> names = own_name(found);
    sk::vector<int> leads_to = sk::iota(found.size() + 1, 0);
    for (;;) {
        const sk::matrix<int> least = least_around(names);
        if (sk::all(least == names)) break;
        hook(names, least, leads_to);
        names = followed(names, leads_to);
    }
    return mark_of(names, found);
}

} // namespace canny
