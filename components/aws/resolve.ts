import type { Input } from "@pulumi/pulumi";
import { requireLegalFlags } from "../../cluster/flags/check";
import { requireNoHostName } from "../../cluster/host-name-snippets";
import { without } from "../../cluster/manifest";
import { autoscalerFlags } from "../../cluster/manifests/addons/cluster-autoscaler";
import { requireVolumeSnapshots } from "../../cluster/manifests/addons/volume-snapshots";
import type { Cluster } from "../../cluster/model";
import { requireCloudCni } from "../../cluster/network/cni";
import { requireMachineBlock } from "../../cluster/network/machine-block";
import { type KeysOf, splitOptions } from "../../cluster/option-keys";
import type { ClusterOptions, PublicIssuer } from "../../cluster/options";
import { cloudOsReboots } from "../../cluster/os-reboots";
import { withDirectNetwork } from "../../cluster/proxy";
import { requireKnownMachines } from "../../cluster/recreate";
import { requireEtcdDiskSize, resolveCluster } from "../../cluster/resolve";
import { conflictsWith, invalid, mustNot, requireMatch, requireOneOf, requires } from "../../cluster/validate";
import { requireLate, shown } from "../pulumi/late";
import { requireSnapshotBucket } from "./buckets";
import { pullPolicy, requireBoundary, requirePolicies, sessionPolicy } from "./iam/managed-policies";
import { requireTokenIssuer } from "./iam/token-issuer";
import { requireCpuCredits, requireDisk, requireKmsKey } from "./machines/disks";
import { nameOfImage, requireImage } from "./machines/images";
import { architectureOf, isNitro } from "./machines/instance-types";
import { firstCount, mostCount, requirePool } from "./machines/pools";
import { requireGroupTags } from "./machines/scaling";
import type { Aws, AwsInstance, ExistingNetwork } from "./model";
import { requireAccess } from "./network/access";
import { requireDualStack } from "./network/dual-stack";
import { serviceEndpoints } from "./network/endpoints";
import { requireApiHealthCheck } from "./network/health-check";
import { groupId, requireInboundRules } from "./network/inbound-rules";
import { requireAwsIngress } from "./network/ingress";
import { roomIn, type ZoneLetter, zoneLetters } from "./network/subnets";
import type {
    AwsControllerOptions,
    AwsInstanceOptions,
    AwsOptions,
    AwsPoolOptions,
    AwsServiceAccountRolesOptions,
} from "./options";
import { clusterTag, clusterTags, ownTag } from "./tags";

