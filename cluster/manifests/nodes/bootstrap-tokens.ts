import { createHash, createHmac } from "node:crypto";
import type { Manifest } from "../../manifest";
import { type Cluster, nodesByPool } from "../../model";
import { nodeGroupPrefix, poolGroup } from "../rbac";

/** Hours for which a token admits machines. Long enough for a slow first boot, short enough to be worthless when it leaks later. */
export const tokenLifetimeHours = 24;

/** Source: Kubernetes' "Bootstrap Tokens" page. */
export const bootstrapTokenType = "bootstrap.kubernetes.io/token";

/** A shell command that prints when a token that becomes valid now ends: RFC 3339 in UTC. */
export const expirationCommand = `node -p "new Date(Date.now() + ${tokenLifetimeHours * 3_600_000}).toISOString()"`;

/** Whose a token is: a machine's of a pool, or that of all machines of a pool which come at any time. */
export interface TokenHolder {
    readonly pool: string;
    readonly node?: string;
}

/** The name of a token among those of a cluster: no pool's is that of a node. */
export function tokenKey({ pool, node }: TokenHolder): string {
    return node ?? `${pool}/*`;
}

/** Whose the tokens of a cluster are, by their names. Those of others are left out. */
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
 * `expiration` is an RFC 3339 time; whoever applies the Secret sets it, since a manifest must not
 * change with the clock. kube-controller-manager's token cleaner removes the Secret when it is over.
 */
export function bootstrapTokenSecret(
    { pool, node }: TokenHolder,
    token: string,
    { expiration }: { readonly expiration?: string } = {},
): Manifest {
    const [id = "", secret = ""] = token.split(".");
    const groups = [poolGroup(pool), ...(node ? [`${nodeGroupPrefix}${node}`] : [])];
    const fields = {
        "auth-extra-groups": groups.join(","),
        description: node ? `machine ${node}` : `machines of pool ${pool}`,
        ...(expiration && { expiration }),
        "token-id": id,
        "token-secret": secret,
        "usage-bootstrap-authentication": "true",
        "usage-bootstrap-signing": "true",
    };
    return {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: `bootstrap-token-${id}`, namespace: "kube-system" },
        type: bootstrapTokenType,
        data: Object.fromEntries(
            Object.entries(fields).map(([key, text]) => [key, Buffer.from(text).toString("base64")]),
        ),
    };
}

/** The token of a pool that does not end: random, secret, and the same in every run. @param privateKey - of nothing else */
export function lastingToken(privateKey: string): string {
    const digest = createHash("sha256").update(privateKey).digest("hex");
    return `${digest.slice(0, 6)}.${digest.slice(6, 22)}`;
}

/** The token of a machine until its end, and no other one's or time's: of 83 bits. */
export function machineToken(privateKey: string, node: string, end: string): string {
    const digest = createHmac("sha256", privateKey).update(`${node} ${end}`).digest("hex");
    // Twice as many as are needed: the first ones are not as random.
    const text = BigInt(`0x${digest}`).toString(36).padStart(50, "0").slice(-40);
    return `${text.slice(0, 6)}.${text.slice(6, 22)}`;
}

/** Of the length of a token, where a preview does not know it yet. */
export const placeholderToken = `${"x".repeat(6)}.${"x".repeat(16)}`;
