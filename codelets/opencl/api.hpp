// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// OpenCL as the oldest driver has it that the kernels run on.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
