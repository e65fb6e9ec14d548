#include "src/model/knowledge.hpp"

#include "src/model/files/record_writer.hpp"

#include <skelrt/detail/element_costs.hpp>

#include <utility>

namespace skelrt::detail
{

void knowledge::begin(std::vector<known_device> devices)
{
    write(usage.all());
    strategies.begin_anew({}, {});
    if (devices == devices_) return;
    corrections.forget();
    links.forget();
    devices_ = std::move(devices);
}

void knowledge::learn(records from)
{
    models.learn(std::exchange(from.models, {}));
    const std::lock_guard lock(guard_);
    merge(written_, from);
}

/// All but the models, which have no records: their runs have dates.
void knowledge::write(const std::vector<usage::habit>& used)
{
    const std::vector<std::uint64_t> keys = recipe_keys_();
    const std::lock_guard lock(guard_);
    record_writer writer(written_, keys, devices_, wall_clock_us());
    writer.write(used);
    writer.write(corrections.all());
    writer.write(links.all());
    writer.write(strategies.all());
    prune(written_);
    news_ += writer.news();
}

records knowledge::write_down(const std::vector<usage::habit>& used, std::uint64_t* news)
{
    write(used);
    std::uint64_t observed = 0;
    history runs = models.runs(&observed);
    const std::lock_guard lock(guard_);
    if (news) *news = news_ + observed;
    records all = written_;
    all.models = std::move(runs);
    return all;
}

void knowledge::forget()
{
    models.forget();
    usage.forget();
    corrections.forget();
    links.forget();
    strategies.forget();
    element_costs::forget_all();
    const std::lock_guard lock(guard_);
    written_ = {};
}

} // namespace skelrt::detail
