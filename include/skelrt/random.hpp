// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace skelrt
{

/// Argument for an sk::random parameter: which random numbers a call gets. The same seed gives the same numbers at the
/// same positions, whatever devices, tiles and workers compute them; another seed or another stream gives unrelated
/// ones. Functions that are fused into one call, or called one after the other, want a stream each. An iteration draws
/// other numbers in each of its steps: iterate(n, x, seed) is n calls with seed.key_of_step(0), key_of_step(1), ...;
/// the first is key().
struct random_seed {
    std::uint64_t seed = 0;
    std::uint64_t stream = 0;

    /// What the generator is keyed with: one to one in the seed for each stream (the mixing steps of SplitMix64).
    std::uint64_t key() const
    {
        std::uint64_t z = seed + stream * 0x9e3779b97f4a7c15u;
        if (stream == 0) return z;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

    std::uint64_t key_of_step(std::uint64_t step) const { return step_key(key(), step); }
    /// The key of a later step of an iteration that began with `key`: one to one in the key for each step (the mixing
    /// steps of MurmurHash3).
    static std::uint64_t step_key(std::uint64_t key, std::uint64_t step)
    {
        if (step == 0) return key;
        std::uint64_t z = key ^ (step * 0xd1342543de82ef95u);
        z = (z ^ (z >> 33)) * 0xff51afd7ed558ccdu;
        z = (z ^ (z >> 33)) * 0xc4ceb9fe1a85ec53u;
        return z ^ (z >> 33);
    }
};

/// Parameter of a user function: the position's own stream of random numbers, each call the next of them.
///
///     x = sk::map(SKELRT_FN((float x, sk::random r) { return x + r.normal(); }))(x, sk::random_seed{42});
///
/// Philox4x32-10, a counter-based generator: number n at position p is a function of (seed, p, n) alone, so nothing is
/// stored and streams never overlap (2^32 blocks of four numbers per position). J. K. Salmon, M. A. Moraes, R. O. Dror
/// and D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
/// bits(), uniform() and uniform_double() give the same bits on every device; normal() is as exact as each device's
/// log, sin and cos.
class random
{
public:
    random(std::uint64_t key, std::uint64_t position) : key_(key), position_(position) {}

    /// 32 random bits.
    std::uint32_t bits()
    {
        if (used_ == 4) next_block();
        return out_[used_++];
    }
    /// In [0, 1), a multiple of 2^-24.
    float uniform() { return static_cast<float>(bits() >> 8) * 0x1p-24f; }
    /// In [0, 1), a multiple of 2^-53.
    double uniform_double()
    {
        const std::uint64_t high = bits() >> 5, low = bits() >> 6;
        return static_cast<double>(high << 26 | low) * 0x1p-53;
    }
    /// Mean 0, variance 1: Box and Muller's method makes two of two uniform numbers, and the second one is kept for the
    /// next call.
    float normal()
    {
        if (has_second_) {
            has_second_ = false;
            return second_;
        }
        // As std::sqrt and so on, without the tenth of a second that <cmath> costs every program that is compiled.
        const float radius = __builtin_sqrtf(-2.0f * __builtin_logf(1.0f - uniform())), angle = 6.2831853f * uniform();
        second_ = radius * __builtin_sinf(angle);
        has_second_ = true;
        return radius * __builtin_cosf(angle);
    }

private:
    void next_block()
    {
        std::uint32_t c[4] = {block_, 0, static_cast<std::uint32_t>(position_),
                              static_cast<std::uint32_t>(position_ >> 32)};
        std::uint32_t k0 = static_cast<std::uint32_t>(key_), k1 = static_cast<std::uint32_t>(key_ >> 32);
        for (int round = 0; round < 10; ++round) {
            const std::uint64_t a = std::uint64_t{0xD2511F53u} * c[0], b = std::uint64_t{0xCD9E8D57u} * c[2];
            const std::uint32_t c0 = static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ k0;
            const std::uint32_t c2 = static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ k1;
            c[0] = c0, c[1] = static_cast<std::uint32_t>(b), c[2] = c2, c[3] = static_cast<std::uint32_t>(a);
            k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
        }
        for (int i = 0; i < 4; ++i) out_[i] = c[i];
        ++block_;
        used_ = 0;
    }

    std::uint64_t key_, position_;
    std::uint32_t block_ = 0, used_ = 4;
    std::uint32_t out_[4] = {};
    float second_ = 0;
    bool has_second_ = false;
};

} // namespace skelrt
