import type { StandInDigitalOcean } from "./stand-in";

/** Of the cluster `c`, created by a stack. */
export const place = {
    kind: "digitalocean",
    vpcId: "vpc-1",
    tag: "c",
    ownLoadBalancers: ["c-api", "c-ingress"],
    volumePrefix: "pvc-",
} as const;

const region = { slug: "fra1" };

const balancer = (id: string, name: string, droplet_ids: number[], vpc_uuid = place.vpcId as string) => ({
    ...{ id, name, vpc_uuid, droplet_ids },
});
const volume = (id: string, name: string, tags: string[], droplet_ids: number[] = []) => ({
    ...{ id, name, tags, droplet_ids, size_gigabytes: 5, region },
});

/**
 * Leftovers of DigitalOcean's controllers after their cluster died: load balancers 2 and 3, volume 7. Everything else
 * belongs to others.
 */
export function leaveBehind({ lists }: StandInDigitalOcean): void {
    Object.assign(lists, {
        vpcs: [{ id: place.vpcId }],
        droplets: [
            { id: 1, tags: ["c", "c-controller"] },
            { id: 2, tags: ["c"] },
            { id: 3, tags: ["d"] },
        ],
        load_balancers: [
            balancer("1", "c-api", [1]),
            balancer("2", `a${"0f".repeat(15)}1`, []),
            balancer("3", "named-by-its-service", [2]),
            balancer("4", "somebody's", [2, 3]),
            balancer("5", `a${"0e".repeat(15)}1`, [3], "vpc-2"),
            balancer("6", "empty", []),
        ],
        volumes: [
            volume("7", "pvc-7", ["c"], [2]),
            volume("8", "c-controller-0-etcd", [], [1]),
            volume("9", "pvc-9", ["c-other"]),
        ],
    });
}
