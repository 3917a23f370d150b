import { awsAccess } from "./aws";
import { digitalOceanAccess } from "./digitalocean";
import type { CloudAccess } from "./leftover";

/** Searches each cloud, by the `kind` of place. */
const accesses = { aws: awsAccess, digitalocean: digitalOceanAccess };

/** Where a cluster's controllers created resources, and how to distinguish them from the stack's. */
export type CloudPlace = Parameters<(typeof accesses)[keyof typeof accesses]>[0];

/** Access to a place's cloud from this machine. */
export function accessTo(place: CloudPlace): Promise<CloudAccess> {
    const access = accesses[place.kind] as (place: CloudPlace) => Promise<CloudAccess>;
    return access(place);
}
