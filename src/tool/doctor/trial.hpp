// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

/// What `skelrt doctor` asks of a process of its own, which a driver may hang or end.
namespace skelrt::tool::doctor
{

/// In that process: answers on answer_descriptor. The question: "start", "cuda", "opencl", "mpi", or a device such as
/// "cuda 0".
void answer_question(const std::string& question);

} // namespace skelrt::tool::doctor
