import { heldFile, releasedFile } from "../../agents/boot/bootstrap/plan";
import { paths } from "../../cluster/paths";
import type { Bundle } from "../../ignition";
import { tar } from "../../machines";
import type { Controller } from "../reach/controller";

/**
 * Unpacks an archive of that many bytes from standard input and starts the recovery. The stamp of the pivot goes when all
 * of it is there: a machine that loses power before removes what it was given, one that does so later goes on by itself.
 * The kubelet must not see half a static pod, so that those come last, by a rename.
 */
const script = `set -eu
umask 077
bootstrap=${paths.bootstrap}
state=${paths.bootstrapState}
new=/opt/tradewind/incoming
pods=etc/kubernetes/manifests
rm -rf "$new"
mkdir -p "$new" "$state"
cat >"$new/assets.tar"
[ "$(wc -c <"$new/assets.tar")" -eq "$1" ]
is_new=$2
shift 2
systemctl stop bootstrap.service 2>/dev/null || true
ctr --namespace tradewind tasks kill --signal SIGKILL tradewind-bootstrap 2>/dev/null || true
rm -rf "$bootstrap/secrets" "$bootstrap/manifests" "$bootstrap/static"
tar -x -C / -f "$new/assets.tar" --exclude="$pods/*"
rm -f "$state/journal.json" "$state/stages.jsonl" "$state/${heldFile}" "$state/${releasedFile}"
sync
systemctl daemon-reload
systemctl enable --quiet "$@"
sync
rm -f "$state/pivoted"
sync
if tar -t -f "$new/assets.tar" | grep -q "^$pods/."; then
    tar -x -C "$new" -f "$new/assets.tar" --wildcards "$pods/*"
    mv "$new/$pods"/* "/$pods"
fi
rm -rf "$new"
if [ "$is_new" = yes ]; then systemctl restart --no-block kubelet.service; fi
systemctl start --no-block "$@"
`;

/** Gives a controller what it recovers the control plane with, and starts that. */
export async function beginRecovery(controller: Controller, { entries, units }: Bundle, isNew: boolean): Promise<void> {
    const archive = tar(
        entries.map(({ path, contents, ...rest }) => ({
            ...rest,
            path: path.slice(1),
            ...(contents !== undefined && { contents: Buffer.from(contents, "base64") }),
        })),
    );
    await controller.run(script, [String(archive.length), isNew ? "yes" : "no", ...units], archive);
}

/** Lets a recovery that is held go on. */
export async function releaseRecovery(controller: Controller): Promise<void> {
    await controller.run(`set -eu\n: >"${paths.bootstrapState}/${releasedFile}"\nsync`);
}

/** Puts a file onto a controller, for root alone, whole or not at all. */
export async function bringFile(controller: Controller, path: string, contents: Buffer): Promise<void> {
    const put = `set -eu
umask 077
mkdir -p "$(dirname "$1")"
cat >"$1.half"
[ "$(wc -c <"$1.half")" -eq "$2" ]
mv "$1.half" "$1"
sync`;
    await controller.run(put, [path, String(contents.length)], contents);
}
