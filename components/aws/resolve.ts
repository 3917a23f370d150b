import { requireLegalFlags } from "../../cluster/flags/check";
import { requireNoHostName } from "../../cluster/host-name-snippets";
import { autoscalerFlags } from "../../cluster/manifests/addons/cluster-autoscaler";
import { requireVolumeSnapshots } from "../../cluster/manifests/addons/volume-snapshots";
import type { Cluster } from "../../cluster/model";
import { requireCloudCni } from "../../cluster/network/cni";
import { withDirectNetwork } from "../../cluster/proxy";
import { requireKnownMachines } from "../../cluster/recreate";
import { refuseArbiter, requireEtcdDiskSize, resolveCluster } from "../../cluster/resolve";
import { requireMatch, requireOneOf, requires } from "../../cluster/validate";
import { requireBoundary } from "./iam/managed-policies";
import { requireTokenIssuer } from "./iam/token-issuer";
import { requireDisk, requireKmsKey } from "./machines/disks";
import { requireInstance, requireNitro, requireOneArchitecture, requireOwnImages } from "./machines/instances";
import { mostCount, requirePool, requireSingleInstances } from "./machines/pools";
import { requireGroupTags } from "./machines/scaling";
import type { Aws } from "./model";
import { requireAccess } from "./network/access";
import { requireDualStack } from "./network/dual-stack";
import { requireOwnEndpoints, serviceEndpoints } from "./network/endpoints";
import { requireExisting } from "./network/existing-options";
import { requireApiHealthCheck } from "./network/health-check";
import { requireInboundRules } from "./network/inbound-rules";
import { requireAwsIngress } from "./network/ingress";
import { requireVpcCidr, requireZones } from "./network/vpc-block";
import type { AwsOptions } from "./options";
import { clusterOptions } from "./shared-options";
import { clusterTags } from "./tags";
import { requireTags } from "./user-tags";

/** Validates the options and applies the defaults. Throws `<option> must be <legal> (got <value>)`. */
export function resolveAws(name: string, options: Omit<AwsOptions, "downloads">): { cluster: Cluster; aws: Aws } {
    const existing = requireExisting(options);
    const { region, zones = ["a", "b", "c"], vpcCidr = "10.0.0.0/16" } = options;
    const { workerPools = [] } = options;
    refuseArbiter(options);
    const cluster = withDirectNetwork(resolveCluster({ ...clusterOptions(options), name }), vpcCidr);
    requireNames(cluster);
    requireLegalFlags(cluster);
    requireDualStack(cluster.network, options);
    requireCloudCni(cluster.network, options.images, "AWS");
    const { candidates = [] } = options.controllers ?? {};
    for (const [index, { name: pool, snippets = [] }] of workerPools.entries()) {
        // Candidates have names.
        if (!candidates.includes(pool)) requireNoHostName(`workerPools[${index}].snippets`, pool, snippets);
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
    const allPools = workerPools.map((pool, index) => {
        const option = `workerPools[${index}]`;
        const { instanceType } = instances[pool.name]!;
        const resolved = requirePool(option, pool, { instanceType, region, zones: letters });
        if (candidates.includes(pool.name)) requireSingleInstances(option, pool);
        return [pool.name, { ...resolved, option }] as const;
    });
    const isSingle = ([pool]: (typeof allPools)[number]) => candidates.includes(pool);
    const candidatePools = Object.fromEntries(allPools.filter(isSingle));
    const pools = Object.fromEntries(allPools.filter((each) => !isSingle(each)));
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
        hasRepairer: cluster.repair !== undefined,
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
            recreate: requireKnownMachines(options.recreate, cluster, cluster.controllers.candidates),
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
            candidatePools,
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

/** It is useless without a pool to scale, and cannot find instances unless nodes have provider ids. */
function requireAutoscaler(
    { autoscaler = false, cloudController = false, clusterAutoscaler }: Omit<AwsOptions, "downloads">,
    pools: Aws["pools"],
): void {
    if (clusterAutoscaler && !autoscaler) {
        throw requires("clusterAutoscaler", "autoscaler", clusterAutoscaler);
    }
    if (autoscaler && !cloudController) {
        throw requires("autoscaler", "cloudController", true);
    }
    if (autoscaler && !Object.values(pools).some(({ scaling }) => scaling)) {
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