/** Validates the options and applies the defaults. Throws `<option> must be <legal> (got <value>)`. */
export function resolveAws(name: string, options: Omit<AwsOptions, "downloads">): { cluster: Cluster; aws: Aws } {
    const existing = requireExisting(options);
    const { region, zones = ["a", "b", "c"], vpcCidr = "10.0.0.0/16" } = options;
    const { workerPools = [] } = options;
    const cluster = withDirectNetwork(resolveCluster({ ...clusterOptions(options), name }), vpcCidr);
    requireNames(cluster);
    requireLegalFlags(cluster);
    requireDualStack(cluster.network, options);
    requireCloudCni(cluster.network, "AWS");
    for (const [index, { name: pool, snippets = [] }] of workerPools.entries()) {
        requireNoHostName(`workerPools[${index}].snippets`, pool, snippets);
    }
    const machines = [
        { pool: "controller", option: "controllers", options: options.controllers ?? {} },
        ...workerPools.map((pool, index) => ({ pool: pool.name, option: `workerPools[${index}]`, options: pool })),
    ];
    const instances = Object.fromEntries(
        machines.map((each) => [each.pool, requireInstance(each.option, each.options, options)]),
    );
    requireNitro(instances.controller!);
    requireOneArchitecture(Object.values(instances));
    const os = requireOneOf("os", ["ignition", "cloud-init"] as const, options.os ?? "ignition");
    requireOwnImages(os, Object.values(instances));
    requireMatch("region", /^[a-z]{2}(-[a-z]+)+-\d$/, "a region code, such as eu-central-1", region);
    const letters = existing ? [] : requireZones(zones);
    const pools = Object.fromEntries(
        workerPools.map((pool, index) => {
            const { instanceType } = instances[pool.name]!;
            return [pool.name, requirePool(`workerPools[${index}]`, pool, { instanceType, region, zones: letters })];
        }),
    );
    // Addresses of pods and machines must suffice for the maximum number of nodes.
    const largest = resolveCluster({ ...clusterOptions(options, mostCount), name });
    requireLegalFlags(largest);
    const access = requireAccess(options);
    const isPullingFromOutside = access.natGateways !== "none";
    const tags = requireTags(options.tags ?? {}, name);
    const { etcdDiskSize, etcdDiskType, etcdDiskIops, etcdDiskThroughput } = options.controllers ?? {};
    const etcdDisk = requireDisk("controllers.etcdDisk", {
        size: requireEtcdDiskSize(etcdDiskSize),
        type: etcdDiskType,
        iops: etcdDiskIops,
        throughput: etcdDiskThroughput,
    });
    const kmsKeyId = requireKmsKey(options.kmsKeyId, region);
    const permissionsBoundary = requireBoundary(options.permissionsBoundary);
    requireOwnEndpoints(options);
    requireGroupTags(cluster, pools, Object.keys(clusterTags(cluster, { tags })(name)).length);
    requireAutoscaler(options, pools);
    const cloudControllers = {
        cloudController: options.cloudController ?? false,
        csiDriver: options.csiDriver ?? false,
        volumeSnapshots: requireVolumeSnapshots(options),
        autoscaler: options.autoscaler ?? false,
        hasServingApprover: cluster.certificates.kubeletServing !== "own",
    };
    return {
        cluster: { ...cluster, ...(isPullingFromOutside && !options.registryMirrors && { defaultMirrors }) },
        aws: {
            region,
            os,
            zones: letters,
            ...(existing && { existing }),
            ...access,
            ...(options.ingress && { ingress: requireAwsIngress(options.ingress, cluster) }),
            apiHealthCheck: requireApiHealthCheck(options.apiHealthCheck, cluster.extraArgs.kubeApiserver),
            inboundRules: requireInboundRules(options.inboundRules),
            ...cloudControllers,
            autoscalerFlags: autoscalerFlags(options.clusterAutoscaler ?? {}, "clusterAutoscaler"),
            recreate: requireKnownMachines(options.recreate, cluster),
            vpcCidr: requireVpcCidr(
                vpcCidr,
                largest,
                letters,
                serviceEndpoints({ ...access, ...cloudControllers, pools }).filter(({ isInEachZone }) => isInEachZone)
                    .length,
                access.topology === "public" && access.nodeApiAccess === "internal",
            ),
            instances,
            pools,
            ...(options.snapshotBucket && {
                snapshotBucket: { retained: options.snapshotBucket.retained ?? true },
            }),
            etcdDisk,
            ecrPulls: options.ecrPulls ?? false,
            ...(options.serviceAccountRoles && {
                tokenIssuer: requireTokenIssuer(options.serviceAccountRoles, region),
            }),
            ...(kmsKeyId && { kmsKeyId }),
            ...(permissionsBoundary && { permissionsBoundary }),
            tags,
        },
    };
}

/**
 * Docker itself publishes its official images in AWS' gallery, with the same digests. Docker Hub limits anonymous pulls
 * per address, and private nodes share that of their NAT gateway. What the gallery does not have or refuses comes from
 * Docker Hub.
 *
 * Source: docker-library/official-images; containerd's documentation of hosts.toml.
 */
const defaultMirrors = [{ registry: "docker.io", urls: ["https://public.ecr.aws/v2/docker"] }];

/** The options that only AWS has, and those that it has in another form. The others are shared by all clouds. */
const awsKeys = {
    apiAccess: true,
    apiAllowedCidrs: true,
    apiHealthCheck: true,
    autoscaler: true,
    cloudController: true,
    clusterAutoscaler: true,
    controllers: true,
    csiDriver: true,
    ecrPulls: true,
    image: true,
    ingress: true,
    inboundRules: true,
    ipv6: true,
    kmsKeyId: true,
    loadBalancerSubnetIds: true,
    natGateways: true,
    nodeApiAccess: true,
    os: true,
    permissionsBoundary: true,
    privateZone: true,
    publicZone: true,
    recreate: true,
    region: true,
    s3Endpoint: true,
    securityGroupIds: true,
    serviceAccountRoles: true,
    sessionManager: true,
    snapshotBucket: true,
    subnetIds: true,
    tags: true,
    topology: true,
    volumeSnapshots: true,
    vpcCidr: true,
    vpcEndpoints: true,
    vpcId: true,
    workerPools: true,
    zones: true,
} satisfies KeysOf<Exclude<keyof AwsOptions, keyof ClusterOptions | "downloads"> | "controllers" | "workerPools">;

