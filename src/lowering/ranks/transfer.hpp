#pragma once

#include "src/data/managed.hpp"
#include "src/lowering/place/foreign_lines.hpp"
#include "src/lowering/ranks/needs/exchange.hpp"

#include <cstdint>
#include <vector>

namespace skelrt::detail
{

class engine;

/// The messages of one call, as edges of the graph: tasks gather what goes out where it lies, and what comes is awaited
/// by the tasks that need it. Nothing waits here.
///
/// Lifetime: until the tasks that use what came are submitted. Thread safety: the program's thread.
class transfer
{
public:
    explicit transfer(engine& e);
    ~transfer();
    transfer(const transfer&) = delete;
    transfer& operator=(const transfer&) = delete;

    /// Sends what others need of a container's part here.
    void send(storage& from, const exchange& x);
    /// New data for these elements of the whole container, of which `x` brings what does not lie here.
    storage_ref make_stand_in(storage& from, const position_run& wanted, const exchange& x);
    /// The same for data that is there, and new.
    void fill(storage& made, storage& from, const position_run& wanted, const exchange& x);
    /// The lines that come, of `width` elements each; `first`: the element with which line 0 begins.
    void take_lines(storage& from, const exchange& x, std::size_t slot, std::size_t first, std::size_t width,
                    foreign_lines& to);

private:
    struct arrival {
        position_run elements;
        starpu_data_handle_t data;
    };
    std::vector<arrival> receive(storage& from, const exchange& x);
    std::int64_t tag(unsigned other, bool outgoing);

    engine& engine_;
    std::vector<std::uint32_t> sent_, received_; ///< messages of this call so far, to and from each rank
    std::vector<starpu_data_handle_t> arrived_;  ///< theirs
};

} // namespace skelrt::detail
