import type { Input } from "@pulumi/pulumi";
import { refuseInstanceRole } from "../../cluster/etcd-snapshots";
import { requireLegalFlags } from "../../cluster/flags/check";
import { requireVolumeSnapshots } from "../../cluster/manifests/addons/volume-snapshots";
import type { Cluster } from "../../cluster/model";
import { type Cidr, requireBlocks } from "../../cluster/network/cidr";
import { requireCloudCni } from "../../cluster/network/cni";
import { type Ingress, requireIngress } from "../../cluster/network/ingress";
import { requireMachineBlock } from "../../cluster/network/machine-block";
import { sharedOptions } from "../../cluster/option-keys";
import type { ClusterOptions } from "../../cluster/options";
import { cloudOsReboots } from "../../cluster/os-reboots";
import { withDirectNetwork } from "../../cluster/proxy";
import { requireKnownMachines } from "../../cluster/recreate";
import { refuseArbiter, requireEtcdDiskSize, resolveCluster } from "../../cluster/resolve";
import { conflictsWith, invalid, mustNot, requireMatch, requireOneOf, requires } from "../../cluster/validate";
import { isLate, requireLate, shown } from "../pulumi/late";
import { type OwnRule, requireRules } from "./firewall-rules";
import { type ImportedImage, requireImportedImage } from "./imported-image";
import type { DigitalOceanBalancerNodes, DigitalOceanOptions } from "./options";
import { requireSnapshotSpace, type SnapshotSpace, storeOf } from "./snapshots";
import { requireTags } from "./user-tags";

/** Droplets and network of a cluster: validated, with all defaults applied. */
export interface DigitalOcean {
    readonly region: string;
    /** Slug or id. For an imported one its URL, as its id is only known after the import. An output is an id. */
    readonly image: Input<string>;
    /** @default the image exists */
    readonly ownImage?: ImportedImage;
    readonly os: "ignition" | "cloud-init";
    readonly vpcCidr: Cidr;
    /** By pool, including `controller`. */
    readonly sizes: Readonly<Record<string, string>>;
    /** Unit: GiB. */
    readonly etcdDiskSize: number;
    /** @default all addresses */
    readonly apiAllowedCidrs?: readonly string[];
    /** Whether droplets have IPv6 addresses. */
    readonly ipv6: boolean;
    /** @default no traffic to workers is allowed */
    readonly ingress?: Ingress;
    readonly ingressLoadBalancer: boolean;
    readonly loadBalancerNodes: Readonly<DigitalOceanBalancerNodes>;
    readonly firewallRules: readonly OwnRule[];
    readonly backups: boolean;
    readonly monitoring: boolean;
    /** Names of droplets that are replaced when their boot configuration changes. */
    readonly recreate: readonly string[];
    readonly cloudController: boolean;
    readonly csiDriver: boolean;
    readonly volumeSnapshots: boolean;
    readonly sshKeys: readonly Input<string>[];
    /** On droplets and volumes, in addition to the cluster's own. */
    readonly tags: readonly Input<string>[];
    /** Name or id. @default the account's default project */
    readonly project?: Input<string>;
    /** @default snapshots stay on controllers, or go to an existing bucket */
    readonly snapshotSpace?: SnapshotSpace;
}

/** Blocks reserved by DigitalOcean. Source: its documentation of VPCs, and its release notes of 7 March 2025. */
const reserved = ["10.229.0.0/16", "10.244.0.0/16", "10.245.0.0/16", "10.246.0.0/24"];
/** The same of one region. */
const reservedIn: Readonly<Record<string, readonly string[]>> = { nyc1: ["10.10.0.0/16"] };

