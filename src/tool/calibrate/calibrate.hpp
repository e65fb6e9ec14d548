// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace skelrt::tool
{

/// `skelrt calibrate`: measures this machine's devices and links, shows and saves the facts. Some seconds.
void calibrate();
/// `skelrt calibrate --network`, under mpirun: the same for what lies between ranks.
void calibrate_network();
/// `skelrt machine`: the facts that programs go by, and where each comes from.
void show_machine(bool json);

} // namespace skelrt::tool
