import { setTimeout as sleep } from "node:timers/promises";
import { containerState } from "./container";
import { DockerError, docker, dockerIfExists } from "./docker";
import { ensureImage } from "./image";
import { privileges } from "./machine-container";
import { containerName, filters, labels } from "./names";
import { oneAtATime } from "./one-at-a-time";

/** A disk of its own: a sparse file, which outlives the machine that it is attached to. */
export interface Disk {
    readonly cluster: string;
    /** Letters, digits and hyphens, unique in the cluster. */
    readonly name: string;
}

export interface AttachedDisk extends Disk {
    /** Name of the machine. */
    readonly machine: string;
    /** What the machine knows it by, below `/dev/disk/by-id`. */
    readonly link: string;
    /** Size of one that is not there yet. Unit: GiB. */
    readonly size: number;
}

/** Seconds that a machine has to shut down before its disk is taken away. */
const SHUTDOWN_TIMEOUT = 15;

/** Makes a disk appear in a machine that runs, as a block device of this computer's kernel. A new disk is blank. */
export async function attachDisk({ machine, link, size, ...disk }: AttachedDisk): Promise<void> {
    const device = (await onDisk(disk, attachScript, String(size))).trim();
    const number = device.replace("/dev/loop", "");
    // A container's devices are gone when it stops: its init system makes them again.
    const lines = [`b+ ${device} 0660 root disk - 7:${number}`, `L+ /dev/disk/by-id/${link} - - - - ${device}`];
    const script = `cat >'${recordOf(disk)}' && systemd-tmpfiles --create '${recordOf(disk)}'`;
    const container = containerName(disk.cluster, machine);
    await docker(["exec", "--interactive", container, "sh", "-euc", script], { input: `${lines.join("\n")}\n` });
}

/** Shuts the machine down, if it is there, and takes the disk away from it. */
export async function detachDisk({ machine, ...disk }: Disk & { readonly machine: string }): Promise<void> {
    const container = containerName(disk.cluster, machine);
    if ((await containerState(container))?.state === "running") {
        await docker(["exec", container, "rm", "-f", recordOf(disk)]);
        await dockerIfExists(["stop", "--time", String(SHUTDOWN_TIMEOUT), container]);
    }
    await onDisk(disk, detachScript);
}

/**
 * Takes the disk away from a machine that runs on, if it is there.
 *
 * @param isForced - though it is mounted in it: until it is no longer, its device stays. @default that is an error
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

/** Makes a disk larger, and the device too, if it is attached. */
export async function growDisk({ size, ...disk }: Disk & { readonly size: number }): Promise<void> {
    await onDisk(disk, growScript, String(size));
}

/** Removes a disk with its data, if it is there. */
export async function destroyDisk(disk: Disk): Promise<void> {
    // Two that go at once are both the last one, each while the other's container still has the volume.
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

/** The engine says that a container of `docker run --rm` has ended before it has removed it. */
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

/** Runs a script where the cluster's disks are: `file` is this one's, `device` where it is attached. */
async function onDisk({ cluster, name }: Disk, script: string, ...args: string[]): Promise<string> {
    await docker(["volume", "create", ...labels(cluster), volumeOf(cluster)]);
    const where = ["--network", "none", "--volume", `${volumeOf(cluster)}:/disks/${cluster}`];
    const command = ["sh", "-euc", `${common}${script}`, "disk", `/disks/${cluster}/${name}`, ...args];
    return docker(["run", "--rm", ...privileges(), ...where, await ensureImage(), ...command]);
}

// Shell of `machines/disks.ts`. What is run where a cluster's disks are has the disk's path first: `file`.

/** Before each of those. */
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

/** Every process' mounts are looked at, pods' too. */
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

const destroyScript = `[ ! -e "$file" ] || { ${release} rm "$file"; }
[ -n "$(ls "\${file%/*}")" ] || echo 'was the last one'
`;

const destroyAllScript = `for each in $file; do
    set -- "$each"
    [ ! -e "$1" ] || { ${release} }
done
`;
