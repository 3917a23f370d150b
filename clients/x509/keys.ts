import {
    createHash,
    createPrivateKey,
    createPublicKey,
    type ED25519KeyPairOptions,
    generateKeyPairSync,
    type KeyObject,
    randomBytes,
    sign,
} from "node:crypto";
import { bitString, child, content, type Der, element, oid, sequence, TAG } from "./der";

export const ALGORITHMS = ["RSA", "ECDSA", "ED25519"] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

/** The provider's curve names to OpenSSL's. */
export const CURVES = { P224: "secp224r1", P256: "prime256v1", P384: "secp384r1", P521: "secp521r1" } as const;
export type Curve = keyof typeof CURVES;

/**
 * A new private key, parsed from its PEM form: Node 20 deadlocks if it exports a key as JWK while the garbage collector
 * removes what generated the same key.
 */
export function generateKey(algorithm: Algorithm, sizes: { curve: Curve; rsaBits: number }): KeyObject {
    return createPrivateKey(generatePem(algorithm, sizes));
}

function generatePem(algorithm: Algorithm, { curve, rsaBits }: { curve: Curve; rsaBits: number }): string {
    const encodings: ED25519KeyPairOptions<"pem", "pem"> = {
        publicKeyEncoding: { type: "spki", format: "pem" },
        privateKeyEncoding: { type: "pkcs8", format: "pem" },
    };
    switch (algorithm) {
        case "RSA":
            return generateKeyPairSync("rsa", { ...encodings, modulusLength: rsaBits }).privateKey;
        case "ECDSA":
            return generateKeyPairSync("ec", { ...encodings, namedCurve: CURVES[curve] }).privateKey;
        case "ED25519":
            return generateKeyPairSync("ed25519", encodings).privateKey;
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
    if (!algorithm) throw new Error(`the key's algorithm must be one of ${ALGORITHMS} (got ${key.asymmetricKeyType})`);
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
        .update(content(child(info, 1)).subarray(1))
        .digest();
}

/** `body` with its signature and the signature's algorithm: the outer form of certificates and requests. */
export function signed(body: Der, key: KeyObject): Der {
    const { hash, identifier } = signatureAlgorithm(key);
    return sequence(body, identifier, bitString(sign(hash, body, key)));
}

/** The hash that Go picks for a key, and its object identifier. */
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

const CURVE_NAMES: Record<string, string> = {
    [CURVES.P256]: "nistp256",
    [CURVES.P384]: "nistp384",
    [CURVES.P521]: "nistp521",
};

/** OpenSSH formats; `undefined` for a curve that it does not support (P224). */
export function opensshForms(key: KeyObject) {
    const parts = sshParts(key);
    if (!parts) return undefined;
    const blob = Buffer.concat(parts.publicParts.map(string));
    const md5 = createHash("md5").update(blob).digest("hex");
    const sha256 = createHash("sha256").update(blob).digest("base64").replace(/=+$/, "");
    return {
        publicKey: `${parts.publicParts[0]} ${blob.toString("base64")}\n`,
        fingerprintMd5: md5.match(/../g)!.join(":"),
        fingerprintSha256: `SHA256:${sha256}`,
        privateKey: () => privateKey(blob, parts.privateParts),
    };
}

/** The key's numbers, in the order of OpenSSH's formats (RFC 4253 6.6, RFC 5656, PROTOCOL.key). */
function sshParts(key: KeyObject) {
    const curve = CURVE_NAMES[key.asymmetricKeyDetails?.namedCurve ?? ""] ?? "";
    if (algorithmOf(key) === "ECDSA" && !curve) return undefined;
    const [secret, open] = [key.export({ format: "jwk" }), createPublicKey(key).export({ format: "jwk" })];
    const bytes = (part: string | undefined) => Buffer.from(part ?? "", "base64url");
    switch (algorithmOf(key)) {
        case "RSA": {
            const [n, e] = [positive(bytes(open.n)), positive(bytes(open.e))];
            const rest = [secret.d, secret.qi, secret.p, secret.q].map((part) => positive(bytes(part)));
            return { publicParts: ["ssh-rsa", e, n], privateParts: ["ssh-rsa", n, e, ...rest] };
        }
        case "ED25519": {
            const [seed, point] = [bytes(secret.d), bytes(open.x)];
            const publicParts = ["ssh-ed25519", point];
            return { publicParts, privateParts: [...publicParts, Buffer.concat([seed, point])] };
        }
        case "ECDSA": {
            const point = Buffer.concat([Buffer.from([4]), bytes(open.x), bytes(open.y)]);
            const publicParts = [`ecdsa-sha2-${curve}`, curve, point];
            return { publicParts, privateParts: [...publicParts, positive(bytes(secret.d))] };
        }
    }
}

function privateKey(publicBlob: Buffer, parts: readonly (string | Buffer)[]): string {
    // The repeated number lets a reader check the decryption; nothing is encrypted here.
    const check = randomBytes(4);
    const unpadded = Buffer.concat([check, check, ...parts.map(string), string("")]);
    const padding = Buffer.from(Array.from({ length: (8 - (unpadded.length % 8)) % 8 }, (_, index) => index + 1));
    const body = Buffer.concat([
        Buffer.from("openssh-key-v1\0"),
        ...["none", "none", ""].map(string),
        Buffer.from([0, 0, 0, 1]),
        string(publicBlob),
        string(Buffer.concat([unpadded, padding])),
    ]);
    return toPem("OPENSSH PRIVATE KEY", body);
}

function string(value: string | Buffer): Buffer {
    const bytes = Buffer.from(value as string);
    const size = Buffer.alloc(4);
    size.writeUInt32BE(bytes.length);
    return Buffer.concat([size, bytes]);
}

function positive(bytes: Buffer): Buffer {
    const start = bytes.findIndex((byte) => byte !== 0);
    const digits = bytes.subarray(Math.max(start, 0));
    return (digits[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), digits]) : digits;
}

/** A PEM block with lines of 64 characters and a newline at the end, as Go writes it. */
export function toPem(label: string, der: Uint8Array): string {
    const lines =
        Buffer.from(der)
            .toString("base64")
            .match(/.{1,64}/g) ?? [];
    return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}

/** @param property named in the error */
export function fromPem(label: string, pem: string, property: string): Buffer {
    const block = new RegExp(`-----BEGIN ${label}-----([A-Za-z0-9+/=\\s]+)-----END ${label}-----`);
    const [, base64] = block.exec(pem) ?? [];
    if (base64 === undefined) throw new Error(`${property} must be a ${label} in PEM form`);
    return Buffer.from(base64, "base64");
}
