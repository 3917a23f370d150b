import { setTimeout as sleep } from "node:timers/promises";
import { containerState, oneAtATime } from "./container";
import { DockerError, docker, dockerIfExists } from "./docker";
import { ensureImage } from "./image";
import { privileges } from "./machine-container";
import { containerName, filters, labels } from "./names";

/** A separate disk: a sparse file that outlives the machine it is attached to. */
export interface Disk {
    readonly cluster: string;
    /** Letters, digits and hyphens, unique in the cluster. */
    readonly name: string;
}

export interface AttachedDisk extends Disk {
    /** Name of the machine. */
    readonly machine: string;
    /** Its name in the machine, below `/dev/disk/by-id`. */
    readonly link: string;
    /** Size of a disk that does not exist yet. Unit: GiB. */
    readonly size: number;
}

/** Seconds that a machine has to shut down before its disk is detached. */
const SHUTDOWN_TIMEOUT = 15;

/** Attaches a disk to a running machine, as a block device of the host's kernel. A new disk is blank. */
export async function attachDisk({ machine, link, size, ...disk }: AttachedDisk): Promise<void> {
    const device = (await onDisk(disk, attachScript, String(size))).trim();
    const number = device.replace("/dev/loop", "");
    // A container's devices are lost when it stops; its init system recreates them.
    const lines = [`b+ ${device} 0660 root disk - 7:${number}`, `L+ /dev/disk/by-id/${link} - - - - ${device}`];
    const script = `cat >'${recordOf(disk)}' && systemd-tmpfiles --create '${recordOf(disk)}'`;
    const container = containerName(disk.cluster, machine);
    await docker(["exec", "--interactive", container, "sh", "-euc", script], { input: `${lines.join("\n")}\n` });
}

/** Shuts the machine down, if it exists, and detaches the disk from it. */
export async function detachDisk({ machine, ...disk }: Disk & { readonly machine: string }): Promise<void> {
    const container = containerName(disk.cluster, machine);
    if ((await containerState(container))?.state === "running") {
        await docker(["exec", container, "rm", "-f", recordOf(disk)]);
        await dockerIfExists(["stop", "--time", String(SHUTDOWN_TIMEOUT), container]);
    }
    await onDisk(disk, detachScript);
}

/**
 * Detaches the disk from a machine that keeps running, if it exists.
 *
 * @param isForced - even if it is mounted there; its device stays until it is unmounted. @default a mounted disk is an
 * error
 */
export async function unplugDisk({
    machine,
    isForced = false,
    ...disk
}: Disk & { readonly machine: string; readonly isForced?: boolean }): Promise<void> {
    const container = containerName(disk.cluster, machine);
    if ((await containerState(container))?.state === "running") {
        const args = [recordOf(disk), isForced ? "forced" : ""];
        await docker(["exec", container, "sh", "-euc", unplugScript, "unplug", ...args]);
    }
    await onDisk(disk, detachScript);
}

/** Grows a disk, and its device if it is attached. */
export async function growDisk({ size, ...disk }: Disk & { readonly size: number }): Promise<void> {
    await onDisk(disk, growScript, String(size));
}

/** Copies a disk, attached or not, to another one of its cluster. Its data is as after a power cut. */
export async function copyDisk({ to, ...disk }: Disk & { readonly to: string }): Promise<void> {
    await onDisk(disk, copyScript, to);
}

/** Removes a disk with its data, if it exists. */
export async function destroyDisk(disk: Disk): Promise<void> {
    // Two removed at once may both be the last one, each while the other's container still holds the volume.
    await oneAtATime(volumeOf(disk.cluster), async () => {
        if ((await onDisk(disk, destroyScript)).trim() === "was the last one") await removeVolume(disk.cluster);
    });
}

/** Removes every disk of a cluster. */
export async function destroyDisks(cluster: string): Promise<void> {
    const volume = volumeOf(cluster);
    const all = await docker(["volume", "ls", "--quiet", ...filters(cluster)]);
    if (all.split("\n").includes(volume)) {
        await onDisk({ cluster, name: "*" }, destroyAllScript);
        await removeVolume(cluster);
    }
}

/** The engine reports that a `docker run --rm` container has ended before it has removed it. */
async function removeVolume(cluster: string, attempts = 20): Promise<void> {
    try {
        await dockerIfExists(["volume", "rm", volumeOf(cluster)]);
    } catch (error) {
        if (attempts === 1 || !(error instanceof DockerError) || !/in use/.test(error.stderr)) throw error;
        await sleep(250);
        await removeVolume(cluster, attempts - 1);
    }
}

const volumeOf = (cluster: string) => `tradewind-${cluster}-disks`;
const recordOf = ({ name }: Disk) => `/etc/tmpfiles.d/disk-${name}.conf`;

/** Runs a script where the cluster's disks are: `file` is this disk's file, `device` the device it is attached to. */
async function onDisk({ cluster, name }: Disk, script: string, ...args: string[]): Promise<string> {
    await docker(["volume", "create", ...labels(cluster), volumeOf(cluster)]);
    const where = ["--network", "none", "--volume", `${volumeOf(cluster)}:/disks/${cluster}`];
    const command = ["sh", "-euc", `${common}${script}`, "disk", `/disks/${cluster}/${name}`, ...args];
    return docker(["run", "--rm", ...privileges(), ...where, await ensureImage(), ...command]);
}

// Shell of `machines/disks.ts`. Scripts that run where a cluster's disks are start with the disk's path: `file`.

/** Goes before each of those. */
const common = `file=$1
device_of() { losetup --associated "$1" --noheadings --output NAME; }
know() { [ -e "$1" ] || mknod "$1" b 7 "\${1#/dev/loop}"; }
[ -e /dev/loop-control ] || mknod /dev/loop-control c 10 237
# Who has what is asked of the devices themselves.
for block in /sys/block/loop*; do know "/dev/\${block##*/}"; done
`;

const attachScript = `[ -e "$file" ] || truncate --size "$2G" "$file"
device=$(device_of "$file")
for _ in 1 2 3 4 5 6 7 8 9 10; do
    [ -z "$device" ] || break
    # Somebody else may take the same one.
    free=$(losetup --find)
    know "$free"
    losetup "$free" "$file" && device=$free
done
echo "$device"
`;

const release = `device=$(device_of "$1")
[ -z "$device" ] || losetup --detach "$device"
`;
const detachScript = release;

/** Checks the mounts of every process, those of pods included. */
const unplugScript = `[ -e "$1" ] || exit 0
number=$(sed -n 's/^b+ .* //p' "$1")
if [ -z "$2" ] && grep -qs " $number /" /proc/[0-9]*/mountinfo; then echo "it is mounted" >&2; exit 16; fi
cut -d' ' -f2 "$1" | xargs rm -f
rm "$1"
`;

const growScript = `truncate --size "$2G" "$file"
device=$(device_of "$file")
[ -z "$device" ] || losetup --set-capacity "$device"
`;

const copyScript = `sync -f "$file"
cp --sparse=always "$file" "\${file%/*}/$2"
`;

const destroyScript = `[ ! -e "$file" ] || { ${release} rm "$file"; }
[ -n "$(ls "\${file%/*}")" ] || echo 'was the last one'
`;

const destroyAllScript = `for each in $file; do
    set -- "$each"
    [ ! -e "$1" ] || { ${release} }
done
`;
