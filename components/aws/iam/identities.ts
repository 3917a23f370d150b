import type * as pulumi from "@pulumi/pulumi";
import type { ConfigStore } from "../buckets";
import { releasePermissions } from "../machines/workers";
import type { Aws } from "../model";
import type { Tags } from "../tags";
import { createIdentity, type PoolIdentity } from "./identity";

interface IdentitiesArgs {
    readonly aws: Aws;
    readonly store: ConfigStore;
    readonly tags: Tags;
}

/** Roles of the instances, by pool, including `controller`. */
export function createIdentities(
    cluster: string,
    { aws, store, tags }: IdentitiesArgs,
    opts: pulumi.CustomResourceOptions,
): Record<string, PoolIdentity> {
    const { instances, pools, region, permissionsBoundary: boundary } = aws;
    return Object.fromEntries(
        Object.entries(instances).map(([pool, { policies }]) => {
            const permissions = pool in pools ? [releasePermissions({ cluster, pool, region })] : [];
            return [pool, createIdentity(cluster, { pool, store, tags, permissions, policies, boundary }, opts)];
        }),
    );
}
