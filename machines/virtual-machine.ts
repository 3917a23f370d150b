import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Layer } from "./layer";
import type { TarEntry } from "./tar";

const LIB = "usr/lib/tradewind";

/** Programs that commands from outside start in a machine by name. */
const FORWARDED = ["cat", "ctr", "ip", "journalctl", "rm", "sh", "systemctl"] as const;

const GUEST_BIN = `${LIB}/guest-bin`;

/** Where `docker exec` looks for programs: the forwarders first. */
export const guestPath = `/${GUEST_BIN}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`;

function script(path: string, source = path.replace(/.*\//, "")): TarEntry {
    return { path, mode: 0o755, contents: readFileSync(join(__dirname, "image", source)) };
}

/**
 * A real virtual machine in the container, as DigitalOcean runs a droplet: Debian's cloud kernel, udev, version 2 of control
 * groups, a metadata service, two network cards and a SCSI disk. QEMU emulates the processor, about ten times slower than
 * the machine itself: it needs no nested virtualization. A controller's clock is slower too.
 */
export const virtualMachine: Layer = {
    packages: [
        "initramfs-tools",
        "linux-image-cloud-amd64",
        "openssh-client",
        "openssh-server",
        "qemu-system-x86",
        "systemd-resolved",
        "udev",
    ],
    files: [
        script(`${LIB}/build-guest`),
        script(`${LIB}/guest-metadata`),
        script(`${LIB}/guest-network`),
        script(`${LIB}/virtual-machine`),
        ...FORWARDED.map((program) => script(`${GUEST_BIN}/${program}`, "in-guest")),
    ],
    units: ["ssh.service", "systemd-networkd.service", "systemd-resolved.service"],
    commands: [
        `/${LIB}/build-guest`,
        // Called by its path.
        `cp /${GUEST_BIN}/sh /${LIB}/follow-bootstrap`,
    ],
};
