#!/usr/bin/python3
"""Makes what the provider stand-ins run on, in FOLDER: a private CA and one certificate, credentials of each provider
(right and wrong ones), nginx.conf and what the Lua side knows. A second call keeps certificates, credentials and the
ports that are still free. Only the standard library and the openssl program are needed."""

import argparse
import json
import os
import pwd
import random
import secrets
import shutil
import socket
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Listener -> HTTP/2 streams a connection may have open at once; 0: HTTP/1.1 alone.
STREAMS = {
    "fcm": 100, "fcm-token": 100, "apns": 1000, "apns-sandbox": 1000, "hms": 128, "hms-token": 128,
    "appmetrica": 0, "rustore": 128,
}
HOSTS = [
    "fcm.googleapis.com", "oauth2.googleapis.com", "api.push.apple.com", "api.sandbox.push.apple.com",
    "push-api.cloud.huawei.com", "oauth-login.cloud.huawei.com", "push.api.appmetrica.yandex.net", "vkpns.rustore.ru",
    "localhost",
]
# Below the range from which Linux takes the ports of outgoing connections (32768 and up).
PORTS = range(20000, 32000)
TEAM, APNS_KEYS = "TEAM123456", {"KEY1234567": "apns.p8", "KEY7654321": "apns-2.p8"}
PROJECT, ACCOUNT = "salvo-demo", "sender@salvo-demo.iam.gserviceaccount.com"
HMS_CLIENT = "100000001"


def openssl(*arguments, text=None):
    done = subprocess.run(["openssl", *arguments], input=text, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"openssl {arguments[0]} failed: {done.stderr.strip()}")
    return done.stdout


def write(path, text, mode=0o600):
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
    os.chmod(path, mode)


def elliptic_key():
    return openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")


def rsa_key():
    return openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-quiet")


def authority(path, key, name):
    write(key, elliptic_key())
    openssl(
        "req", "-x509", "-new", "-key", str(key), "-subj", f"/CN={name}", "-days", "30", "-out", str(path),
        "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign")
    path.chmod(0o644)


def sign(private, request, key, authority, certificate, *options):
    openssl(
        "x509", "-req", "-in", str(request), "-CA", str(authority), "-CAkey", str(key), "-CAcreateserial",
        "-CAserial", str(private / "ca.srl"), "-days", "30", *options, "-out", str(certificate))


def make_client_certificate(private, path, key, authority):
    """What Apple's portal gives: a certificate, exported with its key into one PEM file."""
    request, certificate, own = private / "client.csr", private / "client.pem", private / "client.key"
    write(own, elliptic_key())
    openssl("req", "-new", "-key", str(own), "-subj", "/CN=Apple Push Services: com.example.shop", "-out", str(request))
    sign(private, request, key, authority, certificate)
    write(path, certificate.read_text() + own.read_text())
    for each in (request, certificate, own):
        each.unlink()


def make_certificates(folder, private, names):
    """The authorities' keys are thrown away: nothing else can ever be signed with them."""
    request, extensions, key = private / "leaf.csr", private / "leaf.ext", private / "ca.key"
    credentials = folder / "credentials"
    authority(folder / "wrong-ca.pem", key, "Salvo stand-ins, an authority that nobody trusts")
    make_client_certificate(private, credentials / "apns-wrong.pem", key, folder / "wrong-ca.pem")
    authority(folder / "ca.pem", key, "Salvo stand-ins")
    make_client_certificate(private, credentials / "apns.pem", key, folder / "ca.pem")
    write(private / "leaf.key", elliptic_key())
    openssl("req", "-new", "-key", str(private / "leaf.key"), "-subj", "/CN=localhost", "-out", str(request))
    alternatives = ",".join(f"DNS:{name}" for name in names)
    write(extensions, f"subjectAltName={alternatives},IP:127.0.0.1\nextendedKeyUsage=serverAuth\n")
    sign(private, request, key, folder / "ca.pem", private / "leaf.pem", "-extfile", str(extensions))
    for path in (request, extensions, key, private / "ca.srl"):
        path.unlink(missing_ok=True)


def service_account(key, key_id, token_uri):
    return json.dumps({
        "type": "service_account", "project_id": PROJECT, "private_key_id": key_id, "private_key": key,
        "client_email": ACCOUNT, "client_id": "100000000000000000001",
        "auth_uri": "https://accounts.google.com/o/oauth2/auth", "token_uri": token_uri,
        "universe_domain": "googleapis.com",
    }, indent=2) + "\n"


def make_credentials(credentials):
    key_id = secrets.token_hex(20)
    write(credentials / "fcm.json", service_account(rsa_key(), key_id, ""))
    write(credentials / "fcm-wrong.json", service_account(rsa_key(), key_id, ""))
    for name in (*APNS_KEYS.values(), "apns-wrong.p8"):
        write(credentials / name, elliptic_key())
    # A form field must be encoded: these characters find out who forgot it.
    secret = secrets.token_hex(24) + "+/&=%"
    write(credentials / "hms.json", json.dumps({"client_id": HMS_CLIENT, "client_secret": secret}) + "\n")
    write(credentials / "appmetrica.token", "y0_" + secrets.token_urlsafe(40) + "\n")
    write(credentials / "rustore.token", secrets.token_urlsafe(48) + "\n")
    write(credentials / "hub-1.key", secrets.token_hex(64) + "\n")


def point_to(credentials, token_uri):
    """The ports may be others than last time, so the service accounts learn where their token endpoint is."""
    for name in ("fcm.json", "fcm-wrong.json"):
        account = json.loads((credentials / name).read_text())
        write(credentials / name, service_account(account["private_key"], account["private_key_id"], token_uri))


