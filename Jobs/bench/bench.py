#!/usr/bin/env python3
"""Measures salvo beside its controls, alternating with them in the same run. Started by Jobs/bench.sh.

CPU is user + system time of the measured process and its children, as the kernel counts it (wait4). Rates are of the
wall clock and swing with whatever else the machine does; ratios within one run are what counts. After each run of
salvo the books are held against the launch: everybody accounted, nobody unknown.
"""
import argparse
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
JOBS = os.path.dirname(HERE)


class Failed(Exception):
    pass


class Spent:
    """What a process took."""

    def __init__(self, seconds, cpu, peak, out):
        self.seconds, self.cpu, self.peak, self.out = seconds, cpu, peak, out


def run(*command, env=None, check=True):
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
    out, err = process.stdout.read(), process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if check and process.returncode != 0:
        raise Failed(f"{os.path.basename(command[0])} ended with {process.returncode}: {err.decode()[-2000:]}")
    return Spent(time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, out.decode())


def run_together(*commands):
    """Several at once, each measured."""
    start = time.monotonic()
    processes = [subprocess.Popen(c, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) for c in commands]
    spent = []
    for process in processes:
        out = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise Failed(f"one of {len(commands)} runners ended with {process.returncode}")
        spent.append(Spent(time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, out.decode()))
    return spent


class Servers:
    """CPU of the database and of the stand-ins, from /proc: their processes work in the stack's folder."""

    def __init__(self, folder):
        self.folder = folder

    def cpu(self):
        spent = {"postgres": 0.0, "nginx": 0.0}
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                if not os.readlink(f"/proc/{entry}/cwd").startswith(self.folder):
                    continue
                with open(f"/proc/{entry}/stat") as file:
                    text = file.read()
            except OSError:
                continue
            name = text[text.index("(") + 1 : text.rindex(")")]
            fields = text[text.rindex(")") + 2 :].split()
            # utime, stime, and of children that ended and were waited for.
            ticks = sum(int(fields[i]) for i in (11, 12, 13, 14))
            for known in spent:
                if name.startswith(known):
                    spent[known] += ticks / os.sysconf("SC_CLK_TCK")
        return spent


