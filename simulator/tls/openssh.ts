import { createHash, createPublicKey, type KeyObject, randomBytes } from "node:crypto";
import { algorithmOf, CURVES } from "./keys";
import { toPem } from "./pem";

const CURVE_NAMES: Record<string, string> = {
    [CURVES.P256]: "nistp256",
    [CURVES.P384]: "nistp384",
    [CURVES.P521]: "nistp521",
};

/** The forms that OpenSSH reads; `undefined` for a curve that it does not have (P224). */
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
    const curve = CURVE_NAMES[key.asymmetricKeyDetails?.namedCurve ?? ""];
    if (algorithmOf(key) === "ECDSA" && !curve) return undefined;
    const [secret, open] = [key, createPublicKey(key)].map((part) => part.export({ format: "jwk" }));
    const bytes = (part: string | undefined) => Buffer.from(part ?? "", "base64url");
    switch (algorithmOf(key)) {
        case "RSA": {
            const [n, e, d, qi, p, q] = [open.n, open.e, secret.d, secret.qi, secret.p, secret.q].map((part) =>
                positive(bytes(part)),
            );
            return { publicParts: ["ssh-rsa", e, n], privateParts: ["ssh-rsa", n, e, d, qi, p, q] };
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
    // The same number twice tells a reader that it decrypted well; nothing is encrypted here.
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
    return digits[0] & 0x80 ? Buffer.concat([Buffer.from([0]), digits]) : digits;
}
