// serveRank: what every rank but the first one does. It explores what rank 0 asks for, in a worker process of
// its own, one request at a time, and sends signs of life. It ends when rank 0 says so, or when rank 0 falls
// silent.
//
// Threading: the calling thread owns the mailbox; one more explores.
#pragma once

#include <memory>
#include <string>

#include "server/mpi/mailbox.h"
#include "server/worker/worker_pool.h"

namespace heddle {

/// `build`: what this rank is, for rank 0 to compare. Ends the process.
[[noreturn]] void serveRank(Mailbox& mailbox, const std::shared_ptr<WorkerPool>& pool,
                            const std::string& build);

}  // namespace heddle