/** The options shared by all clouds. */
export function clusterOptions(
    options: Omit<AwsOptions, "downloads">,
    /** Number of nodes of a pool. */
    countOf: (pool: AwsPoolOptions) => number | undefined = firstCount,
): Omit<ClusterOptions, "name"> {
    const { region, snapshotBucket, controllers, workerPools, serviceAccountRoles } = options;
    const [, shared] = splitOptions(options, awsKeys);
    const withoutInstance = <T extends AwsInstanceOptions>(pool: T) => without(pool, ...instanceOptions);
    const withoutDisk = (given: AwsControllerOptions) => without(given, ...etcdDiskOptions);
    const withoutGroup = ({ instanceTypes, spot, min, max, zones, instanceRefresh, ...pool }: AwsPoolOptions) => ({
        ...withoutInstance(pool),
        ...(countOf({ ...pool, min, max }) !== undefined && { count: countOf({ ...pool, min, max }) }),
    });
    return {
        ...shared,
        ...(snapshotBucket && {
            etcdSnapshots: {
                ...shared.etcdSnapshots,
                s3: requireSnapshotBucket(snapshotBucket, region, shared.etcdSnapshots),
            },
        }),
        ...(options.cloudController && { cloudProvider: "aws" }),
        ...(serviceAccountRoles && { publicIssuer: publicIssuer(serviceAccountRoles, region) }),
        osReboots: options.osReboots ?? cloudOsReboots,
        workersJoinLast: true,
        ...(controllers && { controllers: withoutDisk(withoutInstance(controllers)) }),
        ...(workerPools && { workerPools: workerPools.map(withoutGroup) }),
    };
}

function publicIssuer(options: AwsServiceAccountRolesOptions, region: string): PublicIssuer {
    const { url, isIssuing } = requireTokenIssuer(options, region);
    return { url, isIssuing };
}

/** Options of a pool's instances, which are only for AWS. */
const instanceOptions = [
    ...(["instanceType", "image", "cpuCredits", "policies"] as const),
    ...(["diskSize", "diskType", "diskIops", "diskThroughput"] as const),
] as const satisfies readonly (keyof AwsInstanceOptions)[];

const etcdDiskOptions = ["etcdDiskSize", "etcdDiskType", "etcdDiskIops", "etcdDiskThroughput"] as const;

/** Options for a VPC created by the stack cannot be combined with an existing one. */
function requireExisting(options: Omit<AwsOptions, "downloads">): ExistingNetwork | undefined {
    const { vpcId, subnetIds, vpcCidr, topology = "public", apiAccess = "public" } = options;
    const [own, brought] = [
        ["zones", "natGateways"] as const,
        ["subnetIds", "loadBalancerSubnetIds", "securityGroupIds"] as const,
    ];
    for (const option of vpcId === undefined ? brought : own) {
        if (options[option] !== undefined) {
            const error = vpcId === undefined ? requires : conflictsWith;
            throw error(option, "vpcId", shown(options[option]));
        }
    }
    if (vpcId === undefined) return undefined;
    const id = requireLate(vpcId, (known) =>
        requireMatch("vpcId", /^vpc-[0-9a-f]{8,17}$/, "a VPC id, such as vpc-0123456789abcdef0", known),
    );
    if (vpcCidr === undefined) throw requires("vpcId", "vpcCidr: the IPv4 block of the VPC");
    const nodes = requireSubnetIds("subnetIds", subnetIds);
    const areItsToo = topology === "public" || apiAccess === "internal";
    const { loadBalancerSubnetIds = areItsToo ? subnetIds : undefined } = options;
    const loadBalancer = requireSubnetIds("loadBalancerSubnetIds", loadBalancerSubnetIds);
    const { securityGroupIds = [] } = options;
    // Interfaces have five by default, of which two are the cluster's.
    if (securityGroupIds.length > 3) throw invalid("securityGroupIds", "at most three", securityGroupIds.length);
    requireIds("securityGroupIds", securityGroupIds, groupId, "a security group's id, such as sg-0123456789abcdef0");
    return { vpcId: id, subnetIds: nodes, loadBalancerSubnetIds: loadBalancer, securityGroupIds };
}

function requireSubnetIds(option: string, ids: readonly Input<string>[] = []): readonly Input<string>[] {
    if (ids.length === 0) throw mustNot(option, "be empty");
    return requireIds(option, ids, /^subnet-[0-9a-f]{8,17}$/, "a subnet id, such as subnet-0123456789abcdef0");
}

