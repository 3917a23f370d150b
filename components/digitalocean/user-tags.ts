import type { Input } from "@pulumi/pulumi";
import { mustNot, requireMatch } from "../../cluster/validate";
import { isLate, requireLate, shown } from "../pulumi/late";
import { ownTags } from "./tags";

/** Throws unless all tags are valid in DigitalOcean, unique, and do not open a firewall. Tags are case-insensitive. */
export function requireTags(tags: readonly Input<string>[], cluster: string): readonly Input<string>[] {
    const lowered = tags.map((tag) => (isLate(tag) ? tag : String(tag).toLowerCase()));
    return tags.map((tag, index) => {
        const option = `tags[${index}]`;
        if (lowered.indexOf(lowered[index]!) !== index) throw mustNot(option, "be listed twice", shown(tag));
        return requireLate(tag, (known) => requireTag(option, known, cluster));
    });
}

function requireTag(option: string, tag: string, cluster: string): string {
    const own: readonly string[] = Object.values(ownTags(cluster));
    requireMatch(option, /^[A-Za-z0-9:_-]{1,255}$/, "1 to 255 letters, digits, colons, dashes and underscores", tag);
    if (own.includes(tag.toLowerCase()))
        throw mustNot(option, `be one of ${own.join(", ")}, which open firewalls`, tag);
    return tag;
}
