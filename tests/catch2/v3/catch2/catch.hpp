// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Catch2 3 under the names of Catch2 2, as the tests write them: one header, matchers of strings in namespace Catch,
/// Approx in none. Found only where Catch2 3 is (meson.build beside this folder).

#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <catch2/matchers/catch_matchers_vector.hpp>

#ifdef CATCH_CONFIG_RUNNER
#include <catch2/catch_session.hpp>
#endif

#include <string>

namespace Catch
{

namespace Matchers
{

inline auto Contains(const std::string& text) { return ContainsSubstring(text); }

} // namespace Matchers

using Matchers::Contains;
using Matchers::EndsWith;
using Matchers::Equals;
using Matchers::Matches;
using Matchers::StartsWith;

} // namespace Catch

using Catch::Approx;
