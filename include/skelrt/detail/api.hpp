// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Marks what libskelrt exports; everything else is hidden.
#define SKELRT_API __attribute__((visibility("default")))
