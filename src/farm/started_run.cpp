#include "src/farm/started_run.hpp"

#include "src/runtime/log.hpp"

#include <skelrt/item_error.hpp>

namespace skelrt::detail
{

void started_run::warn_of(const std::exception_ptr& what) const noexcept
{
    try {
        if (what) std::rethrow_exception(what);
    } catch (const cancelled&) { // somebody wanted that
    } catch (const std::exception& e) {
        log_warning("nobody asked for what went wrong: {}", e.what());
    } catch (...) {
        log_warning("{}: nobody asked for what went wrong", title_);
    }
}

} // namespace skelrt::detail
