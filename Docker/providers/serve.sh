#!/usr/bin/env bash
# The stand-ins in the foreground of a container: serve.sh DIR. Their ports are fixed, their host is `stand-ins`.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$1
"$here/prepare.py" "$folder" --name stand-ins --listen 0.0.0.0 --first-port 8441
cd "$folder/providers"
STANDINS_FOLDER=$PWD exec /usr/sbin/nginx -e stderr -p "$PWD" -c nginx.conf -g 'daemon off;'
