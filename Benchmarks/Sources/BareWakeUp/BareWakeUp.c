#include "BareWakeUp.h"
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct BareWakeUp {
  sem_t bell;
  pthread_t thread;
};

static void *run(void *context) {
  BareWakeUp *wakeUp = context;
  for (;;) sem_wait(&wakeUp->bell);
  return NULL;
}

BareWakeUp *bareWakeUpStart(void) {
  BareWakeUp *wakeUp = malloc(sizeof *wakeUp);
  sem_init(&wakeUp->bell, 0, 0);
  return pthread_create(&wakeUp->thread, NULL, run, wakeUp) == 0 ? wakeUp : NULL;
}

void bareWakeUpSignal(BareWakeUp *wakeUp) { sem_post(&wakeUp->bell); }
