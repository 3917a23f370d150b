/** Priority classes that every cluster has, and their values. The higher one outlives the lower when a node shuts down. */
export const priorities = {
    /** What the API is made of, and what every workload needs of it. */
    control: { name: "system-cluster-critical", value: 2_000_000_000 },
    /** What that stands on: etcd and the node's network. */
    node: { name: "system-node-critical", value: 2_000_001_000 },
} as const;
