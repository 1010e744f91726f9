#include "server/mpi/mailbox.h"

#include <mpi.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <limits>
#include <set>
#include <thread>

#include "server/worker/wire.h"

namespace heddle {
namespace {

constexpr int kTag = 17;
constexpr std::chrono::seconds kFarewell{5};  // for the others to leave, too

}  // namespace

struct Mailbox::Sent {
  int rank = 0;
  std::string bytes;  // MPI reads them until the request is done
  MPI_Request request = MPI_REQUEST_NULL;
};

struct Mailbox::Arriving {
  int from = 0;
  std::string bytes;
  MPI_Request request = MPI_REQUEST_NULL;
  bool isThere = false;
};

Mailbox::Mailbox(int* argc, char*** argv) {
  int given = MPI_THREAD_SINGLE;
  if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS)
    problem_ = "MPI could not be started; start this program with mpirun or srun";
  else if (given < MPI_THREAD_FUNNELED)
    problem_ = "this MPI allows no threads; use one that gives MPI_THREAD_FUNNELED, such as Debian's OpenMPI";
  if (!problem_.empty()) return;
  // What fails is a letter that does not arrive, and silence is noticed anyway.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

Mailbox::~Mailbox() = default;

bool Mailbox::send(int rank, const Letter& letter) {
  auto sent = std::make_unique<Sent>();
  sent->rank = rank;
  sent->bytes = wire::packed(letter);
  if (sent->bytes.size() > static_cast<size_t>(std::numeric_limits<int>::max())) return false;
  if (MPI_Isend(sent->bytes.data(), static_cast<int>(sent->bytes.size()), MPI_BYTE, rank, kTag,
                MPI_COMM_WORLD, &sent->request) == MPI_SUCCESS)
    sent_.push_back(std::move(sent));
  return true;
}

void Mailbox::tend() {
  std::erase_if(sent_, [](const std::unique_ptr<Sent>& sent) {
    int isDone = 0;
    return MPI_Test(&sent->request, &isDone, MPI_STATUS_IGNORE) != MPI_SUCCESS || isDone != 0;
  });
  int isThere = 0;
  MPI_Status status;
  while (MPI_Iprobe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &isThere, &status) == MPI_SUCCESS && isThere != 0) {
    auto arriving = std::make_unique<Arriving>();
    arriving->from = status.MPI_SOURCE;
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    arriving->bytes.resize(static_cast<size_t>(size));
    if (MPI_Irecv(arriving->bytes.data(), size, MPI_BYTE, arriving->from, kTag, MPI_COMM_WORLD,
                  &arriving->request) != MPI_SUCCESS)
      break;
    arriving_.push_back(std::move(arriving));
  }
  for (const auto& arriving : arriving_) {
    if (arriving->isThere) continue;
    int isDone = 0;
    MPI_Test(&arriving->request, &isDone, MPI_STATUS_IGNORE);
    arriving->isThere = isDone != 0;
  }
}

std::optional<Mailbox::Received> Mailbox::receive() {
  tend();
  std::set<int> waiting;  // for an earlier letter of theirs
  for (auto it = arriving_.begin(); it != arriving_.end(); ++it) {
    if (!(*it)->isThere) waiting.insert((*it)->from);
    if (waiting.contains((*it)->from)) continue;
    Received received;
    received.from = (*it)->from;
    Letter letter;
    if (wire::unpack((*it)->bytes, letter)) received.letter = std::move(letter);
    arriving_.erase(it);
    return received;
  }
  return std::nullopt;
}

bool Mailbox::isSentTo(int rank) const {
  for (const auto& sent : sent_)
    if (sent->rank == rank) return false;
  return true;
}

void Mailbox::leave(bool isWhole, int code) {
  std::cout << std::flush;
  std::cerr << std::flush;
  std::fflush(nullptr);
  if (isWhole) {
    // A rank that dies right now would be waited for.
    std::thread([code] {
      std::this_thread::sleep_for(kFarewell);
      _exit(code);
    }).detach();
    MPI_Finalize();
  }
  _exit(code);  // explorations that nobody wants any more do not hold it up
}

}  // namespace heddle
