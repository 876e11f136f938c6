// The floor for starting and stopping: a listening socket, a wake-up pipe and a thread that polls both.
#pragma once

typedef struct BareLoop BareLoop;

// A loop whose socket listens on a port of 127.0.0.1 that the system chose, or NULL.
BareLoop *bareLoopStart(void);

// Returns when the thread has ended and every descriptor is closed.
void bareLoopStop(BareLoop *loop);
