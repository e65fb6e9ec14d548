#include "src/model/store.hpp"

#include "src/model/files.hpp"
#include "src/model/format_version.hpp"
#include "src/model/knowledge.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/simulated.hpp"
#include "src/runtime/trust.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <utility>

namespace skelrt::detail
{

namespace
{

namespace fs = std::filesystem;

constexpr std::size_t most_codelets =
    500; ///< what no program has used for long goes: reading costs time at every start

/// Empty, after one warning, for a folder that others may write to: what they say is not believed.
fs::path trusted_models_folder()
{
    fs::path folder = models_folder();
    const std::string why = folder.empty() ? std::string() : why_not_trusted(folder);
    if (why.empty()) return folder;
    static bool told = false;
    if (!std::exchange(told, true)) log_warning("models of run times are neither read nor kept: {}", why);
    return {};
}

fs::path file_named(const std::string& ending)
{
    const fs::path folder = trusted_models_folder();
    return folder.empty() ? folder : folder / (machine_name() + ending);
}

/// Takes a text as it is; one that makes no sense is set aside, and gives an empty Value. Throws other_version, for files that are
/// another skelrt's.
template <class Value, class Read>
Value read_or_set_aside(const fs::path& file, const std::optional<std::string>& text, Read read)
{
    if (!text) return {};
    try {
        return read(*text);
    } catch (const other_version& e) {
        throw other_version(fmt::format("{}: {}; set SKELRT_MODELS to another folder", file.string(), e.what()));
    } catch (const std::exception& e) {
        const fs::path aside = set_aside(file);
        log_warning("{} is not used: {}; a new one is started{}", file.string(), e.what(),
                    aside.empty() ? "" : ", the old one is kept as " + aside.string());
    }
    return {};
}

history history_of(const fs::path& file, const std::optional<std::string>& text)
{
    return read_or_set_aside<history>(file, text,
                                      [](const std::string& t) { return history_from_json(t, machine_name()); });
}

machine machine_of(const fs::path& file, const std::optional<std::string>& text)
{
    return read_or_set_aside<machine>(file, text, [](const std::string& t) { return machine_from_json(t); });
}

/// What a file says, or nothing.
template <class Read>
auto load(const fs::path& file, Read read) -> decltype(read(file, {}))
{
    try {
        return read(file, read_file(file));
    } catch (const other_version& e) {
        log_warning("not used: {}", e.what());
    }
    return {};
}

} // namespace

fs::path models_file() { return file_named(".json"); }
fs::path machine_file() { return file_named(".machine.json"); }

history load_history(const fs::path& file) { return load(file, history_of); }

void change_history(const fs::path& file, const std::function<void(history&)>& change)
{
    update_file(file, [&](const std::optional<std::string>& now) {
        history all = history_of(file, now);
        change(all);
        return to_json(all, machine_name());
    });
}

void save_history(const fs::path& file, const history& runs)
{
    change_history(file, [&](history& all) {
        merge(all, runs);
        prune(all, most_codelets);
    });
}

machine load_machine(const fs::path& file) { return load(file, machine_of); }

void save_machine(const fs::path& file, const machine& m)
{
    update_file(file, [&](const std::optional<std::string>& now) {
        static_cast<void>(machine_of(file, now)); // what is not ours stays
        return to_json(m);
    });
}

model_keeper::model_keeper(knowledge& of) : of_(of), file_(models_file())
{
    if (file_.empty()) return;
    of_.models.learn(load_history(file_));
    static_cast<void>(of_.models.runs(&saved_));
    if constexpr (simulated) return; // nothing is learnt
    thread_ = std::thread([this] { save_now_and_then(); });
}

model_keeper::~model_keeper()
{
    if (!thread_.joinable()) return;
    {
        std::lock_guard lock(guard_);
        ending_ = true;
    }
    ends_.notify_one();
    thread_.join();
    save();
}

void model_keeper::save_now_and_then()
{
    using namespace std::chrono_literals;
    auto pause = 1s;
    std::unique_lock lock(guard_);
    while (!ends_.wait_for(lock, pause, [&] { return ending_; })) {
        lock.unlock();
        save();
        lock.lock();
        pause = std::min(2 * pause, 60s);
    }
}

void model_keeper::save() noexcept
{
    try {
        std::uint64_t observed = 0;
        const history all = of_.models.runs(&observed);
        if (observed == saved_) return;
        save_history(file_, all);
        saved_ = observed;
    } catch (const std::exception& e) {
        static bool told = false;
        const bool follows = is_known_that_nothing_is_kept() && std::getenv("SKELRT_MODELS") == nullptr;
        if (!std::exchange(told, true) && !follows) log_warning("models are not saved: {}", e.what());
    }
}

} // namespace skelrt::detail