function requireIds(
    option: string,
    ids: readonly Input<string>[],
    pattern: RegExp,
    legal: string,
): readonly Input<string>[] {
    return ids.map((id, index) => {
        const one = `${option}[${index}]`;
        if (ids.indexOf(id) !== index) throw mustNot(one, "be listed twice", shown(id));
        return requireLate(id, (known) => requireMatch(one, pattern, legal, known));
    });
}

/** It is useless without a pool to scale, and cannot find instances unless nodes have provider ids. */
function requireAutoscaler(
    {
        autoscaler: hasClusterAutoscaler = false,
        cloudController: hasCloudController = false,
        clusterAutoscaler,
    }: Omit<AwsOptions, "downloads">,
    pools: Aws["pools"],
): void {
    if (clusterAutoscaler && !hasClusterAutoscaler) {
        throw requires("clusterAutoscaler", "autoscaler", clusterAutoscaler);
    }
    if (hasClusterAutoscaler && !hasCloudController) {
        throw requires("autoscaler", "cloudController", true);
    }
    if (hasClusterAutoscaler && !Object.values(pools).some(({ scaling }) => scaling)) {
        throw requires("autoscaler", "a pool with min and max", true);
    }
}

/**
 * Names of target groups, `<cluster>-30443`, have at most 32 characters; those of roles 64, of which Pulumi adds eight.
 */
function requireNames({ name, workerPools }: Cluster): void {
    requireMatch(
        "the cluster name",
        /^(?!internal-|sg-)(?!.*--).{1,26}$/,
        "at most 26 characters long, without two dashes in a row, and not start with internal- or sg-",
        name,
    );
    for (const [index, pool] of workerPools.entries()) {
        requireMatch(`workerPools[${index}].name`, /^.{1,27}$/, "at most 27 characters long", pool.name);
    }
}

function requireInstance(
    option: string,
    options: AwsInstanceOptions & { instanceTypes?: string[] },
    cluster: Pick<AwsOptions, "image" | "sessionManager" | "ecrPulls" | "region">,
): AwsInstance {
    const { image: shared = "flatcar-stable", sessionManager: hasSessions, ecrPulls: hasPulls, region } = cluster;
    const { instanceTypes, diskSize = 30, image, diskType, diskIops, diskThroughput } = options;
    const { instanceType = instanceTypes?.[0] ?? "t3.medium" } = options;
    const pattern = /^[a-z][a-z0-9-]*\.[a-z0-9-]+$/;
    const legal = "an instance type, such as t3.medium";
    if (instanceTypes === undefined) {
        requireMatch(`${option}.instanceType`, pattern, legal, instanceType);
    }
    instanceTypes?.forEach((each, index) => {
        requireMatch(`${option}.instanceTypes[${index}]`, pattern, legal, each);
    });
    if (!Number.isInteger(diskSize) || diskSize < 10 || diskSize > 16_384) {
        throw invalid(`${option}.diskSize`, "a whole number of GiB from 10 to 16384", diskSize);
    }
    const cpuCredits = requireCpuCredits(option, options.cpuCredits, instanceTypes ?? [instanceType]);
    const imageOption = image === undefined ? "image" : `${option}.image`;
    return {
        instanceType,
        disk: requireDisk(`${option}.disk`, {
            size: diskSize,
            type: diskType,
            iops: diskIops,
            throughput: diskThroughput,
        }),
        ...(cpuCredits && { cpuCredits }),
        policies: [
            ...requirePolicies(option, options.policies),
            ...(hasSessions ? [sessionPolicy(region)] : []),
            ...(hasPulls ? [pullPolicy(region)] : []),
        ],
        architecture: architectureOf(instanceType),
        image: { ...requireImage(imageOption, image ?? shared, region), option: imageOption },
    };
}

/** Services that options need. Source: documentation of VPC endpoints of Systems Manager and of ECR. */
const neededServices = {
    sessionManager: ["ssm", "ssmmessages"],
    ecrPulls: ["ecr.api", "ecr.dkr"],
} as const;

