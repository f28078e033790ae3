"""A door to PostgreSQL that cuts the connection at COMMIT: every Nth one, in turns before the server hears of it and
after it was done, before the client hears of that. Usage: commits.py FOLDER PORT SERVER_SOCKET EVERY"""
import asyncio
import os
import sys

folder, port, server, every = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
# libpq sends a simple query as one packet and waits for its answer, so it arrives alone.
COMMIT = b"Q\x00\x00\x00\x0bCOMMIT\x00"
commits = 0
cuts = {"before": 0, "after": 0}


async def serve(client, to_client):
    global commits
    upstream, to_server = await asyncio.open_unix_connection(server)
    deaf = False

    async def back():
        try:
            while data := await upstream.read(65536):
                if deaf:
                    break
                to_client.write(data)
                await to_client.drain()
        except OSError:
            pass
        to_client.close()

    answers = asyncio.create_task(back())
    try:
        while data := await client.read(65536):
            if data == COMMIT:
                commits += 1
                if commits % every == 0:
                    turn = "before" if commits // every % 2 else "after"
                    cuts[turn] += 1
                    with open(os.path.join(folder, "cuts"), "w") as file:
                        file.write(f"{cuts['before']} {cuts['after']}\n")
                    if turn == "before":
                        break
                    deaf = True
                    to_server.write(data)
                    await answers
                    break
            to_server.write(data)
            await to_server.drain()
    except OSError:
        pass
    to_client.close()
    to_server.close()


async def main():
    door = await asyncio.start_unix_server(serve, os.path.join(folder, f".s.PGSQL.{port}"))
    async with door:
        await door.serve_forever()


asyncio.run(main())
