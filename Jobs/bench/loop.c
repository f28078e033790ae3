// The floor: libcurl alone, one multi handle, the requests of a file sent round and round.
//
//   loop REQUESTS COUNT CONNECTIONS STREAMS CA_FILE [http1]
//
// The options are those of Sources/Transport/EasyOptions.swift: body by a read function, verbose with a debug function
// that reads informational lines, a new URL and header list for each request. What the pipeline around it costs is
// then the difference. REQUESTS holds blocks as they go over the wire: URL, header lines, an empty line, the body (one
// line). Prints answers of 200 and the others; exit 1 when there were others.
#define _GNU_SOURCE
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
  const char *url;
  struct curl_slist *headers;
  const char *body;
  size_t length;
};

struct transfer {
  CURL *easy;
  const struct request *request;
  size_t read, received;
  long stream;
  char error[CURL_ERROR_SIZE];
};

static void die(const char *what) {
  fprintf(stderr, "loop: %s\n", what);
  exit(2);
}

static size_t read_body(char *buffer, size_t size, size_t count, void *data) {
  struct transfer *transfer = data;
  size_t left = transfer->request->length - transfer->read;
  size_t taken = size * count < left ? size * count : left;
  memcpy(buffer, transfer->request->body + transfer->read, taken);
  transfer->read += taken;
  return taken;
}

static int no_rewind(void *data, curl_off_t offset, int origin) {
  (void)data, (void)offset, (void)origin;
  return CURL_SEEKFUNC_FAIL;
}

static size_t take_answer(char *bytes, size_t size, size_t count, void *data) {
  (void)bytes;
  ((struct transfer *)data)->received += size * count;
  return size * count;
}

// As the transport does: informational lines alone, and of those the one that tells the stream.
static int read_line(CURL *easy, curl_infotype type, char *bytes, size_t count, void *data) {
  (void)easy;
  static const char stream[] = "Using Stream ID: ";
  if (type != CURLINFO_TEXT) return 0;
  const char *found = memmem(bytes, count, stream, sizeof stream - 1);
  if (found) ((struct transfer *)data)->stream = atol(found + sizeof stream - 1);
  return 0;
}

static struct request *read_requests(const char *path, size_t *count) {
  FILE *file = fopen(path, "r");
  if (!file) die("can't read the requests");
  struct request *requests = NULL;
  size_t room = 0, capacity = 0;
  char *line = NULL;
  ssize_t length;
  *count = 0;
  while ((length = getline(&line, &capacity, file)) > 0) {
    struct request request = {0};
    line[length - 1] = 0;
    request.url = strdup(line);
    while ((length = getline(&line, &capacity, file)) > 1) {
      line[length - 1] = 0;
      request.headers = curl_slist_append(request.headers, line);
    }
    length = getline(&line, &capacity, file);
    if (length < 1) die("a request without a body");
    line[length - 1] = 0;
    request.body = strdup(line);
    request.length = (size_t)length - 1;
    if (*count == room) requests = realloc(requests, (room = room ? room * 2 : 1024) * sizeof *requests);
    requests[(*count)++] = request;
  }
  free(line);
  fclose(file);
  return requests;
}

int main(int argc, char **argv) {
  if (argc < 6) die("usage: loop REQUESTS COUNT CONNECTIONS STREAMS CA_FILE [http1]");
  curl_global_init(CURL_GLOBAL_DEFAULT);
  size_t known, total = strtoul(argv[2], NULL, 10), started = 0, good = 0, other = 0;
  struct request *requests = read_requests(argv[1], &known);
  if (!known) die("no requests");
  long connections = atol(argv[3]), streams = atol(argv[4]);
  size_t window = (size_t)(connections * streams);
  int http1 = argc > 6;

  CURLM *multi = curl_multi_init();
  curl_multi_setopt(multi, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
  curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, connections);
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, connections);
  curl_multi_setopt(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, streams);

  struct transfer *transfers = calloc(window, sizeof *transfers);
  struct transfer **idle = calloc(window, sizeof *idle);
  size_t idle_count = 0;
  for (size_t i = 0; i < window; i++) {
    CURL *easy = transfers[i].easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "https");
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, http1 ? (long)CURL_HTTP_VERSION_1_1 : (long)CURL_HTTP_VERSION_2TLS);
    curl_easy_setopt(easy, CURLOPT_PIPEWAIT, http1 ? 0L : 1L);
    curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, http1 ? 16384L : 1024L);
    curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, http1 ? 262144L : 16384L);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, 20000L);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, 10000L);
    curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    curl_easy_setopt(easy, CURLOPT_CAINFO, argv[5]);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfers[i].error);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, &transfers[i]);
    curl_easy_setopt(easy, CURLOPT_READFUNCTION, read_body);
    curl_easy_setopt(easy, CURLOPT_READDATA, &transfers[i]);
    curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, no_rewind);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_answer);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfers[i]);
    curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, read_line);
    curl_easy_setopt(easy, CURLOPT_DEBUGDATA, &transfers[i]);
    curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L);
    curl_easy_setopt(easy, CURLOPT_POST, 1L);
    idle[idle_count++] = &transfers[i];
  }

  // Connections come up one after the other: a burst on a new one would be refused above the server's stream limit.
  size_t open = 1, in_flight = 0;
  while (good + other < total) {
    while (idle_count && started < total && in_flight < open) {
      struct transfer *transfer = idle[--idle_count];
      transfer->request = &requests[started++ % known];
      transfer->read = transfer->received = 0;
      curl_easy_setopt(transfer->easy, CURLOPT_URL, transfer->request->url);
      curl_easy_setopt(transfer->easy, CURLOPT_HTTPHEADER, transfer->request->headers);
      curl_easy_setopt(transfer->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)transfer->request->length);
      if (curl_multi_add_handle(multi, transfer->easy)) die("libcurl takes no further transfer");
      in_flight++;
    }
    int running, left;
    if (curl_multi_perform(multi, &running)) die("curl_multi_perform failed");
    CURLMsg *message;
    size_t ended = 0;
    while ((message = curl_multi_info_read(multi, &left))) {
      struct transfer *transfer;
      long status = 0;
      CURLcode code = message->data.result;
      curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
      curl_easy_getinfo(message->easy_handle, CURLINFO_RESPONSE_CODE, &status);
      curl_multi_remove_handle(multi, message->easy_handle);
      if (code == CURLE_OK && status == 200) {
        good++;
      } else if (!other++) {
        fprintf(stderr, "loop: status %ld, %s (%d)\n", status, transfer->error, code);
      }
      idle[idle_count++] = transfer;
      in_flight--;
      ended++;
      if (open < window) open++;
    }
    if (!ended) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  printf("%zu %zu\n", good, other);
  return other ? 1 : 0;
}
