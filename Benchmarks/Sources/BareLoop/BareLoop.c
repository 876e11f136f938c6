#include "BareLoop.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

struct BareLoop {
  int listener, wakeUp[2];
  pthread_t thread;
};

static void *run(void *context) {
  BareLoop *loop = context;
  struct pollfd entries[] = {
      {.fd = loop->wakeUp[0], .events = POLLIN},
      {.fd = loop->listener, .events = POLLIN},
  };
  do poll(entries, 2, -1);
  while (entries[0].revents == 0);
  return NULL;
}

BareLoop *bareLoopStart(void) {
  BareLoop *loop = malloc(sizeof *loop);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int one = 1;
  loop->listener = socket(AF_INET, SOCK_STREAM, 0);
  setsockopt(loop->listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(loop->listener, (struct sockaddr *)&address, sizeof address) || listen(loop->listener, SOMAXCONN) ||
      pipe(loop->wakeUp) || pthread_create(&loop->thread, NULL, run, loop))
    return NULL;
  return loop;
}

void bareLoopStop(BareLoop *loop) {
  char byte = 0;
  if (write(loop->wakeUp[1], &byte, 1) == 1) pthread_join(loop->thread, NULL);
  close(loop->listener);
  close(loop->wakeUp[0]);
  close(loop->wakeUp[1]);
  free(loop);
}
