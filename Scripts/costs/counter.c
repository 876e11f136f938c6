// Counts a process's allocations and system calls: preloaded with LD_PRELOAD, read through `costs_read`. Also has a client that
// is not counted.
//
// glibc's own names for its allocator (`__libc_malloc`) forward each call, so that counting needs no allocation. System calls
// are counted where libraries call glibc's wrappers; the futexes inside of glibc's locks and conditions are not seen.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static _Atomic int64_t allocations, bytes, calls;
// Calls of threads that only drive the measurement are left out.
static _Thread_local int ignored;

static void *allocated(void *block) {
  if (block) {
    if (!ignored) atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&bytes, (int64_t)malloc_usable_size(block), memory_order_relaxed);
  }
  return block;
}

static void released(void *block) {
  if (block) atomic_fetch_sub_explicit(&bytes, (int64_t)malloc_usable_size(block), memory_order_relaxed);
}

void *malloc(size_t size) { return allocated(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return allocated(__libc_calloc(count, size)); }
void *memalign(size_t alignment, size_t size) { return allocated(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  *block = memalign(alignment, size);
  return *block ? 0 : 12;
}

void *realloc(void *block, size_t size) {
  released(block);
  return allocated(__libc_realloc(block, size));
}

void free(void *block) {
  released(block);
  __libc_free(block);
}

// Allocations so far, bytes in use, system calls so far.
void costs_read(int64_t *into) {
  into[0] = atomic_load(&allocations);
  into[1] = atomic_load(&bytes);
  into[2] = atomic_load(&calls);
}

// Pairs of calls with 1 and -1 nest.
void costs_ignore_thread(int change) { ignored += change; }

static long forward(void **function, const char *name, long a, long b, long c, long d, long e, long f, long g) {
  if (!*function) *function = dlsym(RTLD_NEXT, name);
  if (!ignored) atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
  return ((long (*)(long, long, long, long, long, long, long))*function)(a, b, c, d, e, f, g);
}

// A connection to a port of 127.0.0.1, or -1.
int costs_connect(int port) {
  ignored += 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  int client = socket(AF_INET, SOCK_STREAM, 0);
  if (client >= 0 && connect(client, (struct sockaddr *)&address, sizeof address) != 0) client = -1;
  ignored -= 1;
  return client;
}

// Sends a request and reads a response whose body fits one segment; its status, or -1.
int costs_exchange(int client, const char *request, size_t length) {
  static char response[4096];
  ignored += 1;
  int status = -1;
  if (send(client, request, length, 0) == (ssize_t)length && recv(client, response, sizeof response, 0) > 12)
    status = (response[9] - '0') * 100 + (response[10] - '0') * 10 + response[11] - '0';
  ignored -= 1;
  return status;
}

// All arguments of these are integers or pointers, so that one signature forwards each of them.
#define COUNTED(type, name)                                                                     \
  type counted_##name(long, long, long, long, long, long, long) __asm__(#name);                 \
  type counted_##name(long a, long b, long c, long d, long e, long f, long g) {                 \
    static void *function;                                                                      \
    return (type)forward(&function, #name, a, b, c, d, e, f, g);                                \
  }

COUNTED(int, poll)
COUNTED(int, ppoll)
COUNTED(int, epoll_wait)
COUNTED(int, epoll_ctl)
COUNTED(int, timerfd_settime)
COUNTED(int, eventfd_write)
COUNTED(int, eventfd_read)
COUNTED(long, read)
COUNTED(long, write)
COUNTED(long, readv)
COUNTED(long, writev)
COUNTED(long, recv)
COUNTED(long, send)
COUNTED(long, recvfrom)
COUNTED(long, sendto)
COUNTED(long, recvmsg)
COUNTED(long, sendmsg)
COUNTED(int, accept)
COUNTED(int, accept4)
COUNTED(int, connect)
COUNTED(int, socket)
COUNTED(int, close)
COUNTED(int, shutdown)
COUNTED(int, setsockopt)
COUNTED(int, getsockopt)
COUNTED(int, getsockname)
COUNTED(int, ioctl)
COUNTED(int, fcntl)
COUNTED(int, pipe2)
COUNTED(int, open)
COUNTED(int, nanosleep)
COUNTED(int, sched_yield)
COUNTED(int, pthread_create)
COUNTED(long, syscall)
