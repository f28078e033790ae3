#!/usr/bin/env python3
"""Holds the manifests of this folder against the fields that Kubernetes knows, as far as they are used here, and
against what salvo needs of a pod. Prints the argument list of each container, a line each; complaints go to stderr.

A server would refuse a misspelt field, kubectl alone doesn't, and Debian has neither the server nor its schema."""
import pathlib
import sys

import yaml

# Field → the fields below it, None for what is free or a plain value. `[...]` is a list of such.
LABELS = None
SECURITY = {"runAsNonRoot": None, "runAsUser": None, "runAsGroup": None, "fsGroup": None, "seccompProfile": {"type": None}}
CONTAINER = {
    "name": None, "image": None, "args": None, "envFrom": [{"secretRef": {"name": None}}],
    "env": [{"name": None, "value": None}],
    "securityContext": {
        "allowPrivilegeEscalation": None, "readOnlyRootFilesystem": None, "capabilities": {"drop": None}},
    "resources": {"requests": {"cpu": None, "memory": None}, "limits": {"cpu": None, "memory": None}},
    "volumeMounts": [{"name": None, "mountPath": None, "readOnly": None}],
}
POD = {
    "metadata": {"labels": LABELS},
    "spec": {
        "restartPolicy": None, "terminationGracePeriodSeconds": None, "automountServiceAccountToken": None,
        "securityContext": SECURITY, "containers": [CONTAINER],
        "volumes": [{
            "name": None, "secret": {"secretName": None, "defaultMode": None}, "emptyDir": {"sizeLimit": None}}],
    },
}
JOB = {
    "completionMode": None, "completions": None, "parallelism": None, "backoffLimit": None,
    "ttlSecondsAfterFinished": None, "template": POD,
    "podFailurePolicy": {"rules": [{
        "action": None, "onExitCodes": {"containerName": None, "operator": None, "values": None},
        "onPodConditions": [{"type": None, "status": None}]}]},
}
METADATA = {"name": None, "generateName": None, "labels": LABELS}
KINDS = {
    ("apps/v1", "Deployment"): {
        "replicas": None, "selector": {"matchLabels": LABELS}, "template": POD},
    ("batch/v1", "Job"): JOB,
    ("batch/v1", "CronJob"): {
        "schedule": None, "concurrencyPolicy": None, "startingDeadlineSeconds": None,
        "successfulJobsHistoryLimit": None, "failedJobsHistoryLimit": None, "jobTemplate": {"spec": JOB}},
}

complaints = []


def complain(place, what):
    complaints.append(f"{place}: {what}")


def fields(value, known, place):
    if known is None:
        return
    if isinstance(known, list):
        if not isinstance(value, list):
            return complain(place, "is no list")
        for index, element in enumerate(value):
            fields(element, known[0], f"{place}[{index}]")
        return
    if not isinstance(value, dict):
        return complain(place, "is no object")
    for name, below in value.items():
        if name not in known:
            complain(place, f"has no field {name}")
        else:
            fields(below, known[name], f"{place}.{name}")


def pod(spec, place):
    """What salvo needs: its grace, no rights, and every volume that it mounts."""
    if spec.get("terminationGracePeriodSeconds", 30) < 60:
        complain(place, "gives salvo less than 60 s after SIGTERM")
    if not spec.get("securityContext", {}).get("runAsNonRoot"):
        complain(place, "may run as root")
    volumes = {volume["name"] for volume in spec.get("volumes", [])}
    for container in spec.get("containers", []):
        mounts = {mount["name"] for mount in container.get("volumeMounts", [])}
        if mounts != volumes:
            complain(place, f"volumes {sorted(volumes)}, mounted {sorted(mounts)}")
        if "PGPASSWORD" in {variable["name"] for variable in container.get("env", [])}:
            complain(place, "names a password")
        print(" ".join(container.get("args", [])))


for file in sorted(pathlib.Path(__file__).parent.glob("*.yaml")):
    for document in yaml.safe_load_all(file.read_text()):
        kind = (document.get("apiVersion"), document.get("kind"))
        if kind not in KINDS:
            complain(file.name, f"{kind} is not known here")
            continue
        fields(document, {"apiVersion": None, "kind": None, "metadata": METADATA, "spec": KINDS[kind]}, file.name)
        spec = document.get("spec", {})
        if kind[1] == "CronJob":
            spec = spec.get("jobTemplate", {}).get("spec", {})
        template = spec.get("template", {})
        pod(template.get("spec", {}), file.name)
        chosen = spec.get("selector", {}).get("matchLabels", {})
        if not chosen.items() <= template.get("metadata", {}).get("labels", {}).items():
            complain(file.name, "its selector doesn't choose its own pods")

for complaint in complaints:
    print(complaint, file=sys.stderr)
sys.exit(1 if complaints else 0)
