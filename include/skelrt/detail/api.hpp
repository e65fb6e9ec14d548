#pragma once

/// Marks what libskelrt exports; everything else is hidden.
#define SKELRT_API __attribute__((visibility("default")))
