// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/files/store.hpp"

#include "src/model/files/files.hpp"
#include "src/model/files/format_version.hpp"
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

/// Takes a text as it is; one that makes no sense is set aside, and gives an empty Value. Throws other_version, for
/// files that are another skelrt's.
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

records records_of(const fs::path& file, const std::optional<std::string>& text)
{
    return read_or_set_aside<records>(file, text,
                                      [](const std::string& t) { return records_from_json(t, machine_name()); });
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

records load_records(const fs::path& file) { return load(file, records_of); }

void change_records(const fs::path& file, const std::function<void(records&)>& change)
{
    update_file(file, [&](const std::optional<std::string>& now) {
        records all = records_of(file, now);
        change(all);
        return to_json(all, machine_name());
    });
}

void save_records(const fs::path& file, const records& learnt)
{
    change_records(file, [&](records& all) {
        merge(all, learnt);
        prune(all);
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

knowledge_keeper::knowledge_keeper(knowledge& learnt, submission_order& order, bool saves)
    : learnt_(learnt), order_(order), file_(models_file())
{
    if (file_.empty()) return;
    learnt_.learn(load_records(file_));
    static_cast<void>(write_down(saved_));
    if (simulated || !saves) return;
    thread_ = std::thread([this] { save_now_and_then(); });
}

knowledge_keeper::~knowledge_keeper()
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

void knowledge_keeper::save_now_and_then()
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

records knowledge_keeper::write_down(std::uint64_t& news)
{
    std::unique_lock lock(order_);
    const std::vector<usage::habit> used = learnt_.usage.all();
    lock.unlock();
    return learnt_.write_down(used, &news);
}

void knowledge_keeper::save() noexcept
{
    try {
        std::uint64_t news = 0;
        const records all = write_down(news);
        if (news == saved_) return;
        save_records(file_, all);
        saved_ = news;
    } catch (const std::exception& e) {
        static bool told = false;
        const bool follows = is_known_that_nothing_is_kept() && std::getenv("SKELRT_MODELS") == nullptr;
        if (!std::exchange(told, true) && !follows) log_warning("models are not saved: {}", e.what());
    }
}

} // namespace skelrt::detail