class Bench:
    def __init__(self, options):
        self.options = options
        self.salvo = options.salvo
        self.controls = options.controls
        self.stack = os.environ["SALVO_STACK"]
        self.servers = Servers(os.path.realpath(self.stack))
        self.figures = []
        self.audiences = {}
        self.files = {}

    # Data

    def sql(self, text, **values):
        arguments = [a for name, value in values.items() for a in ("-v", f"{name}={value}")]
        return subprocess.run(["psql", "-XqAtF", " ", "-v", "ON_ERROR_STOP=1", *arguments], input=text, text=True,
                              check=True, stdout=subprocess.PIPE).stdout.strip()

    def audience(self, people, *resources):
        """Account, campaign and channels with so many people at the named channels (1 Firebase, 2 APNs, 3 HMS,
        4 AppMetrica, 5 Firebase over 8 connections). Loaded once."""
        wanted = (people, resources)
        if wanted not in self.audiences:
            e = os.environ
            with open(os.path.join(HERE, "load.sql")) as file:
                row = self.sql(file.read(), n=people, wanted="{%s}" % ",".join(map(str, resources)),
                               fcm=e["SALVO_FCM_ENDPOINT"], apns=e["SALVO_APNS_ENDPOINT"], hms=e["SALVO_HMS_ENDPOINT"],
                               hms_token=e["SALVO_HMS_TOKEN_ENDPOINT"], appmetrica=e["SALVO_APPMETRICA_ENDPOINT"])
            account, campaign, *channels = row.split()
            self.audiences[wanted] = (campaign, {r: channels[r - 1] for r in resources})
        return self.audiences[wanted]

    def launch(self, people, *resources, among=None, content="content.json", options=None):
        campaign, channels = self.audience(people, *(among or resources))
        path = os.path.join(self.stack, "options.json")
        with open(path, "w") as file:
            json.dump(options or {}, file)
        launch = run(self.salvo, "launch", "create", "--campaign", campaign, "--content", os.path.join(HERE, content),
                     "--options", path).out.strip()
        chosen = [a for r in resources for a in ("--channel", channels[r])]
        run(self.salvo, "audience", launch, *chosen)
        return launch

    def reset(self):
        subprocess.run([os.path.join(JOBS, "stack.sh"), "reset", self.stack], check=True)
        self.set("strict-json", "off")

    def set(self, name, value):
        subprocess.run([os.path.join(JOBS, "stack.sh"), "set", self.stack, name, str(value)], check=True)

    def send(self, launch, people):
        """One run of salvo, its books checked."""
        before = self.servers.cpu()
        spent = run(self.salvo, "run", launch)
        after = self.servers.cpu()
        spent.servers = {name: after[name] - before[name] for name in after}
        self.check(launch, people)
        return spent

    def check(self, launch, people):
        row = self.sql("select sum(planned), sum(sent), sum(unknown), sum(remaining) from salvo.launch_progress"
                       " where launch_id = :launch;", launch=launch)
        planned, sent, unknown, remaining = map(int, row.split())
        if (planned, sent, unknown, remaining) != (people, people, 0, 0):
            raise Failed(f"launch {launch}: planned {planned}, sent {sent}, unknown {unknown}, remaining {remaining},"
                         f" but {people} were to be sent")
        self.reset()

    # Requests for the bare loop

    def requests(self, resource, kept, **launch):
        """A file of requests as salvo sent them: the loop's bytes are salvo's bytes."""
        key = (resource, kept, tuple(sorted((k, str(v)) for k, v in launch.items())))
        if key in self.files:
            return self.files[key]
        provider = {1: "fcm", 2: "apns", 3: "hms", 4: "appmetrica", 5: "fcm"}[resource]
        self.set("keep-bodies", kept)
        people = launch.pop("people", kept)
        made = self.launch(people, resource, **launch)
        # The one that is there afterwards is this credential's.
        self.sql("delete from salvo.provider_token;")
        run(self.salvo, "run", made)
        bodies = subprocess.run([os.path.join(JOBS, "stack.sh"), "bodies", self.stack, provider, str(kept)],
                                check=True, stdout=subprocess.PIPE).stdout.splitlines()
        endpoint = os.environ[f"SALVO_{provider.upper()}_ENDPOINT"]
        access = self.sql("select token from salvo.provider_token;")
        if provider == "appmetrica":
            with open(os.path.join(self.stack, "credentials", "appmetrica.token")) as file:
                access = f"OAuth {file.read().strip()}"
        path = os.path.join(self.stack, f"requests.{provider}.{len(self.files)}")
        with open(path, "wb") as file:
            for number, body in enumerate(b for b in bodies if b):
                url = {"fcm": "/v1/projects/salvo-demo/messages:send", "apns": f"/3/device/ab{number:062x}",
                       "hms": "/v1/100000001/messages:send", "appmetrica": "/push/v1/send-batch"}[provider]
                lines = [endpoint + url, "content-type: application/json", f"authorization: {access}"]
                if provider == "apns":
                    identity = f"{number:08x}-0000-5000-8000-000000000000"
                    lines += ["apns-topic: com.example.shop", "apns-push-type: alert", "apns-priority: 10",
                              f"apns-expiration: {int(time.time()) + 86400}", f"apns-id: {identity}",
                              f"apns-collapse-id: {identity}"]
                file.write("\n".join(lines).encode() + b"\n\n" + body + b"\n")
        self.reset()
        self.files[key] = path
        return path

    def loop(self, requests, count, connections, streams, *more):
        before = self.servers.cpu()
        spent = run(os.path.join(self.controls, "loop"), requests, str(count), str(connections), str(streams),
                    os.environ["SALVO_CA_FILE"], *more)
        after = self.servers.cpu()
        spent.servers = {name: after[name] - before[name] for name in after}
        if spent.out.split() != [str(count), "0"]:
            raise Failed(f"the loop ended with {spent.out}")
        self.reset()
        return spent

    # Output

    def report(self, name, unit, series, target=None, verdict=None):
        """Prints min, median and max of each series and keeps them."""
        figure = {"figure": name, "unit": unit, "target": target, "series": {}}
        for label, values in series.items():
            figure["series"][label] = {"min": min(values), "median": statistics.median(values), "max": max(values),
                                       "values": values}
        print(f"\n{name}{f'   (target {target})' if target else ''}")
        for label, s in figure["series"].items():
            print(f"  {label:<34} {s['min']:>10.2f} {s['median']:>10.2f} {s['max']:>10.2f}  {unit}")
        if verdict is not None:
            figure["result"] = verdict
            print(f"  {'=':<34} {verdict:>21.2f}")
        sys.stdout.flush()
        self.figures.append(figure)

    def against_loop(self, name, resource, people, connections, streams, target):
        kept = min(people, 2000)
        requests = self.requests(resource, kept)
        salvo, loop, rate, database, standin = [], [], [], [], []
        for _ in range(self.options.rounds):
            launch = self.launch(people, resource)
            spent = self.send(launch, people)
            salvo.append(spent.cpu / people * 1e6)
            rate.append(people / spent.seconds)
            database.append(spent.servers["postgres"] / people * 1e6)
            standin.append(spent.servers["nginx"] / people * 1e6)
            loop.append(self.loop(requests, people, connections, streams).cpu / people * 1e6)
        ratio = statistics.median(a / b for a, b in zip(salvo, loop))
        self.report(name, "µs CPU a message", {
            "salvo run": salvo, "bare loop": loop, "of PostgreSQL, beside salvo": database,
            "of the stand-in, beside salvo": standin}, target, ratio)
        self.report(name + ", rate", "messages/s", {"salvo run": rate})

    # Figures

    def fcm(self):
        self.against_loop("FCM ÷ bare loop", 1, self.options.people, 4, 100, "≤ 1.25")

    def apns(self):
        self.against_loop("APNs ÷ bare loop", 2, self.options.people, 2, 500, "≤ 1.25")

    def delay(self):
        """Answers after 100 ms, 8 connections of 100 streams."""
        people = self.options.people
        at_once, late, rate = [], [], []
        for _ in range(self.options.rounds):
            at_once.append(self.send(self.launch(people, 5), people).cpu / people * 1e6)
            launch = self.launch(people, 5)
            self.set("fcm-delay-ms", 100)
            spent = self.send(launch, people)
            late.append(spent.cpu / people * 1e6)
            rate.append(people / spent.seconds)
        self.report("FCM, answers after 100 ms, rate", "messages/s", {"salvo run": rate}, "≥ 6,000")
        self.report("FCM, answers after 100 ms ÷ at once", "µs CPU a message",
                    {"after 100 ms": late, "at once": at_once}, "≤ 1.3",
                    statistics.median(a / b for a, b in zip(late, at_once)))

    def scripts(self):
        """The vendors' SDKs, as one would use them in a script."""
        venv = os.environ.get("SALVO_BENCH_VENV")
        if not venv:
            print("\nfirebase-admin, aioapns: not measured, their packages can't be had here")
            return
        count, python = self.options.script_people, os.path.join(venv, "bin", "python")
        certificates = dict(os.environ, REQUESTS_CA_BUNDLE=os.environ["SALVO_CA_FILE"],
                            SSL_CERT_FILE=os.environ["SALVO_CA_FILE"])
        credentials = os.environ["SALVO_CREDENTIALS"]
        apns = re.match(r"https://(.*):(\d+)$", os.environ["SALVO_APNS_ENDPOINT"])
        for name, resource, command in (
            ("firebase-admin ÷ salvo", 1, ("firebase_admin_send.py", f"{credentials}/fcm.json",
                                           os.environ["SALVO_FCM_ENDPOINT"], str(count))),
            ("aioapns ÷ salvo", 2, ("aioapns_send.py", f"{credentials}/apns.p8", os.environ["SALVO_CA_FILE"],
                                    apns[1], apns[2], str(count))),
        ):
            script, salvo, rate = [], [], []
            for _ in range(self.options.rounds):
                spent = run(python, os.path.join(HERE, command[0]), *command[1:], env=certificates)
                if spent.out.strip() != str(count):
                    raise Failed(f"{command[0]} sent {spent.out.strip()} of {count}")
                script.append(spent.cpu / count * 1e6)
                rate.append(count / spent.seconds)
                self.reset()
                people = self.options.people
                salvo.append(self.send(self.launch(people, resource), people).cpu / people * 1e6)
            self.report(name, "µs CPU a message", {"script": script, "salvo run": salvo},
                        "≥ 25" if resource == 1 else None, statistics.median(a / b for a, b in zip(script, salvo)))
            self.report(name + ": the script's rate", "messages/s", {"script": rate})

    def bulk(self, name, resource, options, batch, window, kept, cpu_target, *more):
        people = self.options.bulk
        content = "same.json" if resource == 3 else "content.json"
        requests = self.requests(resource, kept, people=people, content=content, options=options)
        count = (people + batch - 1) // batch
        salvo, rate, windows, standin, database = [], [], [], [], []
        for _ in range(self.options.rounds):
            launch = self.launch(people, resource, content=content, options=options)
            spent = self.send(launch, people)
            salvo.append(spent.cpu / people * 1e6)
            rate.append(people / spent.seconds)
            database.append(spent.servers["postgres"] / people * 1e6)
            control = self.launch(people, resource, content=content, options=options)
            _, channels = self.audience(people, resource)
            spent = run(os.path.join(self.controls, "windows"), control, channels[resource], "5000", str(window))
            windows.append(people / spent.seconds)
            spent = self.loop(requests, count, *more)
            standin.append(people / spent.seconds)
        self.report(name, "µs CPU a message", {"salvo run": salvo, "of PostgreSQL, beside salvo": database},
                    f"≤ {cpu_target}", statistics.median(salvo))
        slower = [min(a, b) for a, b in zip(windows, standin)]
        self.report(name + ", rate ÷ the slower control", "messages/s",
                    {"salvo run": rate, "window protocol alone": windows, "stand-in alone": standin}, "≥ 0.8",
                    statistics.median(a / b for a, b in zip(rate, slower)))

    def appmetrica(self):
        self.bulk("AppMetrica, per-message tracking", 4, {}, 5000, 5000, self.options.bulk // 5000, 6, 1, 1, "http1")

    def hms(self):
        self.bulk("HMS, group tracking", 3, {"tracking": "group"}, 1000, 5000, self.options.bulk // 1000, 4, 2, 50)

    def memory(self):
        """Peak resident memory over four lanes, by recipients."""
        series = {}
        for people in self.options.memory:
            resources = (1, 2, 3, 4)
            launch = self.launch(people // 4, *resources)
            series[f"{people:,} recipients"] = [self.send(launch, people // 4 * 4).peak / 1024]
        smallest, *larger = [values[0] for values in series.values()]
        self.report("resident memory, four lanes", "MB", series, "≤ 80, within 15 %",
                    max(larger, default=smallest) / smallest)

    def slow(self):
        """One lane answers after 2 s: how much longer the others take, from their first window to their last."""
        people = self.options.people // 10
        resources = (1, 2, 3, 4)
        span = ("select channel_id, extract(epoch from max(coalesce(closed_at, accepted_at)) - min(opened_at))"
                " from salvo.send_window where launch_id = :launch group by 1 order by 1;")
        ratios = {"APNs": [], "HMS": [], "AppMetrica": []}
        for _ in range(self.options.rounds):
            took = {}
            for delay in (0, 2000):
                launch = self.launch(people, *resources)
                self.set("fcm-delay-ms", delay)
                self.send(launch, people * 4)
                rows = [line.split() for line in self.sql(span, launch=launch).splitlines()]
                took[delay] = [float(seconds) for _, seconds in rows][1:]
            for name, with_it, without in zip(ratios, took[2000], took[0]):
                ratios[name].append(with_it / without)
        self.report("FCM answers after 2 s: the other lanes' time", "× without it", ratios, "≤ 1.1",
                    max(statistics.median(values) for values in ratios.values()))

    def due(self):
        """`salvo run --due` with nothing due."""
        times = [run(self.salvo, "run", "--due").seconds * 1000 for _ in range(self.options.rounds * 4)]
        self.report("run --due, nothing due", "ms", {"wall clock": times}, "≤ 30", statistics.median(times))

    def plan(self):
        """From the start of `salvo run` to the first window of a launch."""
        times = []
        for _ in range(self.options.rounds):
            launch = self.launch(self.options.bulk, 4)
            start = time.time()
            self.send(launch, self.options.bulk)
            opened = float(self.sql("select extract(epoch from min(opened_at)) from salvo.send_window"
                                    " where launch_id = :launch;", launch=launch))
            times.append(opened - start)
        self.report(f"plan of {self.options.bulk:,} recipients", "s", {"to the first window": times}, "≤ 5",
                    statistics.median(times))

    def runners(self):
        """Two runners share a launch: what a message costs both together, against one alone."""
        people = self.options.people
        alone, shared = [], []
        for _ in range(self.options.rounds):
            alone.append(self.send(self.launch(people, 1), people).cpu / people * 1e6)
            launch = self.launch(people, 1)
            both = run_together(*[(self.salvo, "run", launch)] * 2)
            self.check(launch, people)
            shared.append(sum(s.cpu for s in both) / people * 1e6)
        self.report("two runners ÷ one", "µs CPU a message", {"two": shared, "one": alone}, "≤ 1.05",
                    statistics.median(a / b for a, b in zip(shared, alone)))


FIGURES = ["fcm", "apns", "delay", "scripts", "appmetrica", "hms", "memory", "slow", "due", "plan", "runners"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--salvo", required=True)
    parser.add_argument("--controls", required=True)
    parser.add_argument("--json")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", action="append", choices=FIGURES)
    options = parser.parse_args()
    options.rounds = 1 if options.quick else 5
    options.people = 2_000 if options.quick else 200_000
    options.script_people = 200 if options.quick else 5_000
    options.bulk = 20_000 if options.quick else 1_000_000
    options.memory = [2_000, 8_000] if options.quick else [20_000, 200_000, 2_000_000]
    if options.long:
        options.memory.append(10_000_000)

    bench = Bench(options)
    bench.reset()
    version = run(options.salvo, "--version", check=False).out.strip()
    libraries = subprocess.run(["dpkg-query", "-W", "-f=${Package} ${Version}\n", "libcurl4", "libpq5", "libssl3",
                                "libnghttp2-14", "nginx-light", "postgresql-15"], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True).stdout.splitlines()
    about = {"salvo": version, "libraries": libraries, "cores": os.cpu_count(), "kernel": platform.release(),
             "rounds": options.rounds, "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
    print(f"{version}; {', '.join(libraries)}; {about['cores']} cores, load {os.getloadavg()[0]:.1f}")
    print("min, median and max of each series; the line with = is the figure")
    for name in options.only or FIGURES:
        getattr(bench, name)()
    if options.json:
        with open(options.json, "w") as file:
            json.dump({**about, "figures": bench.figures}, file, indent=2, ensure_ascii=False)
            file.write("\n")


if __name__ == "__main__":
    try:
        main()
    except Failed as failure:
        sys.exit(f"bench: {failure}")
