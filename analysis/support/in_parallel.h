// inParallel: independent pieces of work, done by several threads.
//
// Threading: returns when all is done; the threads live no longer.
#pragma once

#include <cstddef>
#include <functional>

namespace heddle {

/// Calls work(worker, i) once for each i below `count`, each worker taking the next one in order. Workers are
/// numbered from 0, which is the calling thread, and are at most `workers` (at least one). Where the system
/// gives no more threads, fewer do the work.
void inParallel(unsigned workers, size_t count, const std::function<void(unsigned, size_t)>& work);

}  // namespace heddle
