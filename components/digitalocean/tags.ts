import { invalid, requireMatch } from "../../cluster/validate";

/** Tags that firewalls and load balancers select a cluster's droplets by. */
export function ownTags(cluster: string) {
    // With a colon, no cluster's name is another one's tag.
    const workers = `${cluster}:worker`;
    return { nodes: cluster, controllers: `${cluster}-controller`, workers, ingress: `${cluster}-ingress` };
}

/** Throws unless all tags are valid in DigitalOcean, unique, and do not open a firewall. Tags are case-insensitive. */
export function requireTags(tags: readonly string[], cluster: string): readonly string[] {
    const own: readonly string[] = Object.values(ownTags(cluster));
    const lowered = tags.map((tag) => tag.toLowerCase());
    tags.forEach((tag, index) => {
        const option = `tags[${index}]`;
        requireMatch(
            option,
            /^[A-Za-z0-9:_-]{1,255}$/,
            "1 to 255 letters, digits, colons, dashes and underscores",
            tag,
        );
        if (own.includes(lowered[index]!))
            throw invalid(option, `none of ${own.join(", ")}, which open firewalls`, tag);
        if (lowered.indexOf(lowered[index]!) !== index) throw invalid(option, "listed once", tag);
    });
    return tags;
}
