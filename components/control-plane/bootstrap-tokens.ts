import { createHash } from "node:crypto";
import type { Manifest } from "../cluster/manifest";
import { bootstrapGroup } from "./rbac";

/** Hours for which a token admits machines. Long enough for a slow first boot, short enough to be worthless when it leaks later. */
export const tokenLifetimeHours = 24;

/** Source: Kubernetes' "Bootstrap Tokens" page. */
export const bootstrapTokenType = "bootstrap.kubernetes.io/token";

/** A shell command that prints when a token that becomes valid now ends: RFC 3339 in UTC. */
export const expirationCommand = `node -p "new Date(Date.now() + ${tokenLifetimeHours * 3_600_000}).toISOString()"`;

/**
 * The Secret that makes a pool's bootstrap token valid.
 *
 * `expiration` is an RFC 3339 time; whoever applies the Secret sets it, since a manifest must not
 * change with the clock. kube-controller-manager's token cleaner removes the Secret when it is over.
 *
 * @param group - of whoever has the token. @default that whose requests are approved by themselves
 */
export function bootstrapTokenSecret(
    pool: string,
    token: string,
    { expiration, group = bootstrapGroup }: { readonly expiration?: string; readonly group?: string } = {},
): Manifest {
    const [id = "", secret = ""] = token.split(".");
    const fields = {
        "auth-extra-groups": group,
        description: `machines of pool ${pool}`,
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

/** A token derived from a private key that nothing else uses: random, secret, and the same in every run. */
export function bootstrapToken(privateKey: string): string {
    const digest = createHash("sha256").update(privateKey).digest("hex");
    return `${digest.slice(0, 6)}.${digest.slice(6, 22)}`;
}
