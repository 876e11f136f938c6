// The functions of libcurl that Foundation's networking calls, for a program that runs without libcurl until it calls one.
//
// Scripts/release links it in place of libcurl. StubRecording looks for the library before it uses any of them.
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void *find(const char *name) {
  static void *library;
  if (!library) library = dlopen("libcurl.so.4", RTLD_LAZY);
  void *function = library ? dlsym(library, name) : NULL;
  if (function) return function;
  fprintf(stderr, "%s of libcurl.so.4 can't be found: %s\n", name, dlerror());
  abort();
}

#define FORWARD(result, name, params, arguments) \
  result name params { \
    static result(*function) params; \
    if (!function) function = (result(*) params)find(#name); \
    return function arguments; \
  }

// On 64-bit systems each value that follows an option is a machine word.
#define FORWARD_OPTION(name) \
  int name(void *handle, int option, ...) { \
    static int (*function)(void *, int, ...); \
    if (!function) function = (int (*)(void *, int, ...))find(#name); \
    va_list list; \
    va_start(list, option); \
    void *value = va_arg(list, void *); \
    va_end(list); \
    return function(handle, option, value); \
  }

FORWARD(int, curl_global_init, (long flags), (flags))
FORWARD(char *, curl_version, (void), ())
FORWARD(void *, curl_version_info, (int age), (age))
FORWARD(void, curl_free, (void *memory), (memory))
FORWARD(void *, curl_slist_append, (void *list, const char *text), (list, text))
FORWARD(void, curl_slist_free_all, (void *list), (list))

FORWARD(void *, curl_easy_init, (void), ())
FORWARD(void, curl_easy_cleanup, (void *handle), (handle))
FORWARD(int, curl_easy_pause, (void *handle, int action), (handle, action))
FORWARD(const char *, curl_easy_strerror, (int code), (code))
FORWARD_OPTION(curl_easy_setopt)
FORWARD_OPTION(curl_easy_getinfo)

FORWARD(void *, curl_multi_init, (void), ())
FORWARD(int, curl_multi_cleanup, (void *multi), (multi))
FORWARD(int, curl_multi_add_handle, (void *multi, void *handle), (multi, handle))
FORWARD(int, curl_multi_remove_handle, (void *multi, void *handle), (multi, handle))
FORWARD(int, curl_multi_assign, (void *multi, int socket, void *data), (multi, socket, data))
FORWARD(void *, curl_multi_info_read, (void *multi, int *left), (multi, left))
FORWARD(int, curl_multi_socket_action, (void *multi, int socket, int events, int *running), (multi, socket, events, running))
FORWARD_OPTION(curl_multi_setopt)

FORWARD(void *, curl_url, (void), ())
FORWARD(int, curl_url_get, (void *url, int part, char **value, unsigned flags), (url, part, value, flags))
FORWARD(int, curl_url_set, (void *url, int part, const char *value, unsigned flags), (url, part, value, flags))
