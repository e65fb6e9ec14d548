// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>

namespace apps
{

/// What the user can put right: an option, a file, a size, a device. The program ends with exit code 2.
class input_error : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

} // namespace apps
