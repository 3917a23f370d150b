import { createHash, createPublicKey } from "node:crypto";
import type { Cluster } from "../model";
import { invalid } from "../validate";
import { issuerOf } from "./credentials";

/** Issuers of the tokens that kube-apiserver accepts; those that it creates are of the first one. */
export function issuersOf({ network, publicIssuer }: Pick<Cluster, "network" | "publicIssuer">): readonly string[] {
    const own = issuerOf(network);
    if (!publicIssuer) return [own];
    return publicIssuer.issuing ? [publicIssuer.url, own] : [own, publicIssuer.url];
}

/** Throws `<option> must be <legal> (got <url>)`. */
export function requireIssuerUrl(option: string, url: string): string {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    const isPlain = parsed?.protocol === "https:" && !parsed.port && !/[?#@]|\/$/.test(url);
    if (isPlain && url === url.toLowerCase()) return url;
    throw invalid(option, "a URL with https in lower case, without a port, a query and a slash at its end", url);
}

/** Flags of kube-apiserver for its issuers. */
export function issuerFlags(
    cluster: Pick<Cluster, "network" | "publicIssuer">,
): Record<string, string | readonly string[]> {
    const { network, publicIssuer } = cluster;
    const issuers = issuersOf(cluster);
    return {
        // By default tokens are for all issuers. The audience stays the same, so that tokens from before are accepted.
        ...(publicIssuer && { "api-audiences": issuerOf(network) }),
        "service-account-issuer": issuers.length === 1 ? issuers[0]! : issuers,
        ...(publicIssuer?.issuing && { "service-account-jwks-uri": jwksUrl(publicIssuer.url) }),
    };
}

const discoveryPath = ".well-known/openid-configuration";
const jwksPath = "openid/v1/jwks";

function jwksUrl(issuer: string): string {
    return `${issuer}/${jwksPath}`;
}

/** The documents of an issuer by their paths below its URL, as kube-apiserver serves them. */
export function issuerDocuments(issuer: string, publicKeys: string): Record<string, string> {
    const keys = keysOf(publicKeys);
    const discovery = {
        issuer,
        jwks_uri: jwksUrl(issuer),
        response_types_supported: ["id_token"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: [...new Set(keys.map(({ alg }) => alg))],
    };
    return { [discoveryPath]: JSON.stringify(discovery), [jwksPath]: JSON.stringify({ keys }) };
}

/** Paths of the documents. */
export const issuerPaths = [discoveryPath, jwksPath] as const;

/** @param publicKeys - PEM of one or more: during a rotation, all accepted ones */
function keysOf(publicKeys: string) {
    const all = publicKeys.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g) ?? [];
    return all.map((pem) => {
        const key = createPublicKey(pem);
        const { kty = "", crv = "", x, y, n, e } = key.export({ format: "jwk" });
        // Kubernetes' own id of a key, which tokens name.
        const kid = createHash("sha256")
            .update(key.export({ type: "spki", format: "der" }))
            .digest("base64url");
        return kty === "RSA"
            ? { use: "sig", kty, kid, alg: "RS256", n, e }
            : { use: "sig", kty, kid, crv, alg: crv.replace("P-", "ES"), x, y };
    });
}
