/** Tags that firewalls and load balancers select a cluster's droplets by. */
export function ownTags(cluster: string) {
    // With a colon, no cluster's name is another one's tag.
    const workers = `${cluster}:worker`;
    return { nodes: cluster, controllers: `${cluster}-controller`, workers, ingress: `${cluster}-ingress` };
}
