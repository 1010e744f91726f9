// Reads and writes of several blocks at once, and datagrams: by those of one block, which the interpreter models.
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

void heddle_assumption(const char *text);

// As many as come; the first block that is not filled is the last.
static ssize_t messages_read(int fd, const struct iovec *blocks, size_t count) {
  ssize_t sum = 0;
  for (size_t i = 0; i < count; ++i) {
    ssize_t came = read(fd, blocks[i].iov_base, blocks[i].iov_len);
    if (came < 0) return i == 0 ? -1 : sum;
    sum += came;
    if ((size_t)came < blocks[i].iov_len) break;
  }
  return sum;
}

static ssize_t messages_write(int fd, const struct iovec *blocks, size_t count) {
  ssize_t sum = 0;
  for (size_t i = 0; i < count; ++i) {
    ssize_t went = write(fd, blocks[i].iov_base, blocks[i].iov_len);
    if (went < 0) return i == 0 ? -1 : sum;
    sum += went;
    if ((size_t)went < blocks[i].iov_len) break;
  }
  return sum;
}

ssize_t readv(int fd, const struct iovec *blocks, int count) {
  return messages_read(fd, blocks, (size_t)count);
}

ssize_t writev(int fd, const struct iovec *blocks, int count) {
  return messages_write(fd, blocks, (size_t)count);
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags) {
  (void)flags;
  heddle_assumption("a message has no control data and no address");
  ssize_t came = messages_read(fd, message->msg_iov, message->msg_iovlen);
  if (came < 0) return -1;
  message->msg_controllen = 0;
  message->msg_namelen = 0;
  message->msg_flags = 0;
  return came;
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
  (void)flags;
  return messages_write(fd, message->msg_iov, message->msg_iovlen);
}

ssize_t recvfrom(int fd, void *data, size_t size, int flags, struct sockaddr *from, socklen_t *length) {
  ssize_t came = recv(fd, data, size, flags);
  if (came < 0 || !from || !length) return came;
  heddle_assumption("the address of who sends is 0");
  memset(from, 0, *length);
  return came;
}

ssize_t sendto(int fd, const void *data, size_t size, int flags, const struct sockaddr *to, socklen_t length) {
  (void)to;
  (void)length;
  return send(fd, data, size, flags);
}
