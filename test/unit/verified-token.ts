import assert from "node:assert/strict";
import { createPublicKey, type JsonWebKey, verify } from "node:crypto";

/** Claims of a token, verified as by anyone who only has the issuer's documents; throws if they do not fit. */
export function verifiedToken(
    token: string,
    documents: Readonly<Record<string, string>>,
    expected: { readonly issuer: string; readonly audience: string },
): Record<string, unknown> {
    const discovery = JSON.parse(documents[".well-known/openid-configuration"]!);
    assert.equal(discovery.issuer, expected.issuer);
    const path = String(discovery.jwks_uri).replace(`${discovery.issuer}/`, "");
    const { keys } = JSON.parse(documents[path]!) as { keys: (JsonWebKey & { kid: string; alg: string })[] };
    const [header = "", payload = "", signature = ""] = token.split(".");
    const parsed = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
    const { kid, alg } = parsed(header);
    const key = keys.find((each) => each.kid === kid);
    assert.ok(key, `no key ${kid} among ${keys.map((each) => each.kid)}`);
    assert.equal(alg, key.alg);
    assert.ok(discovery.id_token_signing_alg_values_supported.includes(alg));
    const isValid = verify(
        "sha256",
        Buffer.from(`${header}.${payload}`),
        { key: createPublicKey({ key, format: "jwk" }), dsaEncoding: "ieee-p1363" },
        Buffer.from(signature, "base64url"),
    );
    assert.ok(isValid, "the signature is not of the key");
    const claims = parsed(payload);
    assert.equal(claims.iss, expected.issuer);
    assert.ok([claims.aud].flat().includes(expected.audience));
    return claims;
}
