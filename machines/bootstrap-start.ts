import type { Bundle } from "../ignition";
import { exec } from "./exec";
import { requireMachine } from "./machine";
import { type TarEntry, tar } from "./tar";

/**
 * Unpacks an archive of that many bytes from standard input and starts the bootstrap; once it was unpacked whole, only
 * starts it. What an interrupted run left in flight may still be at work here, so that each has a directory of its own,
 * in memory as it holds keys, and they take turns. The kubelet must not see half a static pod, so that those come last,
 * by a rename; and it has read how to join by then, so that it begins anew.
 */
const start = `set -eu
umask 077
state=/var/lib/tradewind/bootstrap
pods=etc/kubernetes/manifests
new=$(mktemp -d /run/tradewind-bootstrap.XXXXXX)
trap 'rm -rf "$new" /etc/kubernetes/incoming' EXIT
cat >"$new/assets.tar"
[ "$(wc -c <"$new/assets.tar")" -eq "$1" ]
shift
mkdir -p "$state" /etc/kubernetes
exec 9<"$state"
flock 9
[ ! -e "$state/pivoted" ] || exit 0
if [ ! -e "$state/unpacked" ]; then
    rm -rf /var/lib/kubelet/kubeconfig /etc/kubernetes/incoming
    tar -x -C / -f "$new/assets.tar" --exclude="$pods/*"
    mkdir /etc/kubernetes/incoming
    tar -x -C /etc/kubernetes/incoming -f "$new/assets.tar" --strip-components 3 --wildcards "$pods/*"
    sync
    mv /etc/kubernetes/incoming/* "/$pods"
    sync
    systemctl daemon-reload
    systemctl enable --quiet "$@"
    systemctl restart --no-block kubelet.service
    touch "$state/unpacked"
    sync
fi
systemctl start --no-block "$@"
`;

/** Gives a machine what starts a cluster, and starts it there. */
export async function startBootstrap(cluster: string, name: string, { entries, units }: Bundle): Promise<void> {
    await requireMachine(cluster, name);
    const archive = tar(
        entries.map(
            ({ path, contents, ...rest }): TarEntry => ({
                ...rest,
                path: path.slice(1),
                ...(contents !== undefined && { contents: Buffer.from(contents, "base64") }),
            }),
        ),
    );
    await exec(cluster, name, ["sh", "-c", start, "start-bootstrap", String(archive.length), ...units], archive);
}
