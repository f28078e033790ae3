#!/usr/bin/python3
"""A proxy that knows CONNECT alone (RFC 9110 §9.3.6).

    proxy.py FOLDER [STATUS]

FOLDER gets `proxied`: one line for each CONNECT, its target and what Proxy-Authorization said. With STATUS every one is
refused. Prints its port on stdout and ends when stdin does.
"""
import asyncio
import os
import sys

LEDGER = open(os.path.join(sys.argv[1], "proxied"), "a", buffering=1)


async def pump(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    writer.close()


async def serve(reader, writer):
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
    method, target, _ = first.split(" ")
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
    LEDGER.write(f"{target} {headers.get('proxy-authorization', '-')}\n")
    if method != "CONNECT" or len(sys.argv) > 2:
        status = sys.argv[2] if len(sys.argv) > 2 else "405"
        writer.write(f"HTTP/1.1 {status} refused\r\ncontent-length: 0\r\n\r\n".encode())
        await writer.drain()
        writer.close()
        return
    host, port = target.rsplit(":", 1)
    upstream, downstream = await asyncio.open_connection(host, int(port))
    writer.write(b"HTTP/1.1 200 connected\r\n\r\n")
    await asyncio.gather(pump(reader, downstream), pump(upstream, writer))


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    os._exit(0)


asyncio.run(main())