/** Validates the options and applies the defaults. Throws `<option> must be <legal> (got <value>)`. */
export function resolveDigitalOcean(
    name: string,
    options: Omit<DigitalOceanOptions, "downloads">,
): { cluster: Cluster; digitalOcean: DigitalOcean } {
    const { region, os = "ignition", vpcCidr = "172.24.0.0/20", apiAllowedCidrs } = options;
    const { ipv6 = false, monitoring = false } = options;
    refuseArbiter(options);
    const cluster = withDirectNetwork(resolveCluster({ ...clusterOptions(options), name }), vpcCidr);
    requireLegalFlags(cluster);
    refuseDualStack(cluster.network);
    requireCloudCni(cluster.network, options.images, "DigitalOcean");
    refuseInstanceRole(options.etcdSnapshots);
    requireMatch("name", /^.{1,46}$/, "at most 46 characters long, because volume names contain it", name);
    // Tags are shared by the whole account, and firewalls and load balancers depend on them.
    if (/-(controller|ingress)$/.test(name)) {
        throw mustNot("name", "end in -controller or -ingress, which are used for tags", name);
    }
    requireMatch("region", /^[a-z]{3}\d$/, "a region slug, such as fra1", region);
    const { image, ownImage } = requireImage(options);
    const isCustom = ownImage !== undefined || isLate(image) || /^\d+$/.test(String(image));
    const sshKeys = (options.sshKeys ?? []).map((key, index) =>
        requireLate(key, (known) =>
            requireMatch(
                `sshKeys[${index}]`,
                /^(\d+|([0-9a-f]{2}:){15}[0-9a-f]{2})$/,
                "the id or fingerprint of a key",
                known,
            ),
        ),
    );
    if (isCustom && sshKeys.length === 0) {
        throw requires("a custom image", "sshKeys");
    }
    // Source: its documentation of limits of IPv6, of February 2025.
    if (isCustom && ipv6) {
        throw conflictsWith("ipv6", "a custom image, for which DigitalOcean does not support IPv6", ipv6);
    }
    // Source: its documentation of the metrics agent's requirements.
    if (isCustom && monitoring) {
        const image = "a custom image, on which DigitalOcean installs no metrics agent";
        throw conflictsWith("monitoring", image, monitoring);
    }
    if (options.ingressLoadBalancer !== undefined && !options.ingress) {
        throw requires("ingressLoadBalancer", "ingress", options.ingressLoadBalancer);
    }
    requireBlocks("apiAllowedCidrs", apiAllowedCidrs);
    const project =
        options.project === undefined
            ? undefined
            : requireLate(options.project, (known) =>
                  requireMatch("project", /^\S(.{0,173}\S)?$/, "the name or id of a project", known),
              );
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
            ...(ownImage && { ownImage }),
            os: requireOneOf("os", ["ignition", "cloud-init"] as const, os),
            vpcCidr: requireVpcCidr(vpcCidr, region, cluster),
            sizes,
            etcdDiskSize: requireEtcdDiskSize(options.controllers?.etcdDiskSize),
            ...(apiAllowedCidrs && { apiAllowedCidrs }),
            ipv6,
            ...(options.ingress && { ingress: requireIngress(options.ingress, cluster) }),
            ingressLoadBalancer: options.ingressLoadBalancer ?? true,
            loadBalancerNodes: requireBalancerNodes(options),
            firewallRules: requireRules(options.firewallRules),
            backups: options.backups ?? false,
            monitoring,
            recreate: requireKnownMachines(
                options.recreate,
                cluster,
                cluster.workerPools.flatMap(({ nodes }) => nodes),
            ),
            cloudController: options.cloudController ?? false,
            csiDriver: options.csiDriver ?? false,
            volumeSnapshots: requireVolumeSnapshots(options),
            sshKeys,
            tags: requireTags(options.tags ?? [], name),
            ...(project !== undefined && { project }),
            ...(options.snapshotSpace && { snapshotSpace: snapshotSpaceOf(options) }),
        },
    };
}

/** After which a load balancer closes a connection without traffic. Source: DigitalOcean's "Load Balancer Limits". */
const apiIdleTimeout = "60s";

