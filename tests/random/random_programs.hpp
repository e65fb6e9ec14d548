// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

/// Random programs: sequences of skeleton calls on a few containers, each compared with the same on plain vectors.
/// Values are whole numbers from 0 to 9, so that every order of evaluation is exact in every arithmetic type.
namespace random_programs
{

/// What a program found that should not be.
struct mismatch : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Random choices, the same in every run with the same seed.
class choices
{
public:
    explicit choices(unsigned seed) : random_(seed) {}
    std::size_t below(std::size_t n) { return random_() % n; }
    bool one_in(std::size_t n) { return below(n) == 0; }

    /// Mostly small, now and then up to a million.
    std::size_t size()
    {
        switch (below(50)) {
        case 0:
            return below(1'000'001);
        case 1:
        case 2:
        case 3:
            return below(100'001);
        default:
            return one_in(3) ? below(5001) : below(81);
        }
    }

private:
    std::mt19937 random_;
};

/// Compares what a call gave with what it should give; the first difference is thrown.
template <class Got, class T>
void check(const std::string& what, const Got& got, const std::vector<T>& want)
{
    bool same = got.size() == want.size();
    std::size_t i = 0;
    for (; same && i < want.size(); ++i) same = got[i] == want[i];
    if (same) return;
    std::ostringstream text;
    if (got.size() != want.size()) text << what << ": " << got.size() << " elements instead of " << want.size();
    else text << what << ": element " << --i << " of " << want.size();
    if constexpr (requires { text << want[i]; })
        if (got.size() == want.size()) text << " is " << got[i] << " instead of " << want[i];
    throw mismatch(text.str());
}

/// One program on elements of one type; throws mismatch.
void run_int(unsigned seed);
void run_long(unsigned seed);
void run_float(unsigned seed);
void run_double(unsigned seed);
void run_structs(unsigned seed);

} // namespace random_programs
