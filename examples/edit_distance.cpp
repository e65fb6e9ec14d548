// SPDX-License-Identifier: BSD-3-Clause
/// docs/gallery.md: how many letters make one text of another (Levenshtein's distance): a wavefront.

#include <skelrt/algorithms.hpp>
#include <skelrt/skelrt.hpp>

#include <cstdio>
#include <string>
#include <string_view>

namespace sk = skelrt;

/// Of each beginning of a to each beginning of b; the last element is that of all.
int distance(std::string_view a, std::string_view b)
{
    const auto cheapest = sk::wavefront(SKELRT_FN((sk::before2<int> d, char from, char to) {
        int best = from == to ? d.diagonal() : d.diagonal() + 1; // kept, or replaced
        if (d.left() + 1 < best) best = d.left() + 1;            // inserted
        if (d.above() + 1 < best) best = d.above() + 1;          // left out
        return best;
    }));
    const sk::vector<char> down(a.begin(), a.end()), along(b.begin(), b.end());
    const sk::vector<int> above = sk::iota(b.size(), 1), left = sk::iota(a.size(), 1); // of the empty text
    sk::matrix<int> table;
    table = cheapest(sk::edges(above, left, 0), sk::per_row(down), sk::per_column(along));
    return sk::host_read(table)(a.size() - 1, b.size() - 1);
}

int main()
{
    const sk::runtime rt;
    std::printf("intention, execution: %d\n", distance("intention", "execution"));

    std::string gene, other; // two long ones: every tenth letter is another
    for (int i = 0; i < 2000; ++i) gene += "acgt"[(i * i / 7) % 4];
    other = gene;
    for (std::size_t i = 0; i < other.size(); i += 10) other[i] = 'x';
    std::printf("two of 2000 letters: %d\n", distance(gene, other));
}
