// SPDX-License-Identifier: BSD-3-Clause
// must say: with _GLIBCXX_DEBUG a std::vector is laid out otherwise than in libskelrt
#define _GLIBCXX_DEBUG
#include <skelrt/skelrt.hpp>
