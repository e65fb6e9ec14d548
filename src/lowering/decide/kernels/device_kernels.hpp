// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/checks/device_trust.hpp"
#include "src/lowering/decide/request.hpp"

#include <skelrt/detail/call.hpp>

#include <string>
#include <vector>

namespace skelrt::detail
{

/// The kernels that a call wants of a device. Thread-safe; lifetime: the recipe's and the device's, not the call's.
class device_kernels
{
public:
    /// `obeyed`: the plan that says how many threads a block has; null: as many as is usual.
    device_kernels(const target& on, const call& c, const plan_range* obeyed);

    const device_way& way() const noexcept { return way_; }
    const target& on() const noexcept { return *on_; }
    /// Why the device cannot run them; empty: it can, as far as anybody knows.
    std::string refusal() const;
    /// Whether nothing is to be done before the first launch. Cheap.
    bool are_ready() const;
    /// Takes them from the cache on disk, in about a millisecond. False: they are not there, or of no use.
    bool take_from_cache() const noexcept;
    /// Compiles what no cache has. Compilers for devices know less C++ than the host's: what they refuse is noted, with
    /// one warning, and refusal() tells.
    void build() const noexcept;

private:
    void prepare() const;

    const recipe* what_;
    const target* on_;
    device_way way_;
};

/// Steps of an iterated stencil that one pass over the grid should make on the devices that may do it, at most `most`.
/// `forced`: whatever fits, not only what pays.
unsigned steps_of_pass(const std::vector<const target*>& targets, const recipe& r, unsigned most, bool forced);

} // namespace skelrt::detail
