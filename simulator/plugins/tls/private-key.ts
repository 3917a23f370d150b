import { createHash, type KeyObject } from "node:crypto";
import {
    ALGORITHMS,
    type Algorithm,
    algorithmOf,
    CURVES,
    type Curve,
    generateKey,
    opensshForms,
    publicKeyInfo,
    toPem,
} from "../../../clients/x509/keys";
import { compare, type Failure, isUnknown, type Resource, secret, UNKNOWN } from "../protocol/serve";

const COMPUTED = [
    "privateKeyPem",
    "privateKeyPemPkcs8",
    "privateKeyOpenssh",
    "publicKeyPem",
    "publicKeyOpenssh",
    "publicKeyFingerprintMd5",
    "publicKeyFingerprintSha256",
];

/** `tls.PrivateKey`. */
export const privateKey: Resource = {
    async check({ inputs }) {
        const failures: Failure[] = [];
        const oneOf = (property: string, value: unknown, legal: readonly string[]) => {
            if (isUnknown(value) || legal.includes(value as string)) return;
            failures.push({ property, reason: `${property} must be one of ${legal.join(", ")} (got ${value})` });
        };
        oneOf("algorithm", inputs.algorithm, ALGORITHMS);
        oneOf("ecdsaCurve", inputs.ecdsaCurve ?? "P224", Object.keys(CURVES));
        return { inputs, failures };
    },
    async diff({ oldInputs, inputs }) {
        return compare(oldInputs, inputs, () => true);
    },
    async create({ inputs, preview }) {
        const { algorithm, ecdsaCurve = "P224", rsaBits = 2048 } = inputs;
        const known = { ...inputs, ecdsaCurve, rsaBits };
        if (preview)
            return { id: "", state: { ...known, ...Object.fromEntries(COMPUTED.map((key) => [key, UNKNOWN])) } };
        const key = generateKey(algorithm as Algorithm, { curve: ecdsaCurve as Curve, rsaBits: Number(rsaBits) });
        const { id, ...open } = publicForms(key);
        return { id, state: { ...known, ...privateForms(key), ...open } };
    },
};

/** Outputs derived from the public half of a key. */
export function publicForms(key: KeyObject) {
    const info = publicKeyInfo(key);
    const openssh = opensshForms(key);
    return {
        id: createHash("sha1").update(info).digest("hex"),
        publicKeyPem: toPem("PUBLIC KEY", info),
        publicKeyOpenssh: openssh?.publicKey ?? "",
        publicKeyFingerprintMd5: openssh?.fingerprintMd5 ?? "",
        publicKeyFingerprintSha256: openssh?.fingerprintSha256 ?? "",
    };
}

function privateForms(key: KeyObject) {
    const types = { RSA: "pkcs1", ECDSA: "sec1", ED25519: "pkcs8" } as const;
    const pem = (type: "pkcs1" | "sec1" | "pkcs8") =>
        key.export({ type, format: "pem" } as { type: "pkcs8"; format: "pem" });
    return {
        privateKeyPem: secret(pem(types[algorithmOf(key)])),
        privateKeyPemPkcs8: secret(pem("pkcs8")),
        privateKeyOpenssh: secret(opensshForms(key)?.privateKey() ?? ""),
    };
}
