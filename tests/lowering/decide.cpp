// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/decide/choices.hpp"
#include "src/lowering/plan/groups.hpp"

#include <catch2/catch.hpp>

#include <array>

namespace
{

using namespace skelrt;
using namespace skelrt::detail;

/// Costs that nothing was passed over for yet: no try is paid for.
struct fresh_costs {
    element_costs core{2}, team{8};
};

caller_way way_of(const caller_facts& f)
{
    fresh_costs costs;
    return choose_for_caller(f, costs.core, costs.team);
}

/// A plain task of 20 us that is known in every respect.
one_task known_task(device where)
{
    one_task t;
    t.where = where;
    t.us = 20;
    t.plain = t.checked = t.all_there = t.measured = t.may_end_early = true;
    return t;
}

const call_surroundings quiet{.in_flight = 1, .longest_led_us = 100, .caller_is_free = true, .batches = true};
/// Where nobody is asked but a batch.
const call_surroundings only_batches{.in_flight = 1, .longest_led_us = 100, .batches = true};

bool joins_batch(const one_task& t) { return carrier_of(t, only_batches) == carrier::batch; }

/// What two targets cost, the cores first.
decision on_cores_or_gpu(double cores_us, double gpu_us)
{
    static const std::array<target, 2> both{};
    decision d;
    d.targets = {&both[0], &both[1]};
    d.costs = {{0, cores_us, 0}, {1, gpu_us, 0}};
    d.groups = {{0, 0, 1}};
    return d;
}

} // namespace

TEST_CASE("who does a small call: a table", "[decide]")
{
    using enum caller_way;
    struct row {
        caller_facts f;
        caller_way way;
    };
    const row table[] = {
        // may not lead: up to the limit alone, else tasks
        {{.us = 1, .limit_us = 10}, alone},
        {{.us = 9, .limit_us = 10}, alone},
        {{.us = 11, .limit_us = 10}, tasks},
        // the faster way, if it does not keep the calling thread for too long
        {{.us = 1, .limit_us = 10, .may_lead = true, .led_us = 0.5, .led_is_tested = true, .longest_led_us = 250},
         alone},
        {{.us = 8, .limit_us = 10, .may_lead = true, .led_us = 5, .led_is_tested = true, .longest_led_us = 250},
         with_all_cores},
        {{.us = 8, .limit_us = 10, .may_lead = true, .led_us = 9, .led_is_tested = true, .longest_led_us = 250}, alone},
        {{.us = 8, .limit_us = 10, .may_lead = true, .led_us = 5, .led_is_tested = false, .longest_led_us = 250},
         alone},
        {{.us = 80, .limit_us = 10, .may_lead = true, .led_us = 40, .led_is_tested = false, .longest_led_us = 250},
         with_all_cores},
        {{.us = 800, .limit_us = 10, .may_lead = true, .led_us = 400, .led_is_tested = true, .longest_led_us = 250},
         tasks},
        {{.us = 300, .limit_us = 10, .may_lead = true, .led_us = 200, .led_is_tested = true, .longest_led_us = 250},
         with_all_cores},
        // beside other devices, which begin no sooner
        {{.us = 20, .limit_us = 10, .may_lead = true, .led_us = 12, .led_is_tested = true, .longest_led_us = 30},
         with_all_cores},
        {{.us = 20, .limit_us = 10, .may_lead = true, .led_us = 40, .led_is_tested = true, .longest_led_us = 30},
         alone},
        {{.us = 300, .limit_us = 10, .may_lead = true, .led_us = 31, .led_is_tested = true, .longest_led_us = 30},
         tasks},
    };
    for (const row& r : table) {
        INFO(r.f.us << " us alone, " << r.f.led_us << " us led, may lead: " << r.f.may_lead);
        CHECK(way_of(r.f) == r.way);
    }
}

