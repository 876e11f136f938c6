// The floor for servers: one thread, epoll, and an answer to every POST without looking at what it says.
//
// It reads a request's head for the length of its body, because without that no server could tell requests apart, and nothing else.
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { bufferSize = 1 << 16, eventCount = 256, connectionLimit = 4096 };

typedef struct {
  char bytes[bufferSize];
  size_t length;
} Connection;

static Connection *connections[connectionLimit];
static const char keepAlive[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
static const char closing[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

// The length of the first request in the buffer, or 0 when it has not arrived whole.
static size_t requestLength(const Connection *connection, int *closes) {
  const char *end = memmem(connection->bytes, connection->length, "\r\n\r\n", 4);
  if (!end) return 0;
  size_t head = (size_t)(end - connection->bytes) + 4, body = 0;
  *closes = 0;
  for (const char *line = connection->bytes; line < end;) {
    const char *next = memchr(line, '\n', (size_t)(end + 2 - line));
    if (!next) break;
    line = next + 1;
    if (strncasecmp(line, "content-length:", 15) == 0) body = strtoul(line + 15, NULL, 10);
    if (strncasecmp(line, "connection: close", 17) == 0) *closes = 1;
  }
  return connection->length >= head + body ? head + body : 0;
}

static void end(int descriptor) {
  free(connections[descriptor]);
  connections[descriptor] = NULL;
  close(descriptor);
}

static void serve(int descriptor) {
  Connection *connection = connections[descriptor];
  ssize_t count = recv(descriptor, connection->bytes + connection->length, bufferSize - connection->length, 0);
  if (count <= 0) {
    if (count < 0 && errno == EAGAIN) return;
    end(descriptor);
    return;
  }
  connection->length += (size_t)count;
  int closes = 0;
  size_t length;
  while ((length = requestLength(connection, &closes)) > 0) {
    const char *answer = closes ? closing : keepAlive;
    send(descriptor, answer, strlen(answer), MSG_NOSIGNAL);
    memmove(connection->bytes, connection->bytes + length, connection->length - length);
    connection->length -= length;
    if (closes) {
      end(descriptor);
      return;
    }
  }
}

int main(void) {
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), one = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, SOMAXCONN)) return 1;
  getsockname(listener, (struct sockaddr *)&address, &size);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);

  int poller = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, ready[eventCount];
  epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
  event.data.fd = STDIN_FILENO;
  epoll_ctl(poller, EPOLL_CTL_ADD, STDIN_FILENO, &event);
  for (;;) {
    int count = epoll_wait(poller, ready, eventCount, -1);
    for (int index = 0; index < count; index++) {
      int descriptor = ready[index].data.fd;
      if (descriptor == STDIN_FILENO) return 0;
      if (descriptor != listener) {
        serve(descriptor);
        continue;
      }
      int accepted;
      while ((accepted = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        if (accepted >= connectionLimit) {
          close(accepted);
          continue;
        }
        setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        connections[accepted] = calloc(1, sizeof(Connection));
        event.data.fd = accepted;
        epoll_ctl(poller, EPOLL_CTL_ADD, accepted, &event);
        serve(accepted);
      }
    }
  }
}