/** The options shared by all clouds. */
export function clusterOptions(options: Omit<DigitalOceanOptions, "downloads">): Omit<ClusterOptions, "name"> {
    const { snapshotSpace } = options;
    const shared = sharedOptions(options);
    return {
        ...shared,
        osReboots: options.osReboots ?? cloudOsReboots,
        ...(snapshotSpace && {
            etcdSnapshots: { ...shared.etcdSnapshots, s3: storeOf(snapshotSpaceOf({ ...options, snapshotSpace })) },
        }),
        ...(options.cloudController && { cloudProvider: "digitalocean" }),
        apiIdleTimeout,
    };
}

function snapshotSpaceOf({
    snapshotSpace,
    region,
    etcdSnapshots,
}: Pick<DigitalOceanOptions, "snapshotSpace" | "region" | "etcdSnapshots">): SnapshotSpace {
    return requireSnapshotSpace(snapshotSpace!, region, etcdSnapshots);
}

function requireImage({
    image,
    importedImage,
}: Pick<DigitalOceanOptions, "image" | "importedImage">): Pick<DigitalOcean, "image" | "ownImage"> {
    if (importedImage) {
        if (image !== undefined) throw conflictsWith("image", "importedImage", shown(image));
        const ownImage = requireImportedImage(importedImage);
        return { image: ownImage.url, ownImage };
    }
    if (image !== undefined && isLate(image)) {
        return {
            image: requireLate(image, (id) => requireMatch("image", /^[1-9]\d*$/, "the id of a custom image", id)),
        };
    }
    const legal = "an image slug or the id of a custom image";
    return { image: requireMatch("image", /^([1-9]\d*|[a-z0-9][a-z0-9.-]*[a-z0-9])$/, legal, String(image ?? "")) };
}

function requireBalancerNodes({
    loadBalancerNodes = {},
    apiLoadBalancer = true,
    ingress,
    ingressLoadBalancer = ingress !== undefined,
}: DigitalOceanOptions | Omit<DigitalOceanOptions, "downloads">): DigitalOceanBalancerNodes {
    const exists = { api: apiLoadBalancer, ingress: ingressLoadBalancer };
    for (const [which, nodes] of Object.entries(loadBalancerNodes)) {
        const option = `loadBalancerNodes.${which}`;
        if (!exists[which as keyof typeof exists]) throw requires(option, "that load balancer", nodes);
        if (!Number.isInteger(nodes) || nodes < 1 || nodes > 100) {
            throw invalid(option, "a whole number of nodes from 1 to 100", nodes);
        }
    }
    return loadBalancerNodes;
}

function requireSize(option: string, size: string): string {
    return requireMatch(option, /^[a-z][a-z0-9-]*$/, "a size slug, such as s-2vcpu-4gb", size);
}

function requireVpcCidr(text: string, region: string, { network, controllers, workerPools }: Cluster): Cidr {
    const own = [...reserved, ...(reservedIn[region] ?? [])];
    const block = requireMachineBlock("vpcCidr", text, network, { "DigitalOcean's own": own });
    const nodes = controllers.names.length + workerPools.reduce((sum, pool) => sum + pool.nodes.length, 0);
    // The network address, the broadcast address, the gateway and the load balancers.
    const room = Number(block.last - block.first + 1n) - 5;
    if (nodes > room) throw invalid("vpcCidr", `large enough for ${nodes} nodes`, text);
    return block;
}

/**
 * Droplets only have public IPv6 addresses, on another interface than the VPC's. flannel requires both families on one,
 * and VXLAN between public addresses would carry pods' packets unprotected. Source: flannel's `pkg/ipmatch`.
 */
function refuseDualStack({ podCidr6 }: Cluster["network"]): void {
    if (!podCidr6) return;
    throw mustNot("network.podCidr6", "be set on DigitalOcean, whose VPCs have no IPv6", podCidr6.text);
}
