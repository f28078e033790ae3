// libmicrohttpd's variadic calls as typed shims, because Swift imports no variadics.
#ifndef SALVO_CMICROHTTPD_SHIMS_H
#define SALVO_CMICROHTTPD_SHIMS_H
#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

/// What one daemon may cost.
struct cmicrohttpd_limits {
  unsigned int connections;
  unsigned int idle_seconds;
  /// Bytes a connection, request line and headers included.
  size_t memory;
};

/// Starts a daemon with one polling thread; NULL and errno when it can't. All callbacks get the userdata and come on
/// that thread. `host` is a numeric address.
static inline struct MHD_Daemon *_Nullable cmicrohttpd_start(
    const char *_Nonnull host, uint16_t port, struct cmicrohttpd_limits limits,
    MHD_AccessHandlerCallback _Nonnull handler, MHD_RequestCompletedCallback _Nonnull completed,
    MHD_NotifyConnectionCallback _Nonnull connected, void *_Nonnull userdata) {
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
  memset(&v4, 0, sizeof v4);
  memset(&v6, 0, sizeof v6);
  unsigned int flags = MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
  const struct sockaddr *address;
  if (inet_pton(AF_INET, host, &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    address = (const struct sockaddr *)&v4;
  } else if (inet_pton(AF_INET6, host, &v6.sin6_addr) == 1) {
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(port);
    address = (const struct sockaddr *)&v6;
    flags |= MHD_USE_IPv6;
  } else {
    errno = EINVAL;
    return NULL;
  }
  errno = 0;
  return MHD_start_daemon(flags, port, NULL, NULL, handler, userdata,
                          MHD_OPTION_SOCK_ADDR, address,
                          MHD_OPTION_NOTIFY_COMPLETED, completed, userdata,
                          MHD_OPTION_NOTIFY_CONNECTION, connected, userdata,
                          MHD_OPTION_CONNECTION_LIMIT, limits.connections,
                          MHD_OPTION_CONNECTION_TIMEOUT, limits.idle_seconds,
                          MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.memory,
                          MHD_OPTION_STRICT_FOR_CLIENT, 1,
                          MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
                          MHD_OPTION_END);
}

/// The port that the system gave, should 0 have been asked for; 0 when it isn't known.
static inline uint16_t cmicrohttpd_port(struct MHD_Daemon *_Nonnull daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}

/// The connection's socket; -1 when there is none.
static inline int cmicrohttpd_socket(struct MHD_Connection *_Nonnull connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}
#endif
