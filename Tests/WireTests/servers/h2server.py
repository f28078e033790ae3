#!/usr/bin/python3
"""An HTTP/2 server over TLS that misbehaves on demand (Debian's python3-h2).

    h2server.py FOLDER [name=value ...]

FOLDER holds server.pem and server.key and gets `ledger`: one line for each request that was read to its end, written
before anything is answered. Prints its port on stdout and ends when stdin does, so it never outlives the tests.

What a request gets is in its path:
    /ok  /delay/MS  /never  /status/CODE[/RETRY-AFTER]  /large/BYTES  /rst/ERROR  /half/ERROR (headers and half a body)
    /html/CODE (a gateway's page)
What the server is, and what some requests get whatever their path:
    serve=P         answers as fcm, apns, rustore, hms or appmetrica does (that one in HTTP/1.1). `id` in the ledger is
                    then the payload's _uid, or `ids` are the tokens of an array. hms calls tokens dead that begin so;
                    appmetrica takes a transfer with its first byte of answer, whatever becomes of that answer
    order=O         gets O, written like a path without its first slash: rst/7, status/503/1 ...
    every=K         ... but only every K-th request of all (default 1)
    orders=N        ... and only the first N that would
    failed=K        appmetrica: the K-th transfer fails for its content
    asked=O         appmetrica: what questions about transfers get, up to `orders` times; `order` is for the sending
What a connection does:
    streams=N       the limit it announces; more streams than that are refused and noted as a violation
    raise=N         the limit it announces 20 ms after its first answer (APNs: 1, then 1000)
    change=K:N      after K requests it announces N streams
    settings=S      seconds by which the first SETTINGS are late
    goaway=K        after K requests it sends GOAWAY ...
    last=L          ... naming the L-th request as the last one processed (default K) ...
    error=E         ... with this error code (default 0), answers those up to L, and closes
    answer=0        ... without answering any
    drop=K          after K requests it closes without an answer
    dropopen=K      closes when the K-th request begins, its body not read
    dropfrom=C      goaway, drop and dropopen: only from its C-th connection on (default 1) ...
    dropto=C        ... to this one (default: all)
    warm=W          the first W requests of a connection are answered whatever else is ordered
    hangup=1        closes every connection as soon as it is made, reading nothing
    clients=1       wants a client certificate signed by ca.pem
    overflow=N      one more open stream than N: GOAWAY 1 and close
    alpn=http/1.1   speaks HTTP/1.1 instead
"""
import asyncio
import asyncio.sslproto
import base64
import json
import os
import re
import socket
import ssl
import struct
import sys

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.settings
from hyperframe.frame import GoAwayFrame, RstStreamFrame, SettingsFrame

FOLDER = sys.argv[1]
OPTIONS = dict(argument.split("=", 1) for argument in sys.argv[2:])
LEDGER = open(os.path.join(FOLDER, "ledger"), "a", buffering=1)
CONNECTIONS = 0
REQUESTS = 0
ORDERS = 0
TRANSFERS = {}
UID = re.compile(rb'"_uid":"([^"]+)"')


def option(name, default=0.0):
    return float(OPTIONS.get(name, default))


def note(**entry):
    LEDGER.write(json.dumps(entry) + "\n")


def ids_of(headers, body):
    if OPTIONS.get("serve") == "hms":
        return json.loads(body)["message"]["token"]
    if OPTIONS.get("serve") == "appmetrica":
        batch = json.loads(body)["push_batch_request"]["batch"] if body else []
        return [value for entry in batch for devices in entry["devices"] for value in devices["id_values"]]
    uid = UID.search(body)
    return [uid[1].decode() if uid else headers.get("x-id", "")]


def note_request(connection, stream, headers, body):
    ids = ids_of(headers, body)
    note(
        kind="request",
        id=ids[0] if ids else "",
        ids=ids,
        connection=connection,
        stream=stream,
        method=headers.get(":method"),
        path=headers.get(":path"),
        body=base64.b64encode(body).decode(),
        headers=[[name, value] for name, value in headers.items()],
    )


