#include "field_of.hpp"

#include <skelrt/host.hpp>

#include <algorithm>

namespace apps
{

field field_of(const skelrt::matrix<double>& values)
{
    const auto from = skelrt::host_read(values);
    field f{values.cols(), values.rows(), std::vector<float>(values.size())};
    std::ranges::transform(from, f.values.begin(), [](double v) { return static_cast<float>(v); });
    return f;
}

} // namespace apps
