import { createHash, createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import type { GivenKeys } from "../options";
import { invalid } from "../validate";
import { caName } from "./kubernetes-ca";
import { type Given, type GivenKind, givenKinds, type KeyLists } from "./lists";

/** A given key, and the certificate of a CA, in the forms that all programs read. */
export interface ReadKey {
    /** PEM. @default - none: it signs tokens */
    readonly certificate?: string;
    /** PEM in PKCS 1 or SEC 1. */
    readonly key: string;
    /** PEM in PKCS 8. */
    readonly pkcs8: string;
    readonly publicKey: string;
    /** SHA-256 of the certificate, or of the public key, in hexadecimal. */
    readonly fingerprint: string;
    /** When the certificate becomes valid, and when it expires, RFC 3339. */
    readonly start?: string;
    readonly end?: string;
}

const caKinds = ["kubernetesCa", "etcdCa", "frontProxyCa"] as const satisfies readonly GivenKind[];

/**
 * Reads keys that the user gives, by kind and generation.
 *
 * @throws `<option> must be <legal> (got <value>)`, without a key
 */
export function readGivenKeys(contents: GivenKeys): Given<ReadKey> {
    const unknown = Object.keys(contents).find((kind) => !givenKinds.includes(kind as GivenKind));
    if (unknown !== undefined) throw invalid("a key of givenKeys", givenKinds.join(", "), unknown);
    const of = <T>(
        kind: GivenKind,
        all: Readonly<Record<string, T>> = {},
        read: (option: string, each: T) => ReadKey,
    ) =>
        Object.fromEntries(
            Object.entries(all).map(([generation, each]) => {
                if (!/^[1-9]\d{0,8}$/.test(generation)) {
                    throw invalid(`a key of givenKeys.${kind}`, "a generation: 1, 2, ...", generation);
                }
                return [generation, read(`givenKeys.${kind}.${generation}`, each)];
            }),
        );
    const found: Given<ReadKey> = {
        ...Object.fromEntries(caKinds.map((kind) => [kind, of(kind, contents[kind], readCa)])),
        serviceAccount: of("serviceAccount", contents.serviceAccount, readKey),
    };
    for (const [generation, { certificate }] of Object.entries(found.kubernetesCa ?? {})) {
        const [has, legal] = [commonName(new X509Certificate(certificate!)), caName(Number(generation))];
        // Machines tell CAs apart by this name.
        if (has !== legal) {
            throw invalid(`the common name of givenKeys.kubernetesCa.${generation}.certificate`, legal, has);
        }
    }
    requireDistinct(found);
    return found;
}

/** Fingerprints of given keys, for `keys.given`. */
export function fingerprintsOf(contents: GivenKeys): Given<string> {
    const kinds = Object.entries(readGivenKeys(contents)).map(([kind, all]) => {
        const fingerprints = Object.entries(all).map(([generation, { fingerprint }]) => [generation, fingerprint]);
        return [kind, Object.fromEntries(fingerprints)] as const;
    });
    return Object.fromEntries(kinds.filter(([, all]) => Object.keys(all).length > 0));
}

/** Reads the given keys that the options name. @param now - milliseconds since 1970 */
export function requireGivenKeys(keys: KeyLists, contents: GivenKeys = {}, now = Date.now()): Given<ReadKey> {
    const found = readGivenKeys(contents);
    for (const kind of givenKinds) {
        const [named, given] = [keys.given?.[kind] ?? {}, found[kind] ?? {}];
        for (const generation of Object.keys(given)) {
            if (named[generation] === undefined) {
                throw invalid(`a key of givenKeys.${kind}`, `a generation in keys.given.${kind}`, generation);
            }
        }
        for (const [generation, fingerprint] of Object.entries(named)) {
            const has = given[generation]?.fingerprint;
            if (has !== fingerprint) {
                const got = has === undefined ? "none" : `one with SHA-256 ${has}`;
                throw invalid(`givenKeys.${kind}.${generation}`, `the key with SHA-256 ${fingerprint}`, got);
            }
        }
        const { start, end } = given[`${keys[kind][0]}`] ?? {};
        const problem =
            end !== undefined && Date.parse(end) < now
                ? `expired ${end}`
                : start !== undefined && Date.parse(start) > now && `not valid before ${start}`;
        if (problem) {
            throw invalid(`givenKeys.${kind}.${keys[kind][0]}.certificate`, "valid, because it issues", problem);
        }
    }
    return found;
}

function readCa(
    option: string,
    { certificate: text, key }: { readonly certificate: string; readonly key: string },
): ReadKey {
    const pems = String(text).match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    if (pems.length !== 1) {
        throw invalid(
            `${option}.certificate`,
            "PEM of one certificate: that of the issuing CA",
            `${pems.length} of them`,
        );
    }
    const certificate = parsed(`${option}.certificate`, "PEM of a certificate", () => new X509Certificate(pems[0]!));
    if (!certificate.ca) {
        throw invalid(
            `${option}.certificate`,
            "the certificate of a CA, with CA:TRUE and keyCertSign",
            commonName(certificate),
        );
    }
    const read = readKey(`${option}.key`, key);
    if (!certificate.checkPrivateKey(createPrivateKey(read.pkcs8))) {
        throw invalid(`${option}.key`, "the key of the certificate", "another key");
    }
    return {
        ...read,
        certificate: certificate.toString(),
        fingerprint: createHash("sha256").update(certificate.raw).digest("hex"),
        start: new Date(certificate.validFrom).toISOString(),
        end: new Date(certificate.validTo).toISOString(),
    };
}

const legalKey = "PEM of a private key without a passphrase: ECDSA P-256 or P-384, or RSA with 2048 bits or more";

function readKey(option: string, text: string): ReadKey {
    const key = parsed(option, legalKey, () => createPrivateKey(text));
    const type = key.asymmetricKeyType;
    if (!isLegal(key)) throw invalid(option, legalKey, type);
    const exported = (format: "pkcs1" | "sec1" | "pkcs8") =>
        key.export({ type: format as "pkcs8", format: "pem" }).toString();
    const publicKey = createPublicKey(key);
    return {
        key: exported(type === "rsa" ? "pkcs1" : "sec1"),
        pkcs8: exported("pkcs8"),
        publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
        fingerprint: createHash("sha256")
            .update(publicKey.export({ type: "spki", format: "der" }))
            .digest("hex"),
    };
}

function isLegal({ asymmetricKeyType, asymmetricKeyDetails: details = {} }: KeyObject): boolean {
    if (asymmetricKeyType === "rsa") return details.modulusLength! >= 2048;
    return asymmetricKeyType === "ec" && ["prime256v1", "secp384r1"].includes(details.namedCurve!);
}

/** Never shows the text, which may be a key. */
function parsed<T>(option: string, legal: string, parse: () => T): T {
    try {
        return parse();
    } catch {
        throw invalid(option, legal, "something else");
    }
}

function commonName({ subject }: X509Certificate): string {
    return /^CN=(.*)$/m.exec(subject ?? "")?.[1] ?? "none";
}

/** A client certificate of one CA must not be valid for another purpose. */
function requireDistinct(found: Given<ReadKey>): void {
    const options = new Map<string, string>();
    for (const [kind, all] of Object.entries(found)) {
        for (const [generation, { publicKey }] of Object.entries(all)) {
            const option = `givenKeys.${kind}.${generation}`;
            const earlier = options.get(publicKey);
            if (earlier !== undefined) throw invalid(option, `another key than ${earlier}`, "the same");
            options.set(publicKey, option);
        }
    }
}
