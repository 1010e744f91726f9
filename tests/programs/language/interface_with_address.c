// EXPECT: memory=verified-within-bounds twin=interface_without_address (an interface need not have an address)
#include <ifaddrs.h>
#include <netinet/in.h>
#include <stddef.h>

int main(void) {
  struct ifaddrs *list;
  int found = 0;
  if (getifaddrs(&list) != 0) return 0;
  for (struct ifaddrs *p = list; p != NULL; p = p->ifa_next)
    if (p->ifa_addr && p->ifa_addr->sa_family == AF_INET6) found++;
  freeifaddrs(list);
  return found > 2;
}
