import { exec } from "./exec";
import { requireMachine } from "./machine";
import { type TarEntry, tar } from "./tar";

/** What the first controller is given to start a cluster. */
export interface Assets {
    readonly entries: readonly {
        readonly path: string;
        readonly mode?: number;
        /** Base64. */
        readonly contents?: string;
        readonly link?: string;
    }[];
    /** Names of the units to enable and start, the bootstrap's own among them. */
    readonly units: readonly string[];
}

/**
 * Unpacks an archive of that many bytes from standard input and starts the bootstrap. Does nothing while it runs or once
 * it pivoted; a half-done run is done again. The kubelet must not see half a static pod, so that those come last, by a
 * rename; and it has read how to join by then, so that it begins anew.
 */
const start = `set -eu
umask 077
case $(systemctl show --property ActiveState --value bootstrap.service) in active|activating) exit 0 ;; esac
[ ! -e /var/lib/tradewind/bootstrap/pivoted ] || exit 0
new=/opt/tradewind/incoming
pods=etc/kubernetes/manifests
rm -rf "$new" /var/lib/kubelet/kubeconfig
mkdir -p "$new"
cat >"$new/assets.tar"
[ "$(wc -c <"$new/assets.tar")" -eq "$1" ]
shift
tar -x -C / -f "$new/assets.tar" --exclude="$pods/*"
tar -x -C "$new" -f "$new/assets.tar" --wildcards "$pods/*"
sync
mv "$new/$pods"/* "/$pods"
rm -rf "$new"
sync
systemctl daemon-reload
systemctl enable --quiet "$@"
systemctl restart --no-block kubelet.service
systemctl start --no-block "$@"
`;

/** Gives a machine what starts a cluster, and starts it there. */
export async function startBootstrap(cluster: string, name: string, { entries, units }: Assets): Promise<void> {
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
