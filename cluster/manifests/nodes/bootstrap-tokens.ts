import { createHash, createHmac, randomBytes } from "node:crypto";
import type { Manifest } from "../../manifest";
import { type Cluster, nodesByPool } from "../../model";
import { secret } from "../objects";
import { nodeGroupPrefix, poolGroup } from "../rbac";

/**
 * Hours that a token admits machines. Long enough for a slow first boot, short enough to be worthless if it leaks
 * later.
 */
export const tokenLifetimeHours = 24;

/** Source: Kubernetes' "Bootstrap Tokens" page. */
export const bootstrapTokenType = "bootstrap.kubernetes.io/token";

/** Shell command that prints when a token created now expires: RFC 3339 in UTC. */
export const expirationCommand = `node -p "new Date(Date.now() + ${tokenLifetimeHours * 3_600_000}).toISOString()"`;

/** Owner of a token: a machine of a pool, or all machines of a pool whose machines are created at any time. */
export interface TokenHolder {
    readonly pool: string;
    readonly node?: string;
}

/** Name of a token in a cluster: no pool has the name of a node. */
export function tokenKey({ pool, node }: TokenHolder): string {
    return node ?? `${pool}/*`;
}

/** Owners of a cluster's tokens, by the tokens' names. Others are omitted. */
export function tokenHolders(cluster: Cluster, tokens: Readonly<Record<string, string>>): TokenHolder[] {
    const pools = Object.entries(nodesByPool(cluster));
    return Object.keys(tokens).flatMap((key) => {
        const holders = pools.flatMap(([pool, nodes]): TokenHolder[] => [
            { pool },
            ...nodes.map((node) => ({ pool, node })),
        ]);
        return holders.find((holder) => tokenKey(holder) === key) ?? [];
    });
}

/**
 * The Secret that makes a bootstrap token valid.
 *
 * `expiration` is an RFC 3339 time. It is set when the Secret is applied, because a manifest must not depend on the
 * clock. kube-apiserver rejects an expired token; nothing deletes the Secret, except those of `tradewind join-token`.
 */
export function bootstrapTokenSecret(
    { pool, node }: TokenHolder,
    token: string,
    { expiration }: { readonly expiration?: string } = {},
): Manifest {
    const [id = "", secretPart = ""] = token.split(".");
    const groups = [poolGroup(pool), ...(node ? [`${nodeGroupPrefix}${node}`] : [])];
    const fields = {
        "auth-extra-groups": groups.join(","),
        description: node ? `machine ${node}` : `machines of pool ${pool}`,
        ...(expiration && { expiration }),
        "token-id": id,
        "token-secret": secretPart,
        "usage-bootstrap-authentication": "true",
        "usage-bootstrap-signing": "true",
    };
    return { ...secret(`bootstrap-token-${id}`, fields), type: bootstrapTokenType };
}

/**
 * A pool's token without expiry: random, secret, and the same in every run. 83 bits.
 * @param privateKey - used for nothing else
 */
export function lastingToken(privateKey: string): string {
    const digest = createHash("sha256").update(privateKey).digest("hex");
    return tokenOf(inTokenLetters(digest));
}

/** Token of a machine until it expires, unique to the machine and time: 83 bits. */
export function machineToken(privateKey: string, node: string, end: string): string {
    const digest = createHmac("sha256", privateKey).update(`${node} ${end}`).digest("hex");
    return tokenOf(inTokenLetters(digest));
}

/** Token that nothing can derive: 83 bits. */
export function randomToken(): string {
    return tokenOf(inTokenLetters(randomBytes(32).toString("hex")));
}

/** A SHA-256 digest in all letters and digits that tokens may have: 40 of the 50, as the first ones are less random. */
function inTokenLetters(digest: string): string {
    return BigInt(`0x${digest}`).toString(36).padStart(50, "0").slice(-40);
}

function tokenOf(text: string): string {
    return `${text.slice(0, 6)}.${text.slice(6, 22)}`;
}

/** Has the length of a token, for previews that do not know it yet. */
export const placeholderToken = `${"x".repeat(6)}.${"x".repeat(16)}`;