def settings(credentials, ports, start, token_uri):
    account = json.loads((credentials / "fcm.json").read_text())

    def public(private):
        return openssl("pkey", "-pubout", text=private)

    return {
        "start": start,
        "ports": ports,
        "fcm": {
            "project_id": PROJECT, "client_email": ACCOUNT, "private_key_id": account["private_key_id"],
            "public_key": public(account["private_key"]), "token_uri": token_uri,
        },
        "apns": {
            "team_id": TEAM,
            "keys": {key: public((credentials / name).read_text()) for key, name in APNS_KEYS.items()},
        },
        "hms": json.loads((credentials / "hms.json").read_text()),
        "appmetrica": {"token": (credentials / "appmetrica.token").read_text().strip()},
        "rustore": {"project_id": PROJECT, "token": (credentials / "rustore.token").read_text().strip()},
    }


def is_free(address, port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
            return True
        except OSError:
            return False


def choose_ports(before, address, first):
    if first:
        return {name: first + index for index, name in enumerate(STREAMS)}
    if sorted(before) == sorted(STREAMS) and all(is_free(address, port) for port in before.values()):
        return before
    free = (port for port in random.sample(PORTS, len(PORTS)) if is_free(address, port))
    return {name: next(free) for name in STREAMS}


def quoted(path):
    text = str(path)
    if any(character in text for character in '"\\${};\n'):
        sys.exit(f"{text} cannot stand in nginx.conf: choose a folder without quotes, $, braces and semicolons")
    return f'"{text}"'


def server(name, port, address, ca):
    streams = STREAMS[name]
    protocol = f" http2;\n    http2_max_concurrent_streams {streams}" if streams else ""
    body = "" if streams else """
    client_max_body_size 200m;
    client_body_in_file_only on;"""
    # Whether a certificate is good is told to Lua, which refuses it in Apple's words.
    certificates = f"""
    ssl_verify_client optional_no_ca;
    ssl_client_certificate {quoted(ca)};""" if name.startswith("apns") else ""
    return f"""
  server {{
    listen {address}:{port} ssl{protocol};{body}{certificates}
    ssl_certificate_by_lua_block {{ require("connections").opened("{name}") }}
    location / {{ content_by_lua_block {{ require("standin").serve("{name}") }} }}
    log_by_lua_block {{ require("connections").requestEnded("{name}") }}
  }}
"""


def nginx_configuration(private, ports, address, user, ca):
    values = {
        "MODULES": "/usr/lib/nginx/modules",
        "USER": f"user {user};" if user else "",
        "FOLDER": quoted(private),
        "LUA": quoted(HERE / "lua" / "?.lua").strip('"'),
        "SERVERS": "".join(server(name, port, address, ca) for name, port in ports.items()),
    }
    text = (HERE / "nginx.conf.in").read_text()
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    return text


def endpoints(ports, name):
    """The variables of `Jobs/stack.sh env` that speak of the stand-ins."""
    url = {listener: f"https://{name}:{port}" for listener, port in ports.items()}
    return {
        "SALVO_FCM_ENDPOINT": url["fcm"],
        "SALVO_FCM_TOKEN_URI": url["fcm-token"] + "/token",
        "SALVO_APNS_ENDPOINT": url["apns"],
        "SALVO_APNS_SANDBOX_ENDPOINT": url["apns-sandbox"],
        "SALVO_HMS_ENDPOINT": url["hms"],
        "SALVO_HMS_TOKEN_ENDPOINT": url["hms-token"] + "/oauth2/v3/token",
        "SALVO_APPMETRICA_ENDPOINT": url["appmetrica"],
        "SALVO_RUSTORE_ENDPOINT": url["rustore"],
    }


def give(private, user):
    """Workers of a master that root started run as `user`: only what they write is theirs."""
    entry = pwd.getpwnam(user)
    os.chown(private, 0, entry.pw_gid)
    private.chmod(0o710)
    for name in ("ledger", "bodies", "tmp"):
        for path in (private / name, *(private / name).iterdir()):
            os.chown(path, entry.pw_uid, entry.pw_gid)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--name", default="localhost", help="host name of the endpoints, added to the certificate")
    parser.add_argument("--listen", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--first-port", type=int, help="take this port and the seven behind it instead of free ones")
    parser.add_argument("--user", help="user of nginx's workers, when root starts it")
    given = parser.parse_args()
    folder = given.folder.resolve()
    credentials, private = folder / "credentials", folder / "providers"
    for path in (credentials, private, private / "ledger", private / "bodies", private / "tmp"):
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not (private / "leaf.pem").exists():
        make_certificates(folder, private, dict.fromkeys([*HOSTS, given.name]))
    if not (credentials / "hub-1.key").exists():
        make_credentials(credentials)
    state = private / "settings.json"
    before = json.loads(state.read_text()) if state.exists() else {"start": 0, "ports": {}}
    ports = choose_ports(before["ports"], given.listen, given.first_port)
    variables = endpoints(ports, given.name)
    point_to(credentials, variables["SALVO_FCM_TOKEN_URI"])
    known = settings(credentials, ports, before["start"] + 1, variables["SALVO_FCM_TOKEN_URI"])
    write(state, json.dumps(known, indent=2))
    write(private / "endpoints", "".join(f"{name}={value}\n" for name, value in variables.items()))
    write(private / "nginx.conf", nginx_configuration(private, ports, given.listen, given.user, folder / "ca.pem"))
    shutil.rmtree(private / "tmp")
    (private / "tmp").mkdir(mode=0o700)
    (private / "control.sock").unlink(missing_ok=True)
    if given.user:
        give(private, given.user)


if __name__ == "__main__":
    main()
