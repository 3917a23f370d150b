import { sharedOptions } from "../../cluster/option-keys";
import type { ClusterOptions, PublicIssuer } from "../../cluster/options";
import { cloudOsReboots } from "../../cluster/os-reboots";
import { requireSnapshotBucket } from "./buckets";
import { requireTokenIssuer } from "./iam/token-issuer";
import { firstCount } from "./machines/pools";
import type { AwsOptions, AwsPoolOptions, AwsServiceAccountRolesOptions } from "./options";

/** The options shared by all clouds. */
export function clusterOptions(
    options: Omit<AwsOptions, "downloads">,
    /** Number of nodes of a pool. */
    countOf: (pool: AwsPoolOptions) => number | undefined = firstCount,
): Omit<ClusterOptions, "name"> {
    const { region, snapshotBucket, serviceAccountRoles } = options;
    const workerPools = options.workerPools?.map((pool) => {
        const count = countOf(pool);
        return { ...pool, ...(count !== undefined && { count }) };
    });
    const shared = sharedOptions({ ...options, workerPools });
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
    };
}

function publicIssuer(options: AwsServiceAccountRolesOptions, region: string): PublicIssuer {
    const { url, issuing } = requireTokenIssuer(options, region);
    return { url, issuing };
}
