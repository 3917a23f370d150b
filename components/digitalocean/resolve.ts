import { refuseInstanceRole } from "../../cluster/etcd-snapshots";
import { requireLegalFlags } from "../../cluster/flags/check";
import type { Cluster } from "../../cluster/model";
import { type Cidr, requireBlocks } from "../../cluster/network/cidr";
import { type Ingress, requireIngress } from "../../cluster/network/ingress";
import { requireMachineBlock } from "../../cluster/network/machine-block";
import { requireOneStack } from "../../cluster/network/network";
import type { ClusterOptions } from "../../cluster/options";
import { requireMadeAnew } from "../../cluster/recreate";
import { requireEtcdDiskSize, resolveCluster } from "../../cluster/resolve";
import { invalid, requireMatch, requireOneOf } from "../../cluster/validate";
import type { DigitalOceanOptions } from "./options";
import { requireTags } from "./project";
import { requireSnapshotSpace, type SnapshotSpace, storeOf } from "./snapshots";

/** What a cluster's droplets and network are like: validated, with every default filled in. */
export interface DigitalOcean {
    readonly region: string;
    readonly image: string;
    readonly os: "ignition" | "cloud-init";
    readonly vpcCidr: Cidr;
    /** By pool, `controller` among them. */
    readonly sizes: Readonly<Record<string, string>>;
    /** Unit: GiB. */
    readonly etcdDiskSize: number;
    /** @default everybody */
    readonly apiAllowedCidrs?: readonly string[];
    /** Whether droplets have IPv6 addresses. */
    readonly hasIpv6: boolean;
    /** @default nothing of workers is let in */
    readonly ingress?: Ingress;
    /** Names of droplets that follow what they boot with. */
    readonly madeAnew: readonly string[];
    readonly hasCloudController: boolean;
    readonly hasCsiDriver: boolean;
    readonly sshKeys: readonly string[];
    /** On droplets and volumes, beside the cluster's own. */
    readonly tags: readonly string[];
    /** Name or id. @default the account's default one */
    readonly project?: string;
    /** @default snapshots stay on controllers, or go to a bucket that was there */
    readonly snapshotSpace?: SnapshotSpace;
}

/** What DigitalOcean keeps for itself. Source: its documentation of VPCs. */
const reserved = ["10.244.0.0/16", "10.245.0.0/16", "10.246.0.0/24"];

