import { createPrivateKey } from "node:crypto";
import { snapshotKey } from "../../../cluster/etcd-snapshots";
import { encryptionKey } from "../../../cluster/keys/encryption";
import { lastingToken, machineToken } from "../../../cluster/manifests/nodes/bootstrap-tokens";
import { unfolded } from "./unfolded";

/** A secret, with a readable name and the texts that reveal it. */
export interface SecretValue {
    readonly name: string;
    readonly traces: readonly string[];
}

interface Resource {
    readonly type: string;
    readonly name: string;
    readonly outputs: Readonly<Record<string, unknown>>;
}

/** Every private key and token that a stack created. @param resources - of its state, decrypted */
export function secretsOf(resources: readonly Resource[]): SecretValue[] {
    const keys = resources.filter(({ type }) => type === "tls:index/privateKey:PrivateKey");
    const machines = resources.flatMap(({ name, outputs }) => {
        const [, cluster, node] = /^(.*)-token-lifetime-(.*)$/.exec(name) ?? [];
        return cluster === undefined ? [] : [{ node: `${cluster}-${node}`, end: String(outputs.stdout).trim() }];
    });
    return keys.flatMap(({ name, outputs }) => {
        const pem = String(outputs.privateKeyPem);
        const key = { name: `key ${name}`, traces: tracesOf(pem) };
        if (/-encryption(-\d+)?$/.test(name)) {
            const derived = /-snapshot-/.test(name) ? snapshotKey(pem) : encryptionKey(pem);
            return [key, { name: `encryption ${name}`, traces: [derived] }];
        }
        if (!/-token-/.test(name)) return [key];
        // A pool whose machines have no names has one token for all.
        const [, cluster, pool] = /^(.*)-token-(.*)$/.exec(name)!;
        const own = machines.filter(({ node }) => new RegExp(`^${cluster}-${pool}-\\d+$`).test(node));
        const tokens = own.length > 0 ? own.map(({ node, end }) => machineToken(pem, node, end)) : [lastingToken(pem)];
        // The first half is its public name; the second half is the secret.
        return [key, { name: `token ${name}`, traces: tokens.map((token) => token.slice(7)) }];
    });
}

/** A key in the formats that programs read: the PEM lines that contain the number itself, and the number. */
function tracesOf(pem: string): string[] {
    const key = createPrivateKey(pem);
    const line = (type: "sec1" | "pkcs8", index: number) =>
        key.export({ type, format: "pem" }).toString().split("\n")[index]!;
    const number = Buffer.from(key.export({ format: "jwk" }).d!, "base64url");
    const written = (["base64", "base64url", "hex", "latin1"] as const).map((form) => number.toString(form));
    return [line("sec1", 1), line("pkcs8", 2), ...written];
}

/** A value of a decrypted state, where secrets are JSON in an envelope. */
export function plain(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(plain);
    if (value === null || typeof value !== "object") return value;
    if ("plaintext" in value) return plain(JSON.parse(String(value.plaintext)));
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
}

/** `<where>: <secret>` for each secret revealed by one of several texts. */
export function givenAwayIn(
    texts: readonly { readonly where: string; readonly text: string }[],
    secrets: readonly SecretValue[],
): string[] {
    // The texts have much in common, and there are hardly ever any findings.
    const found = givenAway(
        texts.map(({ text }) => text),
        secrets,
    );
    if (found.length === 0) return [];
    return texts.flatMap(({ where, text }) => givenAway(text, secrets).map((secret) => `${where}: ${secret}`));
}

/** Names of the secrets that texts reveal, however they are encoded. */
export function givenAway(texts: string | readonly string[], secrets: readonly SecretValue[]): string[] {
    const whole = unfolded([texts].flat());
    return secrets.filter(({ traces }) => traces.some((trace) => whole.includes(trace))).map(({ name }) => name);
}
