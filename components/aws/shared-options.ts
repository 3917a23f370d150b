import { without } from "../../cluster/manifest";
import { type KeysOf, splitOptions } from "../../cluster/option-keys";
import type { ClusterOptions, PublicIssuer } from "../../cluster/options";
import { cloudOsReboots } from "../../cluster/os-reboots";
import { requireSnapshotBucket } from "./buckets";
import { requireTokenIssuer } from "./iam/token-issuer";
import { firstCount } from "./machines/pools";
import type {
    AwsControllerOptions,
    AwsInstanceOptions,
    AwsOptions,
    AwsPoolOptions,
    AwsServiceAccountRolesOptions,
} from "./options";

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
    const withoutGroup = ({ instanceTypes, spot, min, max, zones, instanceRefresh, ...pool }: AwsPoolOptions) => {
        const count = countOf({ ...pool, min, max });
        return { ...withoutInstance(pool), ...(count !== undefined && { count }) };
    };
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
