/* A thread per rank, as programs of several devices have them. */
#ifndef RANKS_HPP
#define RANKS_HPP

#include "host.hpp"

#include <thread>

namespace host {

/* Calls work(rank) in a thread of its own for each rank, waits for all of them, and throws the first failure. */
template <typename Work> void each_rank(uint32_t count, const Work &work)
{
    std::vector<std::string> failures(count);
    std::vector<std::thread> threads;
    for (uint32_t rank = 0; rank < count; rank++) {
        threads.emplace_back([&, rank] {
            try {
                work(rank);
            } catch (const std::exception &error) {
                failures[rank] = error.what();
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    for (const std::string &failure : failures) {
        if (!failure.empty()) {
            throw std::runtime_error(failure);
        }
    }
}

} // namespace host

#endif
