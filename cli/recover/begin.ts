import { heldFile, releasedFile } from "../../agents/boot/bootstrap/plan";
import { paths } from "../../cluster/paths";
import type { Bundle } from "../../ignition";
import { tar } from "../../machines";
import type { Controller } from "../reach/controller";

/**
 * Unpacks an archive of this size from standard input and starts the recovery. The pivot's stamp is removed once everything
 * is in place: after a power cut before that, the machine removes the files; after that, it resumes by itself. The kubelet
 * must not see partial static pods, so they are added last, with a rename.
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

/** Copies everything needed for recovery to a controller, and starts it. */
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

/** Releases a held recovery. */
export async function releaseRecovery(controller: Controller): Promise<void> {
    await controller.run(`set -eu\n: >"${paths.bootstrapState}/${releasedFile}"\nsync`);
}

/** Copies a file to a controller, atomically, readable by root only. */
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
