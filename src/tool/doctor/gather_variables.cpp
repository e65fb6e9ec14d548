// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/peers.hpp"
#include "src/cluster/start/open_peers.hpp"
#include "src/lowering/decide/steps.hpp"
#include "src/model/files/plan_file.hpp"
#include "src/runtime/checks.hpp"
#include "src/runtime/environment/environment.hpp"
#include "src/runtime/environment/settings.hpp"
#include "src/runtime/environment/starpu_environment.hpp"
#include "src/runtime/log.hpp"
#include "src/tool/doctor/gather.hpp"

#include "schedulers/policies.hpp"

#include <skelrt/error.hpp>

#include <cstdlib>
#include <string_view>
#include <utility>

extern "C" char** environ;

namespace skelrt::tool::doctor
{

namespace
{

using pairs = std::vector<std::pair<std::string, std::string>>;

bool is_ours(std::string_view name) { return name.starts_with("SKELRT_") || name.starts_with("STARPU_"); }

pairs all_of_ours()
{
    pairs all;
    for (char** entry = environ; entry && *entry; ++entry) {
        const std::string_view text = *entry;
        const std::size_t equals = text.find('=');
        if (is_ours(text) && equals != std::string_view::npos)
            all.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return all;
}

/// While it lives, the process has none of these variables.
class hidden
{
public:
    explicit hidden(const pairs& all) : all_(all) { unset(); }
    ~hidden()
    {
        for (const auto& [name, value] : all_) setenv(name.c_str(), value.c_str(), 1);
    }
    hidden(const hidden&) = delete;
    hidden& operator=(const hidden&) = delete;

private:
    void unset() const
    {
        for (const auto& [name, value] : all_) unsetenv(name.c_str());
    }
    const pairs& all_;
};

/// All that reads a variable, at a runtime's start or later.
void read_all()
{
    detail::start_log();
    static_cast<void>(detail::read_checks());
    static_cast<void>(detail::read_settings({}));
    static_cast<void>(detail::env_number("SKELRT_STEPS", 1, detail::deepest_pass));
    static_cast<void>(detail::read_launch([](std::string_view name) {
        return name == "SKELRT_CLUSTER" ? detail::env_text(name) : std::nullopt; // what launchers set is not at stake
    }));
    static_cast<void>(detail::open_peers({})); // alone: reads its variables, and opens nothing
    static_cast<void>(detail::plans_of_environment());
    detail::check_starpu_environment();
}

/// By name: what reading it says.
variables unreadable_ones(const pairs& all)
{
    variables found;
    const hidden others(all);
    for (const auto& [name, value] : all) {
        setenv(name.c_str(), value.c_str(), 1);
        try {
            read_all();
        } catch (const error& e) {
            found[name] = e.what();
        }
        unsetenv(name.c_str());
    }
    return found;
}

std::vector<std::string> known_policies()
{
    std::vector<std::string> names;
    for (const starpu_sched_policy* p : schedulers::all_policies()) names.emplace_back(p->policy_name);
    for (starpu_sched_policy** p = starpu_sched_get_predefined_policies(); *p; ++p)
        names.emplace_back((*p)->policy_name);
    return names;
}

} // namespace

variable_facts gather_variables()
{
    variable_facts f;
    const pairs all = all_of_ours();
    for (const auto& [name, value] : all)
        if (!value.empty()) f.set[name] = value;
    for (const detail::variable& v : detail::other_variables())
        if (const auto value = detail::env_text(v.name)) f.set[std::string(v.name)] = *value;
    if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES"))
        f.set["CUDA_VISIBLE_DEVICES"] = visible; // empty: none
    f.unreadable = unreadable_ones(all);
    f.policies = known_policies();
    return f;
}

} // namespace skelrt::tool::doctor
