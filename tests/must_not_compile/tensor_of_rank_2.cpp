// SPDX-License-Identifier: BSD-3-Clause
// must say: tensors have rank 3 or 4
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

sk::tensor<int, 2> t;
