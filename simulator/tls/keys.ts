import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { bitString, children, content, type Der, element, oid, sequence, TAG } from "./der";

export const ALGORITHMS = ["RSA", "ECDSA", "ED25519"] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

/** The provider's curve names to OpenSSL's. */
export const CURVES = { P224: "secp224r1", P256: "prime256v1", P384: "secp384r1", P521: "secp521r1" } as const;
export type Curve = keyof typeof CURVES;

export function generateKey(algorithm: Algorithm, { curve, rsaBits }: { curve: Curve; rsaBits: number }): KeyObject {
    switch (algorithm) {
        case "RSA":
            return generateKeyPairSync("rsa", { modulusLength: rsaBits }).privateKey;
        case "ECDSA":
            return generateKeyPairSync("ec", { namedCurve: CURVES[curve] }).privateKey;
        case "ED25519":
            return generateKeyPairSync("ed25519").privateKey;
    }
}

/** @param property named in the error */
export function parseKey(pem: string, property: string): KeyObject {
    try {
        return createPrivateKey(pem);
    } catch {
        throw new Error(`${property} must be a private key in PEM form`);
    }
}

export function algorithmOf(key: KeyObject): Algorithm {
    const algorithms: Record<string, Algorithm> = { rsa: "RSA", ec: "ECDSA", ed25519: "ED25519" };
    const algorithm = algorithms[key.asymmetricKeyType ?? ""];
    if (!algorithm) throw new Error(`the key's algorithm must be one of ${ALGORITHMS}, got ${key.asymmetricKeyType}`);
    return algorithm;
}

/** SubjectPublicKeyInfo of a private or public key. */
export function publicKeyInfo(key: KeyObject): Der {
    const publicKey = key.type === "private" ? createPublicKey(key) : key;
    return publicKey.export({ type: "spki", format: "der" });
}

/** SHA-1 of the key itself (RFC 5280 4.2.1.2, method 1). */
export function keyIdentifier(info: Der): Buffer {
    return createHash("sha1")
        .update(content(children(info)[1]).subarray(1))
        .digest();
}

/** `body` with its signature and the signature's algorithm: the outer form of certificates and requests. */
export function signed(body: Der, key: KeyObject): Der {
    const { hash, identifier } = signatureAlgorithm(key);
    return sequence(body, identifier, bitString(sign(hash, body, key)));
}

/** The hash that Go picks for a key, and the identifier to write for it. */
export function signatureAlgorithm(key: KeyObject): { hash: string | null; identifier: Der } {
    const algorithm = algorithmOf(key);
    if (algorithm === "ED25519") return { hash: null, identifier: sequence(oid("1.3.101.112")) };
    if (algorithm === "RSA") {
        return { hash: "sha256", identifier: sequence(oid("1.2.840.113549.1.1.11"), element(TAG.null)) };
    }
    const curve = key.asymmetricKeyDetails?.namedCurve;
    if (curve === CURVES.P384) return { hash: "sha384", identifier: sequence(oid("1.2.840.10045.4.3.3")) };
    if (curve === CURVES.P521) return { hash: "sha512", identifier: sequence(oid("1.2.840.10045.4.3.4")) };
    return { hash: "sha256", identifier: sequence(oid("1.2.840.10045.4.3.2")) };
}