class H2(asyncio.Protocol):
    def connection_made(self, transport):
        global CONNECTIONS
        CONNECTIONS += 1
        self.number = CONNECTIONS
        note(kind="connection", connection=self.number)
        self.transport = transport
        if "hangup" in OPTIONS:
            transport.abort()
        self.begun = 0
        self.read = 0
        self.answered = 0
        self.requests = {}
        self.is_ending = False
        self.limit = int(option("streams", 1000))
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        # The library itself must allow more than is announced: it closes a client that hasn't read SETTINGS yet.
        codes = h2.settings.SettingCodes
        self.h2.local_settings = h2.settings.Settings(
            client=False, initial_values={codes.MAX_CONCURRENT_STREAMS: 100_000}
        )
        self.h2.initiate_connection()
        self.h2.data_to_send()
        self.held = bytearray()
        if "settings" in OPTIONS:
            asyncio.get_running_loop().call_later(option("settings"), self.announce, self.limit)
        else:
            self.announce(self.limit)

    def announce(self, limit):
        self.limit = limit
        frame = SettingsFrame(0, settings={SettingsFrame.MAX_CONCURRENT_STREAMS: limit})
        held, self.held = self.held, None
        self.write(frame.serialize() + (held or b""))

    def write(self, data):
        # SETTINGS must be the first frame of all.
        if self.held is not None:
            self.held.extend(data)
        elif data and not self.transport.is_closing():
            self.transport.write(data)

    def flush(self):
        self.write(self.h2.data_to_send())

    def data_received(self, data):
        try:
            events = self.h2.receive_data(data)
        except Exception as error:
            note(kind="protocol", error=repr(error))
            self.transport.close()
            return
        for event in events:
            if isinstance(event, h2.events.RequestReceived):
                self.opened(event.stream_id, dict(event.headers))
            elif isinstance(event, h2.events.DataReceived):
                request = self.requests.get(event.stream_id)
                if request is not None:
                    request[1].extend(event.data)
                self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, h2.events.StreamEnded):
                self.ended(event.stream_id)
            elif isinstance(event, h2.events.PingReceived):
                note(kind="ping", connection=self.number)
            elif isinstance(event, h2.events.StreamReset):
                self.requests.pop(event.stream_id, None)
        self.flush()

    def opened(self, stream, headers):
        headers = {
            name if isinstance(name, str) else name.decode(): value if isinstance(value, str) else value.decode()
            for name, value in headers.items()
        }
        self.requests[stream] = (headers, bytearray())
        self.begun += 1
        if "dropopen" in OPTIONS and self.begun == option("warm") + option("dropopen"):
            if option("dropfrom", 1) <= self.number <= option("dropto", 1e9):
                self.end()
                return
        if "overflow" in OPTIONS and len(self.requests) > option("overflow"):
            note(kind="violation", open=len(self.requests))
            self.go_away(stream, 1)
        elif len(self.requests) > self.limit:
            note(kind="violation", open=len(self.requests), limit=self.limit)
            del self.requests[stream]
            self.h2.reset_stream(stream, error_code=h2.errors.ErrorCodes.REFUSED_STREAM)

    def ended(self, stream):
        request = self.requests.get(stream)
        if request is None or self.is_ending:
            return
        headers, body = request
        self.read += 1
        warm = option("warm")
        is_bad = self.read > warm and option("dropfrom", 1) <= self.number <= option("dropto", 1e9)
        if "goaway" in OPTIONS and is_bad:
            last = warm + option("last", option("goaway"))
            if self.read > last:
                # Above the last one processed: taken off the wire, never looked at.
                note(kind="ignored", ids=ids_of(headers, body), stream=stream)
            else:
                note_request(self.number, stream, headers, body)
                self.last_stream = stream
                if option("answer", 1):
                    self.answer(stream, headers, body)
            if self.read == warm + option("goaway"):
                self.go_away(self.last_stream if last > warm else 0, int(option("error")))
            return
        note_request(self.number, stream, headers, body)
        if "drop" in OPTIONS and is_bad:
            if self.read == warm + option("drop"):
                self.end()
            return
        if "change" in OPTIONS and self.read == int(OPTIONS["change"].split(":")[0]):
            self.announce(int(OPTIONS["change"].split(":")[1]))
        self.answer(stream, headers, body)

    def end(self):
        self.is_ending = True
        self.flush()
        self.transport.abort()

    def go_away(self, last, error):
        self.is_ending = True
        self.flush()
        self.write(GoAwayFrame(0, last_stream_id=last, error_code=error).serialize())
        asyncio.get_running_loop().call_later(0.05, self.transport.close)

    def answer(self, stream, headers, body):
        order, *values = order_of(headers[":path"]).split("/")
        if order == "never":
            return
        if order == "delay":
            later = asyncio.get_running_loop().call_later
            later(int(values[0]) / 1000, self.respond, stream, 200, *success(headers, body))
        elif order == "status":
            extra = [("retry-after", values[1])] if len(values) > 1 else []
            self.respond(stream, int(values[0]), extra, b'{"error":"as ordered"}')
        elif order == "large":
            self.respond(stream, 200, [], b"x" * int(values[0]))
        elif order == "html":
            page = b"<html><head><title>Bad Gateway</title></head></html>"
            self.respond(stream, int(values[0]), [("content-type", "text/html")], page)
        elif order == "rst":
            self.reset(stream, int(values[0]))
        elif order == "half":
            self.h2.send_headers(stream, [(":status", "200"), ("content-length", "100")])
            self.h2.send_data(stream, b"y" * 50)
            self.flush()
            self.reset(stream, int(values[0]))
        else:
            self.respond(stream, 200, *success(headers, body))

    def reset(self, stream, error):
        self.requests.pop(stream, None)
        # Not through the library, which has its own idea of which codes are good when.
        self.flush()
        self.write(RstStreamFrame(stream, error_code=error).serialize())

    def respond(self, stream, status, extra, body):
        if stream not in self.requests or self.transport.is_closing():
            return
        del self.requests[stream]
        self.h2.send_headers(
            stream, [(":status", str(status)), ("content-length", str(len(body)))] + extra, end_stream=not body
        )
        size = self.h2.max_outbound_frame_size
        for at in range(0, len(body), size):
            self.h2.send_data(stream, body[at : at + size], end_stream=at + size >= len(body))
        self.flush()
        self.answered += 1
        if self.answered == 1 and "raise" in OPTIONS:
            asyncio.get_running_loop().call_later(0.02, self.announce, int(option("raise")))