/** Without a route to the internet, instances reach these services by endpoints. */
function requireOwnEndpoints(options: Omit<AwsOptions, "downloads">): void {
    const { natGateways, vpcEndpoints = [] } = options;
    if (natGateways !== "none") return;
    for (const option of ["sessionManager", "ecrPulls"] as const) {
        const needed = neededServices[option];
        if (!options[option] || needed.every((service) => vpcEndpoints.includes(service))) continue;
        throw invalid("vpcEndpoints", `a list with ${needed.join(" and ")} for ${option}`, vpcEndpoints);
    }
}

/** A controller finds etcd's volume by its NVMe device name, and would wait forever for another one. */
function requireNitro({ instanceType }: AwsInstance): void {
    if (!isNitro(instanceType)) {
        throw invalid("controllers.instanceType", "of the Nitro system, such as t3.medium", instanceType);
    }
}

/** Images that are looked up have Ignition. */
function requireOwnImages(os: Aws["os"], instances: readonly AwsInstance[]): void {
    for (const { image } of instances) {
        if (os === "cloud-init" && !("id" in image)) {
            throw invalid(image.option, "an AMI id with os cloud-init", nameOfImage(image));
        }
    }
}

/** An AMI has one architecture; images that are looked up are found for each architecture. */
function requireOneArchitecture(instances: readonly AwsInstance[]): void {
    const known = new Map<Input<string>, AwsInstance>();
    for (const instance of instances) {
        const { image, architecture, instanceType } = instance;
        if (!("id" in image)) continue;
        const other = known.get(image.id);
        if (other && other.architecture !== architecture) {
            const both = `${other.instanceType} (${other.architecture}) and ${instanceType} (${architecture})`;
            throw conflictsWith(
                image.option,
                `${both}, because an AMI has one architecture: set it per pool`,
                nameOfImage(image),
            );
        }
        known.set(image.id, instance);
    }
}

function requireZones(zones: readonly string[]): ZoneLetter[] {
    if (zones.length === 0) throw mustNot("zones", "be empty");
    return zones.map((zone, index) => {
        if (zones.indexOf(zone) !== index) throw mustNot(`zones[${index}]`, "be listed twice", zone);
        return requireOneOf(`zones[${index}]`, zoneLetters, zone);
    });
}

function requireVpcCidr(
    text: string,
    { network, controllers, workerPools }: Cluster,
    zones: readonly ZoneLetter[],
    /**
     * Number of endpoints with an address in each subnet. One in a single zone is created after the load balancer and
     * uses one of its eight addresses.
     */
    endpoints: number,
    /** Whether the nodes' load balancer is in their subnets. */
    hasSecondBalancer: boolean,
) {
    const block = requireMachineBlock("vpcCidr", text, network);
    // The size of existing subnets is the user's responsibility.
    if (zones.length === 0) return block;
    const nodes = controllers.names.length + workerPools.reduce((sum, pool) => sum + pool.nodes.length, 0);
    // Controllers and each pool are spread evenly, starting with the first zone.
    const inOneZone = [controllers.names, ...workerPools.map((pool) => pool.nodes)]
        .map(({ length }) => Math.ceil(length / zones.length))
        .reduce((sum, each) => sum + each, 0);
    if (inOneZone + endpoints + Number(hasSecondBalancer) > roomIn(block)) {
        const withEndpoints =
            endpoints > 0 ? ` and ${endpoints} endpoints` : hasSecondBalancer ? " and two load balancers" : "";
        throw invalid("vpcCidr", `large enough for ${nodes} nodes${withEndpoints} in ${zones.length} zones`, text);
    }
    return block;
}

/** Tags that AWS accepts, and few enough to leave room for the cluster's own on an S3 object, which allows ten. */
function requireTags(tags: Readonly<Record<string, Input<string>>>, cluster: string): Record<string, Input<string>> {
    const own = ["Name", ownTag, clusterTag(cluster)];
    if (Object.keys(tags).length > 7) throw invalid("tags", "at most seven", Object.keys(tags).length);
    for (const key of Object.keys(tags)) {
        requireMatch("a key of tags", /^(?!aws:)[\p{L}\p{N} _.:/=+@-]{1,128}$/u, "a tag key that AWS accepts", key);
        if (own.includes(key)) throw mustNot("a key of tags", `be one of ${own.join(", ")}, which the stack sets`, key);
    }
    const pattern = /^[\p{L}\p{N} _.:/=+@-]{0,256}$/u;
    const values = Object.entries(tags).map(([key, value]) => [
        key,
        requireLate(value, (known) => requireMatch(`tags.${key}`, pattern, "a tag value that AWS accepts", known)),
    ]);
    return Object.fromEntries(values);
}
