// SPDX-License-Identifier: BSD-3-Clause
/// docs/gallery.md: how often each word of a text occurs: sort by key, then reduce by key.

#include <skelrt/algorithms.hpp>
#include <skelrt/skelrt.hpp>

#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

namespace sk = skelrt;

/// Devices compare numbers, not strings: FNV's hash of a word.
unsigned number_of(const std::string& word)
{
    unsigned hash = 2166136261u;
    for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    return hash;
}

int main()
{
    const sk::runtime rt;
    std::istringstream text("the woods are lovely dark and deep but i have promises to keep and miles to go before i "
                            "sleep and miles to go before i sleep");
    std::vector<std::string> words;
    for (std::string word; text >> word;) words.push_back(word);

    std::vector<unsigned> numbers;
    for (const std::string& word : words) numbers.push_back(number_of(word));
    sk::vector<unsigned> key(numbers.begin(), numbers.end());
    sk::vector<int> place = sk::iota(key.size(), 0);
    sk::sort_by_key(key, place); // equal words lie next to each other, in the order of the text

    const sk::vector<int> ones(key.size(), 1);
    const auto [found, counts] = sk::reduce_by_key(key, ones, sk::plus);
    const auto [again, firsts] = sk::reduce_by_key(key, place, sk::minimum); // where a word stands first
    std::printf("%zu words, %zu different ones\n", words.size(), found.size());

    const auto times = sk::host_read(counts), first = sk::host_read(firsts);
    for (std::size_t i = 0; i < words.size(); ++i) // in the order of the text
        for (std::size_t k = 0; k < times.size(); ++k)
            if (first[k] == static_cast<int>(i) && times[k] >= 3) std::printf("%s: %d\n", words[i].c_str(), times[k]);
}
