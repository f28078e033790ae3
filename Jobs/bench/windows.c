// The window protocol alone: what a lane reads and writes, with nothing rendered and nothing sent.
//
//   windows LAUNCH CHANNEL CHUNK WINDOW
//
// For an audience that nobody has planned yet. A lane and its chunks of CHUNK recipients are made, each page is read by
// the same COPY as Salvo's, and each window of WINDOW recipients is opened and closed by two transactions with the same
// statements: intent with its ids, then the rows by COPY BINARY, the cursor and the counts. Prints the messages.
// The connection comes from PG*.
#include <endian.h>
#include <libpq-fe.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static PGconn *database;
static const char *launch, *channel;

static void die(const char *what) {
  fprintf(stderr, "windows: %s: %s", what, PQerrorMessage(database));
  exit(1);
}

static PGresult *query(const char *sql, int count, const char *const *values) {
  PGresult *result = PQexecParams(database, sql, count, NULL, values, NULL, NULL, 0);
  ExecStatusType status = PQresultStatus(result);
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) die(sql);
  return result;
}

static void run(const char *sql, int count, const char *const *values) { PQclear(query(sql, count, values)); }

struct bytes {
  char *at;
  size_t count, room;
};

static void put(struct bytes *bytes, const void *value, size_t count) {
  if (bytes->count + count > bytes->room)
    bytes->at = realloc(bytes->at, bytes->room = (bytes->count + count) * 2);
  memcpy(bytes->at + bytes->count, value, count);
  bytes->count += count;
}
static void put16(struct bytes *bytes, uint16_t value) { value = htobe16(value), put(bytes, &value, 2); }
static void put32(struct bytes *bytes, uint32_t value) { value = htobe32(value), put(bytes, &value, 4); }
static void put64(struct bytes *bytes, uint64_t value) { value = htobe64(value), put(bytes, &value, 8); }
static void field16(struct bytes *bytes, uint16_t value) { put32(bytes, 2), put16(bytes, value); }
static void field32(struct bytes *bytes, uint32_t value) { put32(bytes, 4), put32(bytes, value); }
static void field64(struct bytes *bytes, uint64_t value) { put32(bytes, 8), put64(bytes, value); }
static void text(struct bytes *bytes, const char *value) {
  put32(bytes, (uint32_t)strlen(value));
  put(bytes, value, strlen(value));
}

struct key {
  uint64_t profile, subscription;
};

// The keys of a page; the other columns are read and dropped.
static size_t read_page(const struct key *after, struct key *keys, size_t chunk) {
  char sql[1024];
  snprintf(sql, sizeof sql,
           "copy (select r.profile_id, r.subscription_id, (case s.state when 'active' then 0 when 'retired' then 1"
           " when 'unsubscribed' then 2 else 3 end)::int2, s.registered_at, s.token, p.external_id, p.locale,"
           " p.time_zone, p.attributes::text from salvo.recipient r"
           " left join salvo.subscription s on s.profile_id = r.profile_id and s.id = r.subscription_id"
           " and s.profile_id > %1$llu - 1 left join salvo.profile p on p.id = r.profile_id and p.id > %1$llu - 1"
           " where r.launch_id = %3$s and r.channel_id = %4$s and (r.profile_id, r.subscription_id) > (%1$llu, %2$llu)"
           " order by r.profile_id, r.subscription_id limit %5$zu) to stdout (format binary)",
           (unsigned long long)after->profile, (unsigned long long)after->subscription, launch, channel, chunk);
  PGresult *result = PQexec(database, sql);
  if (PQresultStatus(result) != PGRES_COPY_OUT) die("reading a page");
  PQclear(result);
  char *row;
  int length, skip = 19;
  size_t count = 0;
  while ((length = PQgetCopyData(database, &row, 0)) > 0) {
    if (length - skip >= 26 && count < chunk) {
      uint64_t value;
      memcpy(&value, row + skip + 6, 8), keys[count].profile = be64toh(value);
      memcpy(&value, row + skip + 18, 8), keys[count].subscription = be64toh(value);
      count++;
    }
    skip = 0;
    PQfreemem(row);
  }
  while ((result = PQgetResult(database))) PQclear(result);
  return count;
}

static void open_window(const char *chunk_no, const struct key *keys, size_t count, char *window_no) {
  run("begin", 0, NULL);
  PGresult *result = query(
      "update salvo.chunk c set next_window = c.next_window + 1, lease_until = now() + interval '60 s'"
      " from salvo.launch l, salvo.lane n where c.launch_id = $1 and c.channel_id = $2 and c.chunk_no = $3"
      " and c.token = 1 and c.state = 1 and l.id = c.launch_id and n.launch_id = c.launch_id"
      " and n.channel_id = c.channel_id and n.state = 'running' returning c.next_window - 1",
      3, (const char *[]){launch, channel, chunk_no});
  if (PQntuples(result) != 1) die("no chunk");
  snprintf(window_no, 16, "%s", PQgetvalue(result, 0, 0));
  PQclear(result);
  struct bytes ids = {0};
  for (size_t i = 0; i < count; i++) put64(&ids, keys[i].profile), put64(&ids, keys[i].subscription);
  char planned[16];
  snprintf(planned, sizeof planned, "%zu", count);
  const char *values[] = {launch, channel, chunk_no, window_no, planned, ids.at};
  int lengths[] = {0, 0, 0, 0, 0, (int)ids.count}, formats[] = {0, 0, 0, 0, 0, 1};
  result = PQexecParams(database,
                        "insert into salvo.send_window (launch_id, channel_id, chunk_no, window_no, token, attempt,"
                        " planned, ids) values ($1, $2, $3, $4, 1, 1, $5, $6) returning id",
                        6, NULL, values, lengths, formats, 0);
  if (PQresultStatus(result) != PGRES_TUPLES_OK) die("opening a window");
  PQclear(result);
  free(ids.at);
  run("commit", 0, NULL);
}

