// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

/// How calls turned out against what was promised of them. Models know kernels and links one by one; what a processor's
/// caches do to copies, or two devices to each other, shows in whole calls only.
namespace skelrt::detail
{

/// Whom a call was given to: one device alone, by its number among the runtime's, or several.
inline constexpr unsigned shared_out = 15;

/// A kind of call.
struct call_kind {
    std::uint32_t recipe;
    std::size_t elements, bytes; ///< bytes: of all operands
};

/// By what promises are corrected. What is not tried again is believed less and less. Any thread.
class corrections
{
public:
    static constexpr std::uint32_t any_recipe = ~std::uint32_t{0};
    /// Of calls of this recipe whose number of elements has so many bits; of any recipe, of bytes.
    struct entry {
        std::uint32_t recipe;
        unsigned bits, who;
        double ratio;
    };
    /// What earlier processes found of a recipe and a size; asked once for each.
    using recall = std::function<std::vector<entry>(std::uint32_t recipe, unsigned bits)>;
    explicit corrections(recall earlier = {}) : earlier_(std::move(earlier)) {}

    /// Time over what the models said, of calls of this recipe and about this size; where none was seen, of any calls
    /// on about as many bytes; 1 while nobody knows.
    double turned_out(const call_kind& what, unsigned who) noexcept;
    /// A call took `ratio` times as long as the models said.
    void note(const call_kind& what, unsigned who, double ratio) noexcept;

    std::vector<entry> all() const;
    void forget() noexcept;

private:
    static constexpr unsigned parties = shared_out + 1;
    /// Of time over promise, its logarithm; 0: nobody knows.
    using of_parties = std::array<double, parties>;

    of_parties& known(std::uint32_t recipe, std::size_t size);

    recall earlier_;
    mutable std::mutex guard_;
    std::unordered_map<std::uint64_t, of_parties> by_kind_;
};

} // namespace skelrt::detail
