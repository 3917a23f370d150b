import { readFileSync } from "node:fs";
import { macAddress } from "./mac-address";
import type { MachineOptions } from "./machine";
import { containerName, labels, MACHINE, networkName } from "./names";
import { type ClusterNetwork, hostAddress } from "./network";

/** Data that must not lie on the container's own overlay: on volumes, removed with the machine. */
const VOLUMES = ["/var/lib/containerd", "/var/lib/kubelet", "/var/lib/etcd"];

/** The `docker create` command of a machine: a container that may do what a machine may. */
export function createArgs(machine: Omit<MachineOptions, "config">, network: ClusterNetwork, image: string): string[] {
    const { cluster, name, address, address6, os = "ignition", osLike, memory, cloud } = machine;
    const { subnet, subnet6, domain } = network;
    const bootWords = {
        os,
        gateway: hostAddress(subnet, 1),
        dns: hostAddress(subnet, 2),
        search: `${cluster}.${domain}`,
        ...(address6 && { address6 }),
        ...(osLike && { like: osLike }),
        ...(cloud && { cloud: cloud.platform, hops: cloud.hops }),
    };
    return [
        ...["create", "--name", containerName(cluster, name), "--hostname", name],
        ...[...labels(cluster, "machine"), "--label", `${MACHINE}=${name}`],
        ...["--network", networkName(cluster), "--ip", address],
        ...(cloud ? ["--mac-address", macAddress(address)] : []),
        ...(address6 && subnet6 ? ["--ip6", address6] : []),
        ...privileges(),
        ...VOLUMES.flatMap((path) => ["--volume", path]),
        ...["--tmpfs", "/run:exec", "--tmpfs", "/tmp:exec"],
        ...(memory ? ["--memory", memory] : []),
        // A terminal is what makes /dev/console, and so the log a console.
        ...["--tty", "--log-driver", "json-file", "--log-opt", "max-size=20m", "--stop-signal", "SIGRTMIN+3"],
        ...[image, "/sbin/machine-init", ...Object.entries(bootWords).map((word) => word.join("="))],
    ];
}

/** Not `--privileged`: it fails where a capability is missing, and would share this computer's devices. */
export function privileges(hasSysResource = canRaiseLimits()): string[] {
    return [
        ...["--cap-add", "ALL", ...(hasSysResource ? [] : ["--cap-drop", "SYS_RESOURCE"])],
        ...["seccomp", "apparmor", "systempaths"].flatMap((option) => ["--security-opt", `${option}=unconfined`]),
        ...["--device-cgroup-rule", "a *:* rwm", "--cgroupns", "private"],
    ];
}

/** False on a computer that lacks CAP_SYS_RESOURCE altogether, as a sandbox may; the engine cannot grant it then. */
function canRaiseLimits(): boolean {
    if (process.platform !== "linux") {
        return true;
    }
    const bounding = /^CapBnd:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "ffffffff";
    return ((BigInt(`0x${bounding}`) >> 24n) & 1n) === 1n;
}