TEST_CASE("what a way would lose is tried once calls have paid for it", "[decide]")
{
    fresh_costs costs;
    const caller_facts f{.us = 12, .limit_us = 10};
    int left_to_tasks = 0;
    while (left_to_tasks < 100000 && choose_for_caller(f, costs.core, costs.team) == caller_way::tasks) ++left_to_tasks;
    CHECK(left_to_tasks > 1);
    CHECK(left_to_tasks < 100000);
}

TEST_CASE("the calling thread leads the cores through plain short tasks of theirs", "[decide]")
{
    const one_task t = known_task(device::cpu);
    const auto leads = [](const one_task& one, const call_surroundings& around) {
        return carrier_of(one, around) == carrier::caller;
    };
    CHECK(leads(t, quiet));
    one_task other = t;
    other.where = device::cuda;
    CHECK_FALSE(leads(other, quiet));
    other = t;
    other.plain = false;
    CHECK_FALSE(leads(other, quiet));
    other = t;
    other.us = 101;
    CHECK_FALSE(leads(other, quiet));
    call_surroundings around = quiet;
    around.in_flight = 2;
    CHECK_FALSE(leads(t, around));
    around = quiet;
    around.caller_is_free = false;
    CHECK_FALSE(leads(t, around));
}

TEST_CASE("what was planned for the calling thread's core is done there, however long and many, with nothing before it",
          "[decide]")
{
    one_task t = known_task(device::cpu);
    t.us = 5000;
    t.own_core = true;
    call_surroundings around = quiet;
    CHECK(carrier_of(t, around) == carrier::tasks);
    around.caller_has_core = true;
    CHECK(carrier_of(t, around) == carrier::own_core);
    around.in_flight = 2;
    CHECK(carrier_of(t, around) == carrier::tasks);
    around.in_flight = 1;
    around.caller_is_free = false;
    CHECK(carrier_of(t, around) == carrier::tasks);
    around.caller_is_free = true;
    t.plain = false;
    CHECK(carrier_of(t, around) == carrier::tasks);
}

TEST_CASE("what the calling thread does not lead goes into a batch, or is tasks of its own", "[decide]")
{
    const one_task t = known_task(device::cpu);
    CHECK(carrier_of(t, quiet) == carrier::caller);
    call_surroundings around = quiet;
    around.caller_is_free = false;
    CHECK(carrier_of(t, around) == carrier::batch);
    around.batches = false;
    CHECK(carrier_of(t, around) == carrier::tasks);
}

TEST_CASE("short calls whose data is there join a batch", "[decide]")
{
    for (const device where : {device::cpu, device::cuda}) {
        CHECK(joins_batch(known_task(where)));
        const auto without = [&](bool one_task::*fact) {
            one_task t = known_task(where);
            t.*fact = !(t.*fact);
            return joins_batch(t);
        };
        CHECK_FALSE(without(&one_task::checked));
        CHECK_FALSE(without(&one_task::plain));
        CHECK_FALSE(without(&one_task::all_there));
        CHECK_FALSE(without(&one_task::told));
        CHECK(without(&one_task::measured) == (where == device::cuda));
        CHECK(without(&one_task::may_end_early) == (where == device::cpu));
        one_task t = known_task(where);
        t.us = 200;
        CHECK_FALSE(joins_batch(t));
        t.held = true;
        CHECK(joins_batch(t));
        t.checked = false;
        CHECK_FALSE(joins_batch(t));
    }
    CHECK_FALSE(joins_batch(known_task(device::opencl)));
    one_task scalars = known_task(device::cpu);
    scalars.measured = false;
    scalars.maps_scalars = true;
    CHECK(joins_batch(scalars));
}

