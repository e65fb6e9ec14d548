#pragma once

#include <cstddef>
#include <cstdint>

/// What programs do with the data of a call, by its recipe: they mostly do the same again. Guarded by the order's lock.
namespace skelrt::detail
{

/// How likely the host reads the results of this recipe before another call uses them where they are: in [0, 1].
double goes_home(std::uint32_t recipe, double until_known = 0.5);
/// Whether that is the habit. It takes several of the other kind in a row to change it: a recipe may make what is read and what
/// is not, in turn.
bool usually_goes_home(std::uint32_t recipe);
/// That is what happened, or it did not.
void note_home(std::uint32_t recipe, bool home);

/// How many calls in a row, the first of which is of this recipe, use data before the host does; 0: nobody knows. The fewest
/// of the last few times: too few costs another copy, too many a copy for nothing.
std::size_t usual_run(std::uint32_t recipe);
void note_run(std::uint32_t recipe, std::size_t calls);

void forget_habits() noexcept;

} // namespace skelrt::detail