/** Validates the options and fills in the defaults. Throws `<option> must be <legal>, got <value>`. */
export function resolveDigitalOcean(
    name: string,
    options: Omit<DigitalOceanOptions, "downloads">,
): { cluster: Cluster; digitalOcean: DigitalOcean } {
    const { region, image, os = "ignition", vpcCidr = "172.24.0.0/20", apiAllowedCidrs, sshKeys = [] } = options;
    const { project, hasIpv6 = false } = options;
    const cluster = resolveCluster({ ...clusterOptions(options), name });
    requireLegalFlags(cluster);
    requireOneStack(cluster.network);
    refuseInstanceRole(options.etcdSnapshots);
    requireMatch("name", /^.{1,46}$/, "46 characters at most: a volume's name is made of it", name);
    // Tags are the whole account's, and firewalls and load balancers go by them.
    requireMatch(
        "name",
        /(?<!-controller|-ingress)$/,
        "without -controller or -ingress at its end, as other clusters' tags have",
        name,
    );
    requireMatch("region", /^[a-z]{3}\d$/, "a region's slug, such as fra1", region);
    requireMatch("image", /^([1-9]\d*|[a-z0-9][a-z0-9.-]*[a-z0-9])$/, "an image's slug or a custom image's id", image);
    sshKeys.forEach((key, index) => {
        requireMatch(`sshKeys[${index}]`, /^(\d+|([0-9a-f]{2}:){15}[0-9a-f]{2})$/, "a key's id or fingerprint", key);
    });
    if (/^\d+$/.test(image) && sshKeys.length === 0) {
        throw invalid("sshKeys", "given with a custom image: DigitalOcean makes no droplet of one without", "none");
    }
    // Source: its documentation of limits of IPv6, of February 2025.
    if (/^\d+$/.test(image) && hasIpv6) {
        throw invalid(
            "hasIpv6",
            "left out with a custom image: DigitalOcean gives its droplets no IPv6 address",
            hasIpv6,
        );
    }
    requireBlocks("apiAllowedCidrs", apiAllowedCidrs);
    if (project !== undefined) requireMatch("project", /^\S(.{0,173}\S)?$/, "the name or id of a project", project);
    const sizes = Object.fromEntries([
        ["controller", requireSize("controllers.size", options.controllers?.size ?? "s-2vcpu-4gb")],
        ...(options.workerPools ?? []).map(({ name: pool, size = "s-2vcpu-2gb" }, index) => [
            pool,
            requireSize(`workerPools[${index}].size`, size),
        ]),
    ]);
    return {
        cluster,
        digitalOcean: {
            region,
            image,
            os: requireOneOf("os", ["ignition", "cloud-init"] as const, os),
            vpcCidr: requireVpcCidr(vpcCidr, cluster),
            sizes,
            etcdDiskSize: requireEtcdDiskSize(options.controllers?.etcdDiskSize),
            ...(apiAllowedCidrs && { apiAllowedCidrs }),
            hasIpv6,
            ...(options.ingress && { ingress: requireIngress(options.ingress, cluster) }),
            madeAnew: requireMadeAnew(
                options.madeAnew,
                cluster,
                cluster.workerPools.flatMap(({ nodes }) => nodes),
            ),
            hasCloudController: options.hasCloudController ?? false,
            hasCsiDriver: options.hasCsiDriver ?? false,
            sshKeys,
            tags: requireTags(options.tags ?? [], name),
            ...(project !== undefined && { project }),
            ...(options.snapshotSpace && { snapshotSpace: snapshotSpaceOf(options) }),
        },
    };
}

/** The options that every cloud shares. */
export function clusterOptions(options: Omit<DigitalOceanOptions, "downloads">): Omit<ClusterOptions, "name"> {
    const { region, image, os, vpcCidr, apiAllowedCidrs, ingress, sshKeys, hasCloudController, ...others } = options;
    const { hasCsiDriver, hasIpv6, project, madeAnew, controllers, workerPools, snapshotSpace, tags, ...shared } =
        others;
    const { size: _size, etcdDiskSize: _etcdDiskSize, ...controllerOptions } = controllers ?? {};
    return {
        ...shared,
        ...(snapshotSpace && {
            etcdSnapshots: { ...shared.etcdSnapshots, s3: storeOf(snapshotSpaceOf({ ...options, snapshotSpace })) },
        }),
        ...(hasCloudController && { cloudProvider: "digitalocean" }),
        ...(controllers && { controllers: controllerOptions }),
        ...(workerPools && { workerPools: workerPools.map(({ size, ...pool }) => pool) }),
    };
}

function snapshotSpaceOf({
    snapshotSpace,
    region,
    etcdSnapshots,
}: Pick<DigitalOceanOptions, "snapshotSpace" | "region" | "etcdSnapshots">): SnapshotSpace {
    return requireSnapshotSpace(snapshotSpace!, region, etcdSnapshots);
}

function requireSize(option: string, size: string): string {
    return requireMatch(option, /^[a-z][a-z0-9-]*$/, "a size's slug, such as s-2vcpu-4gb", size);
}

function requireVpcCidr(text: string, { network, controllers, workerPools }: Cluster): Cidr {
    const block = requireMachineBlock("vpcCidr", text, network, { "DigitalOcean's own": reserved });
    const nodes = controllers.names.length + workerPools.reduce((sum, pool) => sum + pool.nodes.length, 0);
    // The network's own address, its broadcast address, the gateway and the load balancers.
    const room = Number(block.last - block.first + 1n) - 5;
    if (nodes > room) {
        throw invalid("vpcCidr", `large enough for ${nodes} nodes`, text);
    }
    return block;
}