TEST_CASE("a decision holds where no other device would be faster", "[decide]")
{
    const one_task on_cores = known_task(device::cpu), on_gpu = known_task(device::cuda);
    CHECK(is_worth_holding(on_gpu, carrier::batch, on_cores_or_gpu(30, 20), 1, 10));
    CHECK_FALSE(is_worth_holding(on_gpu, carrier::batch, on_cores_or_gpu(10, 20), 1, 10));
    CHECK(is_worth_holding(on_cores, carrier::batch, on_cores_or_gpu(10, 20), 0, 10));
    CHECK(holds_for_single_calls(on_cores, on_cores_or_gpu(10, 20)));
    CHECK_FALSE(holds_for_single_calls(on_gpu, on_cores_or_gpu(10, 20)));

    one_task in_a_row = on_cores;
    in_a_row.follows = true;
    CHECK_FALSE(is_worth_holding(in_a_row, carrier::batch, on_cores_or_gpu(10, 20), 0, 10));
    in_a_row.maps_scalars = true;
    CHECK(is_worth_holding(in_a_row, carrier::batch, on_cores_or_gpu(10, 20), 0, 10));

    decision guessed = on_cores_or_gpu(10, 20);
    guessed.guesses = true;
    CHECK_FALSE(is_worth_holding(on_cores, carrier::batch, guessed, 0, 10));
    one_task held = on_cores;
    held.held = true;
    CHECK_FALSE(is_worth_holding(held, carrier::batch, on_cores_or_gpu(10, 20), 0, 10));

    CHECK(is_worth_holding(on_cores, carrier::caller, on_cores_or_gpu(10, 20), 0, 10));
    CHECK_FALSE(is_worth_holding(on_cores, carrier::tasks, on_cores_or_gpu(10, 20), 0, 10));
    one_task too_long = on_cores; // for a batch
    too_long.us = 120;
    CHECK_FALSE(is_worth_holding(too_long, carrier::caller, on_cores_or_gpu(10, 20), 0, 10));
}

TEST_CASE("what says how finely containers are cut: a table", "[decide]")
{
    struct row {
        cut_facts f;
        cut_rule rule;
    };
    const row table[] = {
        {{.free = true}, cut_rule::models},
        {{.for_one_device = true, .free = true}, cut_rule::sizes},
        {{.for_one_device = true, .scan = true, .free = true}, cut_rule::sizes},
        {{.shares = 1}, cut_rule::sizes},
        {{.shares = 2}, cut_rule::shares},
        {{.free = true, .shares = 2}, cut_rule::split},
        {{.for_one_device = true, .shares = 2}, cut_rule::sizes},
        {{.for_one_device = true, .scan = true, .shares = 2}, cut_rule::shares},
        {{.for_one_device = true, .scan = true, .free = true, .shares = 2}, cut_rule::split},
        {{.for_one_device = true, .scan = true, .shares = 1}, cut_rule::sizes},
    };
    for (const row& r : table) {
        INFO("one device: " << r.f.for_one_device << ", scan: " << r.f.scan << ", free: " << r.f.free
                            << ", shares: " << r.f.shares);
        CHECK(cut_by(r.f) == r.rule);
    }
}

TEST_CASE("a container is cut again where its parts are more than twice too large or too small", "[decide]")
{
    CHECK_FALSE(cut_wish::is_worth_cutting(100, 100, 1000));
    CHECK_FALSE(cut_wish::is_worth_cutting(200, 100, 1000));
    CHECK(cut_wish::is_worth_cutting(201, 100, 1000));
    CHECK_FALSE(cut_wish::is_worth_cutting(100, 200, 1000));
    CHECK(cut_wish::is_worth_cutting(100, 201, 1000));
    CHECK(cut_wish::is_worth_cutting(600, 1000, 1000)); // a single tile
    CHECK_FALSE(cut_wish::is_worth_cutting(1000, 1000, 1000));
}

