import { invalid } from "../cluster/validate";
import type { DigitalOcean } from "./resolve";

/** Tokens of DigitalOcean's API for what runs in the cluster: each may be of as few scopes as it needs. */
export interface DigitalOceanTokens {
    /** With `hasCloudController`: its token. A secret. */
    cloudController?: string;
    /** With `hasCsiDriver`: its token. A secret. */
    csiDriver?: string;
}

/** What is asked for, and comes with a token. */
export type TokenHolders = Pick<DigitalOcean, "hasCloudController" | "hasCsiDriver">;

/** Checks that each is there which is needed, and no other, and tells none of them. */
export function requireTokens(holders: TokenHolders, tokens: DigitalOceanTokens = {}): DigitalOceanTokens {
    requireToken("cloudController", holders, "hasCloudController", tokens);
    requireToken("csiDriver", holders, "hasCsiDriver", tokens);
    return tokens;
}

function requireToken(
    name: keyof DigitalOceanTokens,
    holders: TokenHolders,
    holder: keyof TokenHolders,
    { [name]: token }: DigitalOceanTokens,
): void {
    const option = `cloudTokens.${name}`;
    if (holders[holder] && !token) throw invalid(option, `given with ${holder}`, "nothing");
    if (!holders[holder] && token !== undefined) throw invalid(option, `left out without ${holder}`, "one");
    if (token !== undefined && !/^\S+$/.test(token)) {
        throw invalid(option, "a token without spaces", "another text");
    }
}
