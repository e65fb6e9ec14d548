#include "src/model/knowledge.hpp"

#include <skelrt/detail/element_costs.hpp>

#include <utility>

namespace skelrt::detail
{

void knowledge::begin(std::vector<std::string> devices)
{
    strategies.begin_anew({});
    if (devices == devices_) return;
    corrections.forget();
    links.forget();
    devices_ = std::move(devices);
}

void knowledge::forget()
{
    models.forget();
    usage.forget();
    corrections.forget();
    links.forget();
    strategies.forget();
    element_costs::forget_all();
}

} // namespace skelrt::detail
