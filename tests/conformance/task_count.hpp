// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// How many tasks the workers have done since the program began. StarPU counts from one question to the next: ask here
/// only.
namespace test
{

unsigned long tasks_done();

} // namespace test
