import { invalid } from "../cluster/validate";
import type { DigitalOcean } from "./resolve";

/** Tokens of DigitalOcean's API for what runs in the cluster: each may be of as few scopes as it needs. */
export interface DigitalOceanTokens {
    /** With `hasCloudController`. */
    cloudController?: string;
}

/** Checks that each is there which is needed, and no other, and tells none of them. */
export function requireTokens(
    { hasCloudController }: Pick<DigitalOcean, "hasCloudController">,
    tokens: DigitalOceanTokens = {},
): DigitalOceanTokens {
    const needed = { cloudController: hasCloudController };
    for (const [name, isNeeded] of Object.entries(needed)) {
        const token = tokens[name as keyof DigitalOceanTokens];
        const of = `cloudTokens.${name}`;
        const option = `has${name[0]!.toUpperCase()}${name.slice(1)}`;
        if (isNeeded && !token) throw invalid(of, `given with ${option}`, "nothing");
        if (!isNeeded && token !== undefined) throw invalid(of, `left out without ${option}`, "one");
        if (token !== undefined && !/^\S+$/.test(token)) throw invalid(of, "a token without spaces", "another text");
    }
    return tokens;
}