static void close_window(const char *chunk_no, const char *window_no, const struct key *keys, size_t count) {
  char profile[24], subscription[24], sent[16];
  snprintf(profile, sizeof profile, "%llu", (unsigned long long)keys[count - 1].profile);
  snprintf(subscription, sizeof subscription, "%llu", (unsigned long long)keys[count - 1].subscription);
  snprintf(sent, sizeof sent, "%zu", count);
  run("begin", 0, NULL);
  run("update salvo.chunk set cursor_profile = $4, cursor_subscription = $5, lease_until = now() + interval '60 s'"
      " where launch_id = $1 and channel_id = $2 and chunk_no = $3 and token = 1 and state = 1",
      5, (const char *[]){launch, channel, chunk_no, profile, subscription});
  run("update salvo.send_window set state = 1, closed_at = now(), sent = $5 where launch_id = $1 and channel_id = $2"
      " and chunk_no = $3 and window_no = $4 and token = 1 and state = 0",
      5, (const char *[]){launch, channel, chunk_no, window_no, sent});
  PGresult *result = PQexec(database, "copy salvo.delivery (launch_id, profile_id, subscription_id, channel_id, at,"
                                      " chunk_no, window_no, attempt, outcome, requests, http_status, message_uid)"
                                      " from stdin (format binary)");
  if (PQresultStatus(result) != PGRES_COPY_IN) die("writing rows");
  PQclear(result);
  struct bytes rows = {0};
  put(&rows, "PGCOPY\n\377\r\n\0", 11), put32(&rows, 0), put32(&rows, 0);
  for (size_t i = 0; i < count; i++) {
    put16(&rows, 12);
    field64(&rows, strtoull(launch, NULL, 10));
    field64(&rows, keys[i].profile), field64(&rows, keys[i].subscription);
    field64(&rows, strtoull(channel, NULL, 10));
    field64(&rows, 817000000000000);  // microseconds since 2000: some day of 2025
    field32(&rows, (uint32_t)atoi(chunk_no)), field32(&rows, (uint32_t)atoi(window_no));
    field16(&rows, 1), field16(&rows, 1), field16(&rows, 1), field16(&rows, 200);
    text(&rows, "T111111111111111111111111111111111111111");
  }
  put16(&rows, 0xffff);
  if (PQputCopyData(database, rows.at, (int)rows.count) != 1 || PQputCopyEnd(database, NULL) != 1) die("writing rows");
  free(rows.at);
  while ((result = PQgetResult(database))) {
    if (PQresultStatus(result) != PGRES_COMMAND_OK) die("writing rows");
    PQclear(result);
  }
  run("commit", 0, NULL);
}

int main(int argc, char **argv) {
  if (argc != 5) return fprintf(stderr, "usage: windows LAUNCH CHANNEL CHUNK WINDOW\n"), 64;
  launch = argv[1], channel = argv[2];
  size_t chunk = strtoul(argv[3], NULL, 10), window = strtoul(argv[4], NULL, 10), total = 0, count;
  database = PQconnectdb("");
  if (PQstatus(database) != CONNECTION_OK) die("no connection");
  run("insert into salvo.lane (launch_id, channel_id, planned, next_chunk) select $1, $2, count(*), 1000000"
      " from salvo.recipient where launch_id = $1 and channel_id = $2",
      2, (const char *[]){launch, channel});
  struct key *keys = calloc(chunk, sizeof *keys), after = {0, 0};
  for (int number = 0; (count = read_page(&after, keys, chunk)); number++) {
    char chunk_no[16], window_no[16], planned[24], profile[24], subscription[24];
    snprintf(chunk_no, sizeof chunk_no, "%d", number);
    snprintf(planned, sizeof planned, "%zu", count);
    snprintf(profile, sizeof profile, "%llu", (unsigned long long)keys[count - 1].profile);
    snprintf(subscription, sizeof subscription, "%llu", (unsigned long long)keys[count - 1].subscription);
    run("insert into salvo.chunk (launch_id, channel_id, chunk_no, lo_profile, lo_subscription, hi_profile,"
        " hi_subscription, cursor_profile, cursor_subscription, planned, state, owner, token, lease_until)"
        " values ($1, $2, $3, 0, 0, $4, $5, 0, 0, $6, 1, 'bench', 1, now() + interval '60 s')",
        6, (const char *[]){launch, channel, chunk_no, profile, subscription, planned});
    for (size_t from = 0; from < count; from += window) {
      size_t size = count - from < window ? count - from : window;
      open_window(chunk_no, keys + from, size, window_no);
      close_window(chunk_no, window_no, keys + from, size);
    }
    after = keys[count - 1];
    total += count;
  }
  run("update salvo.chunk set state = 2, lease_until = null, owner = null where launch_id = $1 and channel_id = $2", 2,
      (const char *[]){launch, channel});
  printf("%zu\n", total);
  PQfinish(database);
  return 0;
}
