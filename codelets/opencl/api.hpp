// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// OpenCL as the oldest driver has it that the kernels run on.
#include <CL/cl.h>