class H1(asyncio.Protocol):
    """HTTP/1.1 with content-length bodies, one request after the other."""

    def connection_made(self, transport):
        global CONNECTIONS
        CONNECTIONS += 1
        self.number = CONNECTIONS
        note(kind="connection", connection=self.number)
        self.transport = transport
        self.buffer = bytearray()
        self.wanted = 0
        self.read = 0

    def data_received(self, data):
        self.buffer.extend(data)
        if len(self.buffer) < self.wanted:
            return
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            first, *lines = self.buffer[:end].decode().split("\r\n")
            headers = dict(line.split(": ", 1) for line in lines if ": " in line)
            headers = {name.lower(): value for name, value in headers.items()}
            length = int(headers.get("content-length", "0"))
            if "dropopen" in OPTIONS and self.number <= option("dropto", 1e9):
                self.transport.abort()
                return
            self.wanted = end + 4 + length
            if len(self.buffer) < self.wanted:
                return
            self.wanted = 0
            body = bytes(self.buffer[end + 4 : end + 4 + length])
            del self.buffer[: end + 4 + length]
            method, path, _ = first.split(" ")
            if method == "GET" and OPTIONS.get("serve") == "appmetrica":
                note(kind="question", path=path)
                self.answer(path, OPTIONS.get("asked") if is_ordered("asked") else "ok", status_of(path))
                continue
            note_request(self.number, 0, {":method": method, ":path": path, **headers}, body)
            self.read += 1
            if "drop" in OPTIONS and self.read > option("warm") and self.number <= option("dropto", 1e9):
                take(body)
                self.transport.abort()
                return
            self.answer(path, order_of(path), (200, success(headers, body)[1]), body)

    def answer(self, path, order, usual, body=b""):
        order, *values = order.split("/")
        if order == "status":
            extra = b"retry-after: %s\r\n" % values[1].encode() if len(values) > 1 else b""
            self.respond(int(values[0]), b'{"error":"as ordered"}', extra)
        elif order == "html":
            self.respond(int(values[0]), b"<html><head><title>Bad Gateway</title></head></html>")
        else:
            take(body)
            if order == "rst":
                # Not the end of the stream but a reset.
                linger = struct.pack("ii", 1, 0)
                self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                self.transport.abort()
            elif order == "half":
                self.transport.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n" + usual[1][:20])
                self.transport.close()
            elif order != "never":
                self.respond(*usual)

    def respond(self, status, body, extra=b""):
        self.transport.write(b"HTTP/1.1 %d \r\n%scontent-length: %d\r\n\r\n" % (status, extra, len(body)) + body)


