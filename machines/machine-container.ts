import { readFileSync } from "node:fs";
import { hostAddress, macAddress } from "./addresses";
import type { MachineOs, OsLike } from "./image";
import { containerName, labels, MACHINE, networkName } from "./names";
import type { ClusterNetwork } from "./network";

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

export interface MachineOptions {
    readonly cluster: string;

    /** A DNS label, unique in the cluster. */
    readonly name: string;

    /** A free address of the cluster's subnet; `.1` to `.3` are the host's, the mirror's and the load balancer's. */
    readonly address: string;

    /** Its IPv6 address in a subnet of 64 bits. @default - none: the machine does without IPv6 */
    readonly address6?: string;

    /** The Ignition configuration, or cloud-init's user data. @default - what its cloud tells it when it asks */
    readonly config?: string;

    /** The simulated cloud that it finds itself in. @default - none */
    readonly cloud?: CloudPlace;

    /** @default 'ignition' */
    readonly os?: MachineOs;

    /** The operating system that it imitates. @default - none: a minimal Debian */
    readonly osLike?: OsLike;

    /** Whether its OS image has containerd and runc. @default true */
    readonly hasRuntime?: boolean;

    /** Most memory that it may use, as Docker writes it: `4g`. @default - no limit */
    readonly memory?: string;

    /** What the network lets in and out, for nft: there from the first boot on. @default - everything */
    readonly packetFilter?: string;
}

/** A machine's place in a simulated cloud. */
export interface CloudPlace {
    readonly platform: "aws" | "digitalocean";

    /** How many hops an answer of its metadata service lives. */
    readonly hops: number;

    /** Certificate in PEM form of who signs for the cloud's services. */
    readonly authority: string;
}
