import type { KeyOptions } from "../options";
import { invalid } from "../validate";

/**
 * Keys of each kind, by generation: the first one is used, all of them are accepted.
 *
 * A rotation takes three steps, so that no component gets a key that it does not accept: from `[1]` to `[1, 2]`, `[2,
 * 1]` and `[2]`.
 */
export interface KeyLists {
    /** Sign service account tokens. */
    readonly serviceAccount: readonly number[];
    /** Encrypt Secrets in etcd; `plain` stands for no encryption. */
    readonly encryption: readonly (number | "plain")[];
    /** CAs of the client certificate that kube-apiserver presents to aggregated APIs. */
    readonly frontProxyCa: readonly number[];
    /** CAs of the certificates of etcd members and clients. */
    readonly etcdCa: readonly number[];
    /** CAs of the certificates of kube-apiserver and all other components. */
    readonly kubernetesCa: readonly number[];
    /** SHA-256 of keys that the user gives, in hexadecimal. @default - the stack creates all */
    readonly given?: Given<string>;
}

export type KeyKind = Exclude<keyof KeyLists, "given">;

/** Kinds of keys that the user may give. */
export type GivenKind = Exclude<KeyKind, "encryption">;

export const givenKinds = ["serviceAccount", "frontProxyCa", "etcdCa", "kubernetesCa"] as const satisfies GivenKind[];

/** What the user gives, by kind and generation. */
export type Given<T> = Partial<Readonly<Record<GivenKind, Readonly<Record<string, T>>>>>;

/** Keys of an object without {@link keysAnnotation}. */
export const firstKeys: KeyLists = {
    serviceAccount: [1],
    encryption: ["plain"],
    frontProxyCa: [1],
    etcdCa: [1],
    kubernetesCa: [1],
};

export const keyKinds = Object.keys(firstKeys) as KeyKind[];

/** Lists the keys that an object has. Without it, they are the initial ones. */
export const keysAnnotation = "tradewind.dev/keys";

/** Applies the defaults. Throws `<option> must be <legal> (got <value>)`. */
export function resolveKeys(options: KeyOptions): KeyLists {
    const keys: KeyLists = { ...firstKeys, encryption: [1], ...defined(options) };
    for (const kind of keyKinds) requireList(kind, keys[kind]);
    requireGiven(keys);
    return keys;
}

/** The annotation for keys that differ from the initial ones. */
export function keysAnnotations(keys: KeyLists): Record<string, string> | undefined {
    const others = keyKinds.filter((kind) => !isSame(keys[kind], firstKeys[kind]));
    const { given = {} } = keys;
    const hasGiven = Object.keys(given).length > 0;
    if (others.length === 0 && !hasGiven) return undefined;
    const lists = Object.fromEntries(others.map((kind) => [kind, keys[kind]]));
    return { [keysAnnotation]: JSON.stringify({ ...lists, ...(hasGiven && { given }) }) };
}

/** Parses that annotation. */
export function annotatedKeys(annotations: Readonly<Record<string, string>> = {}): KeyLists {
    return { ...firstKeys, ...JSON.parse(annotations[keysAnnotation] ?? "{}") };
}

export function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
    return JSON.stringify(some) === JSON.stringify(others);
}

function requireList(kind: KeyKind, list: readonly unknown[]): void {
    const option = `keys.${kind}`;
    const words: readonly unknown[] = kind === "encryption" ? ["plain"] : [];
    if (!Array.isArray(list) || list.length === 0 || new Set(list).size !== list.length) {
        throw invalid(option, "a list of one or more distinct generations", list);
    }
    list.forEach((generation, index) => {
        const isGeneration = Number.isSafeInteger(generation) && (generation as number) > 0;
        if (!isGeneration && !words.includes(generation)) {
            throw invalid(`${option}[${index}]`, ["a whole number, 1 or more", ...words].join(", or "), generation);
        }
    });
}

function requireGiven({ given = {}, ...keys }: KeyLists): void {
    for (const [kind, all] of Object.entries(given)) {
        if (!givenKinds.includes(kind as GivenKind)) throw invalid("a key of keys.given", givenKinds.join(", "), kind);
        const list: readonly unknown[] = keys[kind as GivenKind];
        for (const [generation, fingerprint] of Object.entries(all)) {
            if (!list.includes(Number(generation))) {
                throw invalid(
                    `a key of keys.given.${kind}`,
                    `in keys.${kind}, which is ${JSON.stringify(list)}`,
                    generation,
                );
            }
            if (!/^[0-9a-f]{64}$/.test(fingerprint)) {
                throw invalid(`keys.given.${kind}.${generation}`, "a SHA-256 in hexadecimal", fingerprint);
            }
        }
    }
}

function defined(options: KeyOptions): Partial<KeyLists> {
    return Object.fromEntries(Object.entries(options).filter(([, list]) => list !== undefined));
}
