// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/files/records.hpp"
#include "src/model/machine/machine.hpp"
#include "src/runtime/order/submission_order.hpp"

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <thread>

/// What was learnt on this machine, and facts about it, on disk.
namespace skelrt::detail
{

class knowledge;

/// <folder>/<machine>.json; empty without a folder.
std::filesystem::path models_file();
/// <folder>/<machine>.machine.json: what `skelrt calibrate` measured; empty without a folder.
std::filesystem::path machine_file();

/// What the file knows. A file that is bad or of another machine is set aside, one of another version stays, both with
/// a warning; then, as without a file, there is nothing.
records load_records(const std::filesystem::path& file);

/// Changes what the file knows; others who do so wait. If `change` throws, nothing is changed; nor is a file of another
/// version, which is an error.
void change_records(const std::filesystem::path& file, const std::function<void(records&)>& change);

/// Adds this to the file, within bounds; keeps what other processes have added meanwhile. Throws error if it cannot be
/// written.
void save_records(const std::filesystem::path& file, const records& learnt);

/// The same for what was measured of the machine; a machine without devices if there is nothing.
machine load_machine(const std::filesystem::path& file);
void save_machine(const std::filesystem::path& file, const machine& m);

/// While it lives, what is learnt is kept: loaded at its start, saved at its end and now and then in between, by a
/// thread of its own. Never throws: without a file that can be written there is one warning, and knowledge lives as
/// long as the process. Of the ranks of a node one saves.
class knowledge_keeper
{
public:
    /// `order`: whose lock guards the usage.
    knowledge_keeper(knowledge& learnt, submission_order& order, bool saves);
    ~knowledge_keeper();
    knowledge_keeper(const knowledge_keeper&) = delete;
    knowledge_keeper& operator=(const knowledge_keeper&) = delete;

private:
    void save_now_and_then();
    void save() noexcept;
    records write_down(std::uint64_t& news);

    knowledge& learnt_;
    submission_order& order_;
    std::filesystem::path file_;
    std::uint64_t saved_ = 0; ///< news when the file was written last
    std::mutex guard_;
    std::condition_variable ends_;
    bool ending_ = false;
    std::thread thread_;
};

} // namespace skelrt::detail
