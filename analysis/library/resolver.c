// Names of hosts: an address or an error. And what a process says of itself.
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
