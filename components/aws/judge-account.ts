/** Zones of a region that offer instance types, by type. */
export type Offers = Readonly<Record<string, readonly string[]>>;

/** An account's quota. */
export interface Quota {
    /** `VPCs`. */
    readonly what: string;
    readonly used: number;
    readonly limit: number;
    /** What to do instead of requesting a higher one. @default nothing else helps */
    readonly instead?: string;
}

/** Why the account takes no more of a kind. */
export function quotaProblem(region: string, more: number, { what, used, limit, instead }: Quota): string | undefined {
    if (more === 0 || used + more <= limit) return undefined;
    const counted = `${used} exist and ${more} ${more === 1 ? "is" : "are"} to be created`;
    const otherwise = instead === undefined ? "" : `, or ${instead}`;
    return `the account's quota of ${what} in ${region} must be at least ${used + more}, ${counted} (got ${limit}): request a higher one from AWS${otherwise}`;
}

/** Why a cluster cannot have its name. @param found - `the load balancer c-api` */
export function nameProblem(cluster: string, region: string, found: string): string {
    return `the cluster's name must be one that no other cluster in ${region} has (got ${cluster}): ${found} exists already. Choose another name, or delete what is left of an earlier cluster`;
}

/** Why a bucket cannot have its name. @param found - `of this account`: whose it is */
export function bucketProblem(option: string, name: string, found: string): string {
    const instead =
        option === "snapshotBucket.name"
            ? "delete it, or use one of this account as it is with etcdSnapshots.s3 (docs/aws.md#snapshots-in-s3)"
            : "or delete it";
    return `${option} must be a name that no bucket has (got ${name}, which exists and is ${found}): choose another name, ${instead}`;
}

/**
 * Why `kmsKeyId` must be set: what omits a key has the account's default, for which the stack has no permissions.
 *
 * AWS' own key has an alias, and a policy that permits all that the account may do by EBS. Source: the example of
 * `get-ebs-default-kms-key-id` in AWS' documentation.
 *
 * @param found - the account's default key for EBS
 */
export function keyProblem(region: string, found: string): string | undefined {
    if (/(^|:)alias\/aws\/ebs$/.test(found)) return undefined;
    return `kmsKeyId must be set, because the account's default key for EBS in ${region} is not AWS' own, but ${found}: volumes would be encrypted with it, and neither Auto Scaling nor the CSI driver might use it. Set kmsKeyId to it or to another key, whose policy permits what docs/aws-machines.md lists`;
}

/** Why a pool cannot have its name: cluster a's pool b-c and cluster a-b's pool c would have the same group. */
export function groupProblem(cluster: string, pool: string, region: string, found: string): string {
    return `workerPools must have names that make new groups in ${region} (got ${pool} in cluster ${cluster}): ${found} ${cluster}-${pool} exists already. Choose another name, or delete it`;
}

/** Why an instance cannot start in its zone. @returns undefined too if nothing is known of the zone */
export function offerProblem(
    option: string,
    node: string,
    { type, zone }: { readonly type: string; readonly zone: string },
    offers: Offers,
): string | undefined {
    const zones = offers[type];
    if (zones === undefined || zones.includes(zone)) return undefined;
    const where = zones.length === 0 ? "no zone of the region has" : `is only in ${[...zones].sort().join(", ")}`;
    return `${option} must be a type that ${zone} has, where ${node} would be (got ${type}, which ${where}): choose another type${zones.length === 0 ? "" : ", or zones that have it"}`;
}

/** Where a pool's group starts instances. */
interface PoolPlaces {
    readonly pool: string;
    readonly types: readonly string[];
    readonly zones: readonly string[];
}

/** Why none of a pool's instances could start. */
export function poolProblem({ pool, types, zones }: PoolPlaces, offers: Offers): string | undefined {
    const lacking = zones.filter((zone) => isWithout(zone, types, offers));
    if (zones.length === 0 || lacking.length < zones.length) return undefined;
    return `pool ${pool} must have an instance type that ${zones.join(" or ")} has (got ${types.join(", ")})`;
}

/** Warns of zones in which none of a pool's instances can start. */
export function poolWarning(places: PoolPlaces, offers: Offers): string | undefined {
    const { pool, types, zones } = places;
    const lacking = zones.filter((zone) => isWithout(zone, types, offers));
    if (lacking.length === 0 || lacking.length === zones.length) return poolProblem(places, offers);
    return `pool ${pool} gets no instances in ${lacking.join(", ")}, which ${lacking.length === 1 ? "does" : "do"} not have ${types.join(", ")}: its group uses the other zones`;
}

function isWithout(zone: string, types: readonly string[], offers: Offers): boolean {
    return types.every((type) => offers[type] !== undefined && !offers[type].includes(zone));
}

/**
 * Why a load balancer would be replaced: the provider removes a subnet from one only if there are more than before.
 *
 * @param known - those of its future subnets that exist
 * @param count - of all its future subnets
 */
export function subnetProblem(
    { name, subnets }: { readonly name: string; readonly subnets: readonly string[] },
    { known, count }: { readonly known: readonly string[]; readonly count: number },
    option: "zones" | "loadBalancerSubnetIds",
): string | undefined {
    const removed = subnets.filter((each) => !known.includes(each));
    if (removed.length === 0 || count > subnets.length) return undefined;
    const kept = option === "zones" ? "the zones" : "the subnets";
    return `${option} must keep ${kept} of the load balancer ${name} (got none for ${removed.join(", ")}): it would be deleted and created again, and the API would be unreachable meanwhile`;
}
