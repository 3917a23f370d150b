import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { cacheDir } from "../cache";
import { servicesFiles, servicesMount, servicesNames } from "./cloud-services";
import { containerState, removeContainer } from "./container";
import { docker } from "./docker";
import { ensureImage } from "./image";
import { containerName, hostAddress, INFRA, labels, networkName } from "./names";
import type { ClusterNetwork } from "./network";
import { type TarEntry, tar } from "./tar";

/**
 * The container that serves the cluster's DNS zone, images (:5000) and files (:8080), created or started if needed. A
 * container of an older image is replaced.
 */
export async function ensureInfra(network: ClusterNetwork): Promise<void> {
    const { cluster, subnet, services } = network;
    const name = containerName(cluster, INFRA);
    const image = await ensureImage();
    const existing = await containerState(name);
    if (existing?.state === "running" && existing.image === image) {
        return;
    }
    await removeContainer(name);
    const options = ["--hostname", "mirror", "--network", networkName(cluster), "--ip", hostAddress(subnet, 2)];
    const mounts = Object.entries({ registry: "/var/lib/registry", files: "/srv/files" }).flatMap(
        ([folder, target]) => {
            const source = join(cacheDir(), folder);
            mkdirSync(source, { recursive: true });
            return ["--volume", `${source}:${target}:ro`];
        },
    );
    await docker([
        ...["create", "--name", name, ...labels(cluster, "infra"), ...options, ...mounts],
        ...(services ? servicesMount(services) : []),
        ...["--restart", "unless-stopped", "--tmpfs", "/run", image, "/usr/lib/tradewind/infra"],
    ]);
    const files = tar([
        { path: "etc/tradewind/dnsmasq.conf", contents: dnsmasqConfig(network) },
        ...resolverFiles(network),
        { path: "etc/tradewind/registry.yml", contents: REGISTRY_CONFIG },
        ...(services ? servicesFiles(cluster, services) : []),
    ]);
    await docker(["cp", "-", `${name}:/`], { input: files });
    await docker(["start", name]);
}

/** Adds a machine's DNS record, or removes it if `address` is omitted. */
export async function setDnsRecord({ cluster, domain }: ClusterNetwork, name: string, address?: string): Promise<void> {
    const record = address ? [name, address, `${name}.${cluster}.${domain}`] : [name];
    await docker(["exec", containerName(cluster, INFRA), "/usr/lib/tradewind/dns-record", ...record]);
}

/** Answers for the cluster's own domain and refuses everything else: it has no upstream. */
export function dnsmasqConfig(network: ClusterNetwork): string {
    const { cluster, domain, subnet, lacksApiName = false, remembersMissing, services } = network;
    const zone = `${cluster}.${domain}`;
    return `${[
        ...(remembersMissing ? ["listen-address=127.0.0.1", `port=${ZONE_PORT}`] : []),
        "user=root",
        "no-resolv",
        "no-hosts",
        "bind-interfaces",
        "local-ttl=5",
        `local=/${zone}/`,
        `host-record=mirror.${zone},${hostAddress(subnet, 2)}`,
        ...(lacksApiName ? [] : [`host-record=api.${zone},${hostAddress(subnet, 3)}`]),
        ...(services ? servicesNames(subnet, services) : []),
        "addn-hosts=/etc/tradewind/hosts",
    ].join("\n")}\n`;
}

/** Where the network's own DNS server listens when a caching resolver sits in front of it. */
const ZONE_PORT = 5353;

/** The resolver that machines use in that case; it caches both answers and missing names. */
function resolverFiles({ subnet, remembersMissing }: ClusterNetwork): TarEntry[] {
    if (!remembersMissing) return [];
    return [{ path: "etc/tradewind/resolver.conf", contents: resolverConfig(subnet, remembersMissing) }];
}

/** The zone's answers have no SOA record, so this is the only TTL for missing names. */
export function resolverConfig(subnet: string, seconds: number): string {
    return `${[
        "user=root",
        "no-resolv",
        "no-hosts",
        "bind-interfaces",
        `listen-address=${hostAddress(subnet, 2)}`,
        `server=127.0.0.1#${ZONE_PORT}`,
        `neg-ttl=${seconds}`,
    ].join("\n")}\n`;
}

const REGISTRY_CONFIG = `version: 0.1
log: {level: warn, accesslog: {disabled: true}}
storage:
  filesystem: {rootdirectory: /var/lib/registry}
  maintenance: {readonly: {enabled: true}, uploadpurging: {enabled: false}}
http: {addr: ':5000'}
`;
