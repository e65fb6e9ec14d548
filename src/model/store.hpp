#pragma once

#include "src/model/history.hpp"
#include "src/model/machine.hpp"

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <thread>

/// Models and facts of this machine on disk.
namespace skelrt::detail
{

class knowledge;

/// <folder>/<machine>.json; empty without a folder.
std::filesystem::path models_file();
/// <folder>/<machine>.machine.json: what `skelrt calibrate` measured; empty without a folder.
std::filesystem::path machine_file();

/// What the file knows. A file that is bad or of another machine is set aside, one of another version stays, both with a warning;
/// then, as without a file, there are no runs.
history load_history(const std::filesystem::path& file);

/// Changes what the file knows; others who do so wait. If `change` throws, nothing is changed; nor is a file of another version, which
/// is an error.
void change_history(const std::filesystem::path& file, const std::function<void(history&)>& change);

/// Adds runs to the file; keeps what other processes have added meanwhile. Throws error if it cannot be written.
void save_history(const std::filesystem::path& file, const history& runs);

/// The same for what was measured of the machine; a machine without devices if there is nothing.
machine load_machine(const std::filesystem::path& file);
void save_machine(const std::filesystem::path& file, const machine& m);

/// While it lives, models are kept: loaded at its start, saved at its end and now and then in between, by a thread of its own.
/// Never throws: without a file that can be written there is one warning, and models live as long as the process.
class model_keeper
{
public:
    explicit model_keeper(knowledge& of);
    ~model_keeper();
    model_keeper(const model_keeper&) = delete;
    model_keeper& operator=(const model_keeper&) = delete;

private:
    void save_now_and_then();
    void save() noexcept;

    knowledge& of_;
    std::filesystem::path file_;
    std::uint64_t saved_ = 0; ///< runs observed when the file was written last
    std::mutex guard_;
    std::condition_variable ends_;
    bool ending_ = false;
    std::thread thread_;
};

} // namespace skelrt::detail
