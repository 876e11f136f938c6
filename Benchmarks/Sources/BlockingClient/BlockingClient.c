#include "BlockingClient.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { bufferSize = 1 << 16 };

int blockingClientConnect(int port) {
  int descriptor = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
  close(descriptor);
  return -1;
}

int blockingClientPost(int descriptor, const char *body, size_t length) {
  char bytes[bufferSize];
  int head = snprintf(
      bytes, sizeof bytes,
      "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n", length);
  if (head < 0 || (size_t)head + length > sizeof bytes) return -1;
  memcpy(bytes + head, body, length);
  size_t size = (size_t)head + length, received = 0;
  if (send(descriptor, bytes, size, MSG_NOSIGNAL) != (ssize_t)size) return -1;
  // Answers have no body, so that their head is all that comes.
  while (received < 4 || memcmp(bytes + received - 4, "\r\n\r\n", 4) != 0) {
    ssize_t count = recv(descriptor, bytes + received, sizeof bytes - received, 0);
    if (count <= 0) return -1;
    received += (size_t)count;
  }
  return received > 12 ? atoi(bytes + 9) : -1;
}

void blockingClientClose(int descriptor) { close(descriptor); }
