import assert from "node:assert/strict";
import { eventually } from "../cluster";
import { startEtcd, stopEtcd } from "./etcd";
import type { Fault, Scene } from "./fault";

const disk = "/run/small-disk";
const data = "/var/lib/etcd";
const filler = `${data}/filler`;

/** Objects that need disk space: etcd may have preallocated a write-ahead log of 64 MB, and have free pages as well. */
const most = 260;
const each = 500_000;
const label = "tradewind.dev/wants-room";

/**
 * Gives a controller's etcd a small separate disk and fills it: a tmpfs, so that nothing outside the machine fills up.
 * The data is copied back and forth while etcd is stopped, so nothing is lost unless the power fails.
 */
async function fill(scene: Scene, machine: string): Promise<void> {
    await stopEtcd(scene, machine);
    await scene.cluster.exec(
        machine,
        `set -eu; mountpoint -q ${data} && findmnt -no FSTYPE ${data} | grep -qx tmpfs && exit 0
        size=$(du -sm ${data} | cut -f1)
        mkdir -p ${disk}; mount -t tmpfs -o size=$((size + 300))m,mode=700 tmpfs ${disk}
        cp -a ${data}/. ${disk}; mount --bind ${disk} ${data}`,
    );
    await startEtcd(scene, machine);
    await eventually("etcd on the small disk", () => isReady(scene, machine), 120);
    // The rest of the space is used up first, then what etcd itself has to write.
    await scene.cluster.exec(machine, `dd if=/dev/zero of=${filler} bs=64k 2>/dev/null; true`);
    const logs = "/var/log/pods/kube-system_etcd-*/etcd/*.log";
    const missesRoom = () =>
        scene.cluster.exec(machine, `grep -qs 'no space left on device' ${logs}`).then(
            () => true,
            () => false,
        );
    const text = "x".repeat(each);
    for (let round = 0; !(await missesRoom()); round++) {
        assert.ok(round < most, `etcd has room for ${round} objects of ${each} bytes`);
        const metadata = { name: `room-${round}`, namespace: "default", labels: { [label]: "" } };
        // The only etcd eventually fails, which is the point.
        await scene.cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { text } }).catch(() => {});
    }
}

/** Frees space, waits for etcd, and returns it to its old disk. */
async function empty(scene: Scene, machine: string): Promise<void> {
    await scene.cluster.exec(machine, `rm -f ${filler}`);
    await eventually("etcd with space again", () => isReady(scene, machine), 400);
    await stopEtcd(scene, machine);
    await scene.cluster.exec(
        machine,
        `set -eu; umount ${data}; [ "$(find ${disk} -name '*.wal')" ]
        find ${data} -mindepth 1 -delete; cp -a ${disk}/. ${data}; sync; umount ${disk}; rmdir ${disk}`,
    );
    await startEtcd(scene, machine);
    await eventually("etcd on its own disk", () => isReady(scene, machine), 120);
    await scene.cluster.kubectl("delete", "configmaps", "--selector", label);
}

async function isReady({ cluster }: Scene, machine: string): Promise<void> {
    await cluster.exec(machine, "curl -sS --fail --max-time 5 http://127.0.0.1:2381/readyz");
}

export const diskFaults: readonly Fault[] = [
    {
        name: "disk-full",
        about: "the disk of a controller's etcd is full",
        target: "controller",
        lasts: 60,
        isAlone: true,
        // The kubelet reports pressure for 5 minutes after it is over.
        within: 480,
        inject: fill,
        heal: empty,
    },
];
