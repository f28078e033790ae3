"""COUNT messages by aioapns, 500 at a time.

usage: aioapns_send.py KEY_FILE CA_FILE HOST PORT COUNT
Prints how many succeeded.
"""
import asyncio
import ssl
import sys

from aioapns import APNs, NotificationRequest
from aioapns.connection import APNsProductionClientProtocol

key, authority, host, port, count = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
# The library knows Apple's hosts alone.
APNsProductionClientProtocol.APNS_SERVER = host
APNsProductionClientProtocol.APNS_PORT = port


async def main():
    context = ssl.create_default_context(cafile=authority)
    context.set_alpn_protocols(["h2"])
    with open(key) as file:
        client = APNs(key=file.read(), key_id="KEY1234567", team_id="TEAM123456", topic="com.example.shop",
                      max_connections=2, ssl_context=context)
    succeeded = 0
    for start in range(0, count, 500):
        results = await asyncio.gather(*(
            client.send_notification(NotificationRequest(
                device_token=f"ab{number:062x}",
                message={"aps": {"alert": {"title": f"Zoë p{number}, our sale begins",
                                           "body": "Half price until Sunday 🎉"}, "sound": "default"}}))
            for number in range(start, min(start + 500, count))))
        succeeded += sum(result.is_successful for result in results)
    print(succeeded)


asyncio.run(main())
