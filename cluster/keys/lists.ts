import type { KeyOptions } from "../options";
import { invalid } from "../validate";

/**
 * The keys of each kind, by their generations: the first is used, and each is accepted.
 *
 * A key is followed by another in three steps, so that nobody meets one that he does not know: from `[1]` to `[1, 2]`,
 * `[2, 1]` and `[2]`.
 */
export interface KeyLists {
    /** They sign service accounts' tokens. */
    readonly serviceAccount: readonly number[];
    /** With them Secrets are kept in etcd; `plain` is without one. */
    readonly encryption: readonly (number | "plain")[];
    /** Authorities of the certificate by which kube-apiserver is known to aggregated APIs. */
    readonly frontProxyCa: readonly number[];
    /** Authorities of the certificates of etcd's members and of those who ask them. */
    readonly etcdCa: readonly number[];
    /** Authorities of kube-apiserver's certificate, and of those by which everybody else in the cluster is known. */
    readonly kubernetesCa: readonly number[];
}

export type KeyKind = keyof KeyLists;

/** What a cluster begins with, and has where nothing else is said. */
export const firstKeys: KeyLists = {
    serviceAccount: [1],
    encryption: ["plain"],
    frontProxyCa: [1],
    etcdCa: [1],
    kubernetesCa: [1],
};

export const keyKinds = Object.keys(firstKeys) as KeyKind[];

/** On what has keys, which: without it, those that a cluster begins with. */
export const keysAnnotation = "tradewind.dev/keys";

/** Fills in the defaults. Throws `<option> must be <legal>, got <value>`. */
export function resolveKeys(options: KeyOptions): KeyLists {
    const keys = { ...firstKeys, ...defined(options) };
    for (const kind of keyKinds) requireList(kind, keys[kind]);
    return keys;
}

/** The annotation of those that are others than the first. */
export function keysAnnotations(keys: KeyLists): Record<string, string> | undefined {
    const others = keyKinds.filter((kind) => !isSame(keys[kind], firstKeys[kind]));
    if (others.length === 0) {
        return undefined;
    }
    return { [keysAnnotation]: JSON.stringify(Object.fromEntries(others.map((kind) => [kind, keys[kind]]))) };
}

/** What such an annotation says. */
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
        throw invalid(option, "a list of one generation or more, each once", list);
    }
    list.forEach((generation, index) => {
        const isGeneration = Number.isSafeInteger(generation) && (generation as number) > 0;
        if (!isGeneration && !words.includes(generation)) {
            throw invalid(`${option}[${index}]`, ["a whole number, 1 or more", ...words].join(", or "), generation);
        }
    });
}

function defined(options: KeyOptions): Partial<KeyLists> {
    return Object.fromEntries(Object.entries(options).filter(([, list]) => list !== undefined));
}
