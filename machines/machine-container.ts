import { readFileSync } from "node:fs";
import { containerName, hostAddress, labels, MACHINE, macAddress, networkName } from "./names";
import type { ClusterNetwork } from "./network";
import type { MachineOs, OsLike } from "./os-like";
import { guestPath } from "./virtual-machine";

/** Data that must not be on the container's own overlay: kept on volumes, which are removed with the machine. */
const VOLUMES = ["/var/lib/containerd", "/var/lib/kubelet", "/var/lib/etcd"];

/** The `docker create` command of a machine: a container with the privileges of a machine. */
export function createArgs(machine: Omit<MachineOptions, "config">, network: ClusterNetwork, image: string): string[] {
    const { cluster, name, address, address6, os = "ignition", osLike, memory, cloud } = machine;
    const { subnet, subnet6, domain } = network;
    const bootWords = {
        os,
        gateway: hostAddress(subnet, 1),
        dns: hostAddress(subnet, 2),
        search: `${cluster}.${domain}`,
        // As in a VPC, the addresses of other subnets are also reached directly.
        ...(address6 && { address6: cloud ? `${address6}/56` : address6 }),
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
        ...(osLike === "virtual-machine" ? ["--env", `PATH=${guestPath}`] : []),
        // A terminal creates /dev/console, which makes the container's log a console log.
        ...["--tty", "--log-driver", "json-file", "--log-opt", "max-size=20m", "--stop-signal", "SIGRTMIN+3"],
        ...[image, "/sbin/machine-init", ...Object.entries(bootWords).map((word) => word.join("="))],
    ];
}

/** Not `--privileged`: it fails if a capability is missing, and would share the host's devices. */
export function privileges(hasSysResource = canRaiseLimits()): string[] {
    return [
        ...["--cap-add", "ALL", ...(hasSysResource ? [] : ["--cap-drop", "SYS_RESOURCE"])],
        ...["seccomp", "apparmor", "systempaths"].flatMap((option) => ["--security-opt", `${option}=unconfined`]),
        ...["--device-cgroup-rule", "a *:* rwm", "--cgroupns", "private"],
    ];
}

/** False on a host that lacks CAP_SYS_RESOURCE altogether, such as a sandbox; the engine cannot grant it then. */
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

    /** A free address of the cluster's subnet; `.1` to `.3` belong to the host, the mirror and the load balancer. */
    readonly address: string;

    /** Its IPv6 address in a /64 subnet. @default - none: the machine has no IPv6 */
    readonly address6?: string;

    /** The Ignition configuration, or cloud-init's user data. @default - what its cloud's metadata service returns */
    readonly config?: string;

    /** The simulated cloud it runs in. @default - none */
    readonly cloud?: CloudPlace;

    /** @default 'ignition' */
    readonly os?: MachineOs;

    /** The operating system that it imitates. @default - none: a minimal Debian */
    readonly osLike?: OsLike;

    /** Whether its OS image includes containerd and runc. @default true */
    readonly hasRuntime?: boolean;

    /** Memory limit in Docker's notation: `4g`. @default - no limit */
    readonly memory?: string;

    /** nftables rules for its traffic, in force from the first boot on. @default - everything is allowed */
    readonly packetFilter?: string;
}

/** A machine's place in a simulated cloud. */
export interface CloudPlace {
    /** As Ignition names it. */
    readonly platform: string;

    /** Hop limit of the metadata service's responses. */
    readonly hops: number;

    /** Certificate of the CA that signs for the cloud's services, in PEM form. */
    readonly authority: string;
}
