import { type Config, config, file } from "../../ignition";
import { paths } from "./paths";

export const awaitApiserverScript = `${paths.bin}/await-apiserver`;

const script = `#!/bin/sh
# await-apiserver VERSION: wait while the apiserver is of an older minor version than a kubelet that is to join it.
# Kubernetes does not support that; it is so when machines are made before the control plane was upgraded.
# An apiserver that does not say keeps nobody: the kubelet then finds out by itself whether it may join.
set -eu
field() { sed -n "s/.*\\"$1\\": *\\"\\([^\\"]*\\)\\".*/\\1/p" ${paths.bootstrapKubeconfig}; }
mine=$(echo "$1" | sed 's/^\\([0-9]*\\)\\.\\([0-9]*\\)\\..*/\\1 \\2/')
while :; do
    # By standard input, so that no other process sees the token.
    answer=$(echo "header = \\"Authorization: Bearer $(field token)\\"" |
        curl -fsS --config - --cacert ${paths.ca} --max-time 3 "$(field server)/version" || true)
    theirs=$(echo "$answer" | sed -n 's/.*"gitVersion": *"v\\([0-9]*\\)\\.\\([0-9]*\\)\\..*/\\1 \\2/p')
    [ -n "$theirs" ] || exit 0
    # shellcheck disable=SC2086 # two numbers each
    set -- $mine $theirs
    if [ "$1" -lt "$3" ] || { [ "$1" -eq "$3" ] && [ "$2" -le "$4" ]; }; then exit 0; fi
    echo "await-apiserver: a kubelet of $1.$2 waits for the apiserver, which is of $3.$4"
    sleep 5
done
`;

/** Keeps a kubelet that has not joined yet from being newer than its apiserver. */
export function awaitApiserver(): Config {
    return config({ files: [file(awaitApiserverScript, script, { mode: 0o755 })] });
}
