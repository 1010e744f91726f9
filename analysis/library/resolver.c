// Names of hosts: an address or an error. And what a process says of itself.
#include <errno.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <stddef.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

void heddle_assumption(const char *text);
int heddle_input(const char *name);

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
  struct made {
    struct addrinfo info;
    struct sockaddr_in address;
  };
  if (node) (void)strlen(node);
  if (service) (void)strlen(service);
  if (heddle_input("getaddrinfo: fails") & 1) return EAI_NONAME;
  heddle_assumption("a name stands for one IPv4 address");
  struct made *made = calloc(1, sizeof *made);
  if (!made) return EAI_MEMORY;
  made->info.ai_family = AF_INET;
  made->info.ai_socktype = hints && hints->ai_socktype ? hints->ai_socktype : SOCK_STREAM;
  made->info.ai_protocol = hints ? hints->ai_protocol : 0;
  made->info.ai_addrlen = sizeof made->address;
  made->info.ai_addr = (struct sockaddr *)&made->address;
  made->address.sin_family = AF_INET;
  made->address.sin_port = (in_port_t)heddle_input("getaddrinfo: port");
  made->address.sin_addr.s_addr = (in_addr_t)heddle_input("getaddrinfo: address");
  *result = &made->info;
  return 0;
}

void freeaddrinfo(struct addrinfo *made) {
  while (made) {
    struct addrinfo *next = made->ai_next;
    free(made);
    made = next;
  }
}

int getifaddrs(struct ifaddrs **list) {
  struct made {
    struct ifaddrs link;
    union {
      struct sockaddr any;
      struct sockaddr_in four;
      struct sockaddr_in6 six;
    } address, mask;
    char name[4];
  };
  if (heddle_input("getifaddrs: fails") & 1) {
    errno = ENOMEM;
    return -1;
  }
  heddle_assumption("there are at most two network interfaces, and addresses are of IPv4 or IPv6");
  *list = NULL;
  for (int i = 0; i < 2 && (heddle_input("getifaddrs: one more") & 1); ++i) {
    struct made *made = calloc(1, sizeof *made);
    if (!made) {
      freeifaddrs(*list);
      errno = ENOMEM;
      return -1;
    }
    memcpy(made->name, i == 0 ? "if0" : "if1", 4);
    made->link.ifa_name = made->name;
    made->link.ifa_flags = (unsigned)heddle_input("getifaddrs: flags");
    // An interface without an address has none.
    if (heddle_input("getifaddrs: has an address") & 1) {
      made->link.ifa_addr = &made->address.any;
      made->link.ifa_netmask = &made->mask.any;
      if (heddle_input("getifaddrs: IPv6") & 1) {
        made->address.six.sin6_family = made->mask.six.sin6_family = AF_INET6;
        for (int part = 0; part < 4; ++part) {
          const int bytes = heddle_input("getifaddrs: address");
          memcpy(made->address.six.sin6_addr.s6_addr + 4 * part, &bytes, sizeof bytes);
        }
        memset(made->mask.six.sin6_addr.s6_addr, 0xff, 8);
      } else {
        made->address.four.sin_family = made->mask.four.sin_family = AF_INET;
        made->address.four.sin_addr.s_addr = (in_addr_t)heddle_input("getifaddrs: address");
        memset(&made->mask.four.sin_addr, 0xff, 3);
      }
    }
    made->link.ifa_next = *list;
    *list = &made->link;
  }
  return 0;
}

void freeifaddrs(struct ifaddrs *list) {
  while (list) {
    struct ifaddrs *next = list->ifa_next;
    free(list);
    list = next;
  }
}

const char *gai_strerror(int code) {
  (void)code;
  return "Name or service not known";
}

struct hostent *gethostbyname(const char *name) {
  static in_addr_t address;
  static char *addresses[2] = {(char *)&address};
  static char *aliases[1];
  static struct hostent made = {"localhost", aliases, AF_INET, sizeof address, addresses};
  (void)strlen(name);
  if (heddle_input("gethostbyname: fails") & 1) return NULL;
  heddle_assumption("a name stands for one IPv4 address");
  return &made;
}

int prctl(int option, ...) {
  (void)option;
  heddle_assumption("what prctl sets changes nothing that the program can see");
  return (heddle_input("prctl: fails") & 1) ? -1 : 0;
}
