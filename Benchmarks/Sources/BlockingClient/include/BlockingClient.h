// The floor for clients: one socket, blocking calls, a request that is written once.
#pragma once
#include <stddef.h>

// A connection to a port of 127.0.0.1, or -1.
int blockingClientConnect(int port);

// Posts a body and waits for the whole answer; its status, or -1.
int blockingClientPost(int descriptor, const char *body, size_t length);

void blockingClientClose(int descriptor);