TEST_CASE("by guesses, either the cores or the others do a call that needs copies", "[decide]")
{
    const std::array<std::size_t, 4> elements{250, 250, 250, 250};
    const std::array<double, 8> missing{0, 1e6, 0, 1e6, 0, 1e6, 0, 1e6}; // the GPU has nothing
    surveyed_call call{{}, {elements, missing}, {}};
    const plan_device cores{.fixed_us = 5, .element_us = 1, .bytes_per_us = 1e9, .team = true};
    const auto gpu = [](double element_us) {
        return plan_device{.fixed_us = 5, .element_us = element_us, .bytes_per_us = 1e5};
    };
    call.guesses = call.needs_copies = true;
    const auto devices_used = [&](double gpu_element_us, bool at_home) {
        call.devices = {cores, gpu(gpu_element_us)};
        call.at_home = at_home;
        unsigned used = 0;
        for (const plan_group& g : groups_by_models(call)) used |= 1u << g.device;
        return used;
    };
    CHECK(devices_used(0.1, true) == 2);  // much faster
    CHECK(devices_used(2.0, true) == 1);  // slower
    CHECK(devices_used(0.9, true) == 1);  // not much faster, and the data is at home
    CHECK(devices_used(0.9, false) == 2); // it has to be copied either way

    call.guesses = false;
    call.rules.worthwhile = 0.97;
    CHECK(devices_used(1.0, true) == 3); // measured: both
}

TEST_CASE("a GPU more gains what those do not do already that are there", "[decide]")
{
    CHECK(gain_by_another(300, 100, false) == 200);
    CHECK(gain_by_another(300, 1, false) == 300 - tuning::least_gpu_us); // a worker takes that long
    CHECK(gain_by_another(100, 300, false) == -200);
    CHECK(gain_by_another(100, 100, true) == Approx(50)); // two equal ones
    CHECK(gain_by_another(100, 300, true) == Approx(25));
    CHECK(gain_by_another(2 * tuning::least_gpu_us, 2 * tuning::least_gpu_us, true) == Approx(tuning::least_gpu_us));
    CHECK(gain_by_another(tuning::least_gpu_us, tuning::least_gpu_us, true) == 0);
}

TEST_CASE("one GPU makes steps alone unless several, which wait for each other in each, are sooner", "[decide]")
{
    constexpr double wait = 240;
    CHECK(is_sooner_alone(std::array{537.0}, wait));
    CHECK(is_sooner_alone(std::array{134.0, 134.0}, wait));
    CHECK_FALSE(is_sooner_alone(std::array{537.0, 537.0}, wait));
    CHECK(is_sooner_alone(std::array{100.0, 100.0, 100.0, 100.0}, wait));
    CHECK(is_sooner_alone(std::array{300.0, 1e6}, wait));
    CHECK_FALSE(is_sooner_alone(std::array{1000.0, 1000.0, 1000.0, 1000.0}, wait));
}

TEST_CASE("kernels are loaded when what calls lose without them makes up for it", "[decide]")
{
    constexpr double load_us = tuning::loads_of_calls.one;
    CHECK(is_worth_loading(load_us, 0, load_us, 1));
    CHECK(is_worth_loading(load_us, 0, load_us / 10, 10));             // so many are to come
    CHECK(is_worth_loading(load_us, 0.95 * load_us, load_us / 10, 1)); // so many were there
    CHECK_FALSE(is_worth_loading(load_us, 0, load_us / 10, 9));
    CHECK_FALSE(is_worth_loading(load_us, load_us, 0, 1000)); // no gain by this call
    CHECK_FALSE(is_worth_loading(load_us, load_us, -1, 1000));
}

TEST_CASE("what a process pays once is no part of an episode's time", "[decide]")
{
    CHECK(us_without(0, 500) == 500);
    CHECK(us_without(3000, 4500) == 1500);
    CHECK(us_without(3000, 3200) == 800); // it was less, this time
}

TEST_CASE("maps of scalars go where most of these are, rather to a GPU", "[decide]")
{
    const auto at = [](std::vector<std::size_t> scalars) { return where_scalars_are(scalars); };
    CHECK(at({2, 0}) == 0);
    CHECK(at({0, 0}) == 0);
    CHECK(at({1, 1}) == 1);
    CHECK(at({0, 1, 3}) == 2);
}

TEST_CASE("a policy gets one group a segment", "[decide]")
{
    const std::vector<plan_group> groups = one_group_each(3);
    REQUIRE(groups.size() == 3);
    for (std::size_t s = 0; s < 3; ++s) CHECK(groups[s] == plan_group{0, s, 1});
    CHECK(one_group_each(0).empty());
}
