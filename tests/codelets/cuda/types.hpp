// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/function.hpp>

/// User types of many sizes, on the host and on the device. None has padding: tests compare bytes.
SKELRT_SHARED(
    struct rgb { unsigned char r, g, b; }; struct point { float x, y, z; };
    struct alignas(16) atom { float x, y, z, q; }; struct body {
        double position[3], velocity[3], mass;
        int id[14];
    };
    struct page { int value[64]; }; struct table { int value[1200]; }; struct square { unsigned a, b, c, d; };
    struct named {
        int number;
        explicit named(int n) : number(n) {}
    };
    constexpr unsigned modulus = 10007; inline square multiply(square x, square y) {
        return {(x.a * y.a + x.b * y.c) % modulus, (x.a * y.b + x.b * y.d) % modulus, (x.c * y.a + x.d * y.c) % modulus,
                (x.c * y.b + x.d * y.d) % modulus};
    })