def take(body):
    """AppMetrica begins a transfer, once for each id."""
    if OPTIONS.get("serve") == "appmetrica" and body:
        transfer = json.loads(body)["push_batch_request"]["client_transfer_id"]
        note(kind="repeated" if transfer in TRANSFERS else "transfer", transfer=transfer)
        TRANSFERS.setdefault(transfer, len(TRANSFERS) + 1)


def status_of(path):
    transfer = int(path.rsplit("/", 1)[1])
    if transfer in TRANSFERS:
        word, errors = "sent", []
        if TRANSFERS[transfer] == option("failed"):
            word, errors = "failed", ["google_aid used without an android message"]
        return 200, json.dumps({"transfer": {"id": 1, "status": word, "errors": errors}}).encode()
    return 404, b'{"errors":[{"error_type":"not_found","message":"Transfer is not found"}],"code":404}'


def is_ordered(name):
    """Whether this request is one of those that get what is ordered."""
    global REQUESTS, ORDERS
    REQUESTS += 1
    if name not in OPTIONS or REQUESTS % int(option("every", 1)) or ORDERS >= option("orders", 1e9):
        return False
    ORDERS += 1
    return True


def order_of(path):
    if "serve" not in OPTIONS:
        return path.strip("/")
    return OPTIONS["order"] if is_ordered("order") else "ok"


def success(headers, body):
    """The headers and the body that go with 200."""
    if OPTIONS.get("serve") == "fcm":
        return [], b'{"name":"projects/salvo-demo/messages/0:%d"}' % REQUESTS
    if OPTIONS.get("serve") == "apns":
        return [("apns-id", headers.get("apns-id", ""))], b""
    if OPTIONS.get("serve") == "rustore":
        return [], b"{}"
    if OPTIONS.get("serve") == "hms":
        return [], hms_success(json.loads(body)["message"]["token"])
    if OPTIONS.get("serve") == "appmetrica":
        transfer = json.loads(body)["push_batch_request"]["client_transfer_id"]
        return [], b'{"push_response":{"transfer_id":%d,"client_transfer_id":%d}}' % (REQUESTS, transfer)
    return [], echo(body)


def hms_success(tokens):
    dead = [token for token in tokens if token.startswith("dead")]
    code, message = "80000000", "Success"
    if dead:
        code = "80100000"
        message = json.dumps({"success": len(tokens) - len(dead), "failure": len(dead), "illegal_tokens": dead})
    return json.dumps({"code": code, "msg": message, "requestId": str(REQUESTS)}).encode()


def echo(body):
    return b'{"length":%d}' % len(body)


class AlertingProtocol(asyncio.sslproto.SSLProtocol):
    """asyncio throws away the alert that says why a handshake failed; real servers send it before they close."""

    def _fatal_error(self, *arguments):
        self._process_outgoing()
        self._loop.call_later(0.2, super()._fatal_error, *arguments)


async def main():
    loop = asyncio.get_running_loop()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(FOLDER, "server.pem"), os.path.join(FOLDER, "server.key"))
    if "clients" in OPTIONS:
        asyncio.sslproto.SSLProtocol = AlertingProtocol
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(os.path.join(FOLDER, "ca.pem"))
    protocol = OPTIONS.get("alpn", "http/1.1" if OPTIONS.get("serve") == "appmetrica" else "h2")
    context.set_alpn_protocols([protocol])
    server = await loop.create_server(H2 if protocol == "h2" else H1, "127.0.0.1", 0, ssl=context, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    os._exit(0)


asyncio.run(main())
