// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/machine/machine.hpp"

#include <cstdint>
#include <string>

/// GPUs of one kind need not be equal: those that are not like the first of their kind have models of their own.
namespace skelrt::detail
{

struct device_type {
    device_peaks peaks; ///< of the first device of this type
    std::string name;   ///< for people: the product, and how fast it is if the first of the kind is the same product
    std::uint64_t key;  ///< made of the name: the same in every run
};

/// Null: like the first of its kind. What is returned lives as long as the process. `name` of both is as StarPU tells
/// it: "CUDA 1.0 (PRODUCT 00:06.0)". Thread-safe.
const device_type* type_of(const device_peaks& d, const device_peaks& first);

} // namespace skelrt::detail
