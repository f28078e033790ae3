// libcurl's variadic calls, one typed shim for each C type, because Swift imports no variadics. A callback and its
// userdata are always set together: one without the other is a crash in waiting.
#ifndef SALVO_CCURL_SHIMS_H
#define SALVO_CCURL_SHIMS_H
// CURL and CURLM become distinct incomplete structs: the shims are type-checked, and Swift sees OpaquePointer.
#define CURL_STRICTER 1
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline CURLcode ccurl_set_long(CURL *_Nonnull easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_offset(CURL *_Nonnull easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

/// libcurl copies the string.
static inline CURLcode ccurl_set_string(CURL *_Nonnull easy, CURLoption option, const char *_Nullable value) {
  return curl_easy_setopt(easy, option, value);
}

/// libcurl keeps the pointer: the list must live until the transfer is done.
static inline CURLcode ccurl_set_headers(CURL *_Nonnull easy, struct curl_slist *_Nullable list) {
  return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, list);
}

/// libcurl keeps the pointer to CURL_ERROR_SIZE bytes.
static inline CURLcode ccurl_set_error_buffer(CURL *_Nonnull easy, char *_Nonnull buffer) {
  return curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, buffer);
}

static inline CURLcode ccurl_set_private(CURL *_Nonnull easy, void *_Nonnull value) {
  return curl_easy_setopt(easy, CURLOPT_PRIVATE, value);
}

static inline CURLcode ccurl_set_read(CURL *_Nonnull easy, curl_read_callback _Nonnull callback,
                                      void *_Nonnull userdata) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_READFUNCTION, callback);
  return code ? code : curl_easy_setopt(easy, CURLOPT_READDATA, userdata);
}

static inline CURLcode ccurl_set_seek(CURL *_Nonnull easy, curl_seek_callback _Nonnull callback,
                                      void *_Nonnull userdata) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, callback);
  return code ? code : curl_easy_setopt(easy, CURLOPT_SEEKDATA, userdata);
}

static inline CURLcode ccurl_set_write(CURL *_Nonnull easy, curl_write_callback _Nonnull callback,
                                       void *_Nonnull userdata) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, callback);
  return code ? code : curl_easy_setopt(easy, CURLOPT_WRITEDATA, userdata);
}

static inline CURLcode ccurl_set_debug(CURL *_Nonnull easy, curl_debug_callback _Nonnull callback,
                                       void *_Nonnull userdata) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, callback);
  return code ? code : curl_easy_setopt(easy, CURLOPT_DEBUGDATA, userdata);
}

static inline CURLcode ccurl_set_prerequest(CURL *_Nonnull easy, curl_prereq_callback _Nonnull callback,
                                            void *_Nonnull userdata) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
  return code ? code : curl_easy_setopt(easy, CURLOPT_PREREQDATA, userdata);
}

/// The connection keeps both, so the userdata must outlive the multi handle, not only the transfer.
static inline CURLcode ccurl_set_close_socket(CURL *_Nonnull easy, curl_closesocket_callback _Nonnull callback,
                                              void *_Nonnull userdata) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, callback);
  return code ? code : curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, userdata);
}

/// Called with each new socket before it connects; the userdata must outlive the transfer.
static inline CURLcode ccurl_set_new_socket(CURL *_Nonnull easy, curl_sockopt_callback _Nonnull callback,
                                            void *_Nonnull userdata) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, callback);
  return code ? code : curl_easy_setopt(easy, CURLOPT_SOCKOPTDATA, userdata);
}

/// 0 when libcurl doesn't know.
static inline long ccurl_get_long(CURL *_Nonnull easy, CURLINFO info) {
  long value = 0;
  return curl_easy_getinfo(easy, info, &value) ? 0 : value;
}

static inline void *_Nullable ccurl_get_private(CURL *_Nonnull easy) {
  void *value = NULL;
  return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value) ? NULL : value;
}

/// The value of the answer's last header of that name, valid until the handle is used again; NULL if it has none.
static inline const char *_Nullable ccurl_header(CURL *_Nonnull easy, const char *_Nonnull name) {
  struct curl_header *header = NULL;
  return curl_easy_header(easy, name, 0, CURLH_HEADER, -1, &header) == CURLHE_OK ? header->value : NULL;
}

static inline CURLMcode ccurl_multi_set_long(CURLM *_Nonnull multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

/// Reads the union of a message that says CURLMSG_DONE.
static inline CURLcode ccurl_message_result(const CURLMsg *_Nonnull message) { return message->data.result; }

/// What this libcurl is and was built with. CURLVERSION_NOW is a macro that Swift doesn't see.
static inline const curl_version_info_data *_Nonnull ccurl_version(void) { return curl_version_info(CURLVERSION_NOW); }

/// The local port of a socket: what tells one connection to a server from the others. 0 when it has none.
static inline int ccurl_local_port(curl_socket_t socket) {
  union {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
  } address;
  socklen_t length = sizeof address;
  if (getsockname(socket, &address.any, &length)) return 0;
  if (address.any.sa_family == AF_INET) return ntohs(address.v4.sin_port);
  if (address.any.sa_family == AF_INET6) return ntohs(address.v6.sin6_port);
  return 0;
}

/// Whether the peer has closed or reset the connection and all that it sent was read.
static inline int ccurl_is_closed_by_peer(curl_socket_t socket) {
  char byte;
  ssize_t count = recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR);
}

/// An empty file that lives in memory; -1 and errno when the system has none. Closed on exec.
static inline int ccurl_memory_file(const char *_Nonnull name) {
  return (int)syscall(SYS_memfd_create, name, 1u /* MFD_CLOEXEC */);
}
#endif
