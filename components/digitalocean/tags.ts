import { invalid, requireMatch } from "../cluster/validate";

/** Those by which firewalls and load balancers know a cluster's droplets. */
export function ownTags(cluster: string) {
    return { nodes: cluster, controllers: `${cluster}-controller`, ingress: `${cluster}-ingress` };
}

/** Throws unless each is a tag that DigitalOcean takes, given once, and none that opens a firewall. Their case tells nothing apart. */
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
        if (lowered.indexOf(lowered[index]!) !== index) throw invalid(option, "given once", tag);
    });
    return tags;
}
