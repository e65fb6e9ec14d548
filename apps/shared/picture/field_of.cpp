// SPDX-License-Identifier: BSD-3-Clause
#include "field_of.hpp"

#include <skelrt/host.hpp>

#include <algorithm>

namespace apps
{
namespace
{

template <class T>
field copy_of(const skelrt::matrix<T>& values)
{
    const auto from = skelrt::host_read(values);
    field f{values.cols(), values.rows(), std::vector<float>(values.size())};
    std::ranges::transform(from, f.values.begin(), [](T v) { return static_cast<float>(v); });
    return f;
}

} // namespace

field field_of(const skelrt::matrix<double>& values) { return copy_of(values); }
field field_of(const skelrt::matrix<float>& values) { return copy_of(values); }

} // namespace apps
