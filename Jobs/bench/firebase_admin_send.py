"""COUNT messages by the vendor's SDK, as a script of one's own would send them: lists of 500, its own threads.

usage: firebase_admin_send.py CREDENTIAL_FILE ENDPOINT COUNT     (the trusted authority: REQUESTS_CA_BUNDLE)
Prints how many succeeded.
"""
import sys

import firebase_admin
from firebase_admin import credentials, messaging

credential, endpoint, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
firebase_admin.initialize_app(credentials.Certificate(credential))
# The SDK has no setting for it.
messaging._MessagingService.FCM_URL = endpoint + "/v1/projects/{0}/messages:send"

succeeded = 0
for start in range(0, count, 500):
    messages = [
        messaging.Message(
            token=f"ab{number:062x}",
            data={
                "_title": f"Zoë p{number}, our sale begins",
                "_body": "Half price until Sunday, in every shop and online 🎉",
                "_icon": "https://cdn.shop.example/i/bell.png",
                "_image": "https://cdn.shop.example/i/sale.jpg",
                "_click_action": "https://shop.example/sale?src=push",
                "_uid": f"T{number}",
            },
            android=messaging.AndroidConfig(priority="high", ttl=86400),
        )
        for number in range(start, min(start + 500, count))
    ]
    succeeded += messaging.send_each(messages).success_count
print(succeeded)
