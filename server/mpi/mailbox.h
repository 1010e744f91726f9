// Mailbox: letters between the ranks of one MPI job. Nothing here waits for another rank, so none that has
// died can hold up the others: messages are point to point and are looked after whenever receive() is called.
//
// Threading: MPI belongs to the thread that makes the mailbox; it alone may call it.
#pragma once

#include <deque>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "server/mpi/letter.h"

namespace heddle {

class Mailbox {
 public:
  /// Starts MPI, which takes its own arguments away. `problem()` says what went wrong.
  Mailbox(int* argc, char*** argv);
  ~Mailbox();
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  const std::string& problem() const { return problem_; }  // empty: none
  int rank() const { return rank_; }
  int size() const { return size_; }

  /// Returns at once. False: the letter is larger than a message can be.
  bool send(int rank, const Letter& letter);

  struct Received {
    int from = 0;
    std::optional<Letter> letter;  // none: it is of another build
  };
  /// The next letter that has arrived, those of one rank in their order; nullopt: none has.
  std::optional<Received> receive();

  /// All that was sent to `rank` has left.
  bool isSentTo(int rank) const;

  /// Ends the process with this code. `isWhole`: all ranks are there, and leave MPI together. Otherwise the
  /// process ends without leaving MPI, because MPI would wait for the dead. In neither case does it wait long
  /// for ranks that do not come.
  [[noreturn]] static void leave(bool isWhole, int code);

 private:
  struct Sent;
  struct Arriving;
  void tend();

  std::string problem_;
  int rank_ = 0, size_ = 1;
  std::list<std::unique_ptr<Sent>> sent_;
  std::list<std::unique_ptr<Arriving>> arriving_;
};

}  // namespace heddle
