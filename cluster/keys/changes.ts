import { invalid } from "../validate";
import { type GivenKind, givenKinds, isSame, type KeyKind, type KeyLists, keyKinds } from "./lists";

/** A running component and the keys that it has. */
export interface KeyHolder {
    /** Such as `the pod kube-apiserver-x5x9p`. */
    readonly name: string;
    /** The keys that it has, by kind. */
    readonly keys: Partial<KeyLists>;
}

/** What each kind of key is used for, in the words of a preview. */
const uses: Record<KeyKind, string> = {
    serviceAccount: "signs service account tokens",
    encryption: "encrypts Secrets",
    frontProxyCa: "issues kube-apiserver's client certificate for aggregated APIs",
    etcdCa: "issues the certificates of etcd members and clients",
    kubernetesCa: "issues the certificates of kube-apiserver, kubelets and all others",
};

/**
 * What prevents a change of keys: some component would get a key that it does not accept.
 *
 * Old and new components run side by side, so each must accept what the other uses.
 */
export function keyProblems(holders: readonly KeyHolder[], desired: KeyLists): string[] {
    const others = holders.flatMap(({ keys }) => otherKeys(keys, desired));
    if (others.length > 0) return [...new Set(others)];
    return keyKinds.flatMap((kind) => {
        const refusing = new Map<string, string[]>();
        for (const { name, keys } of holders) {
            const has = keys[kind];
            if (has === undefined || illegalStep(has, desired[kind]) === undefined) continue;
            const text = JSON.stringify(has);
            refusing.set(text, [...(refusing.get(text) ?? []), name]);
        }
        return [...refusing].map(([text, names]) => {
            const { legal, why } = illegalStep(JSON.parse(text), desired[kind])!;
            const who = `${together([...new Set(names)])} ${text}`;
            return invalid(`keys.${kind}`, `${legal} while ${who}: ${why}`, desired[kind]).message.concat(
                rotation(kind, JSON.parse(text), desired[kind]),
            );
        });
    });
}

/** What prevents another key in place of one with the same number, which no component would accept meanwhile. */
function otherKeys(has: Partial<KeyLists>, desired: KeyLists): string[] {
    return replacedKeys(has, desired).map(({ kind, generation }) => {
        const [current, next] = [has, desired].map(
            (keys) => keys.given?.[kind]?.[generation] ?? "created by the stack",
        );
        return invalid(
            `generation ${generation} of keys.${kind}`,
            `the one that is in use, ${current}: give another key as another generation`,
            next,
        ).message;
    });
}

function replacedKeys(has: Partial<KeyLists>, desired: KeyLists): { kind: GivenKind; generation: number }[] {
    // Only a holder of all keys, kube-apiserver, says which of them are given.
    if (givenKinds.some((kind) => has[kind] === undefined)) return [];
    return givenKinds.flatMap((kind) => {
        const kept = (has[kind] ?? []).filter((generation) => desired[kind].includes(generation));
        const replaced = kept.filter((each) => has.given?.[kind]?.[each] !== desired.given?.[kind]?.[each]);
        return replaced.map((generation) => ({ kind, generation }));
    });
}

/** Maximum number of names listed: a skipped step affects every component. */
const mostNamed = 3;

function together(names: readonly string[]): string {
    if (names.length === 1) return `${names[0]} has`;
    const named = names.slice(0, names.length > mostNamed ? mostNamed - 1 : -1);
    const last = names.length > mostNamed ? `${names.length - named.length} others` : names.at(-1);
    return `${named.join(", ")} and ${last} have`;
}

/** The legal list instead of an illegal step, and why. */
function illegalStep(has: readonly unknown[], desired: readonly unknown[]): { legal: string; why: string } | undefined {
    const [used, next] = [has[0], desired[0]];
    if (!has.includes(next)) {
        const why = `${next} must be accepted everywhere before it is used`;
        return { legal: `a list that begins with ${has.join(" or ")}`, why };
    }
    return desired.includes(used)
        ? undefined
        : { legal: `a list with ${used}`, why: "it is in use until another one is first" };
}

/** The way from one key to another, where all steps are left out: the other may also be a default. */
function rotation(kind: KeyKind, has: readonly unknown[], desired: readonly unknown[]): string {
    if (has.length > 1 || desired.length > 1) return "";
    const [first, ...others] = [[...has, ...desired], [...desired, ...has], desired].map((list) =>
        JSON.stringify(list),
    );
    return `; set keys.${kind} to ${first} first, and in later runs of pulumi up to ${others.join(" and ")}`;
}

/** State of the Jobs that rewrite Secrets, for the current and the desired keys. */
export interface Rewrites {
    readonly current: "complete" | "incomplete" | "none";
    readonly desired: "complete" | "incomplete" | "none";
}

/** What prevents a change of encryption keys: a key that some Secrets are still encrypted with must not be removed. */
export function rewriteProblems(current: KeyLists, desired: KeyLists, rewrites: Rewrites): string[] {
    const [has, next] = [current.encryption, desired.encryption];
    const problem = (legal: string) => [invalid("keys.encryption", legal, next).message];
    if (without(has, next).length > 0 && rewrites.current !== "complete") {
        return problem(
            `${JSON.stringify(has)} until all Secrets are rewritten with ${has[0]}: run pulumi up with it first`,
        );
    }
    // An interrupted update left an earlier Job, which does not cover what was written since.
    if (has[0] !== next[0] && rewrites.desired !== "none") {
        return problem(`${JSON.stringify(has)} until a pulumi up with it has finished`);
    }
    return [];
}

/** Changes of the keys, one line each. */
export function describeKeyChanges(from: KeyLists, to: KeyLists): string[] {
    const replaced = replacedKeys(from, to).map(({ kind, generation }) => `keys.${kind}: ${generation} is another key`);
    const changed = keyKinds.flatMap((kind) => {
        const [before, after]: (readonly unknown[])[] = [from[kind], to[kind]];
        if (isSame(before!, after!)) return [];
        const [added, dropped] = [without(after!, before!), without(before!, after!)];
        const parts = [
            ...added.map((key) => `${key} is now accepted`),
            ...(before![0] === after![0] ? [] : [`${after![0]} ${uses[kind]} instead of ${before![0]}`]),
            ...dropped.map((key) => `${key} is no longer accepted`),
        ];
        return [`keys.${kind}: ${parts.join(", ")}${nextStep(after!, before!)}`];
    });
    return [...replaced, ...changed];
}

/** The next step, if a list is only a step of a rotation. */
function nextStep(keys: readonly unknown[], before: readonly unknown[]): string {
    if (keys.length === 1) return "";
    const isSwitched = keys[0] !== before[0];
    const next = isSwitched ? keys.slice(0, 1) : [...keys.slice(1), keys[0]];
    return `; then ${JSON.stringify(next)}`;
}

/** The members of one list that another does not have. */
export function without<T>(list: readonly T[], others: readonly unknown[]): T[] {
    return list.filter((each) => !others.includes(each));
}

/** What is known about tokens before a key that signed some of them is removed. */
export interface TokenFacts {
    /** The removed keys: generation by the key ID in tokens. */
    readonly dropped: ReadonlyMap<string, number>;
    /** Tokens without expiry, each in its own Secret, and the key that signed them. */
    readonly lasting: readonly { readonly name: string; readonly keyId: string }[];
    /** When the last kube-apiserver started to sign with its current key. Unit: milliseconds since 1970. */
    readonly signingSince: number;
}

/**
 * Within this time a kubelet has renewed the tokens of all pods. Unit: milliseconds. Source: the kubelet's token
 * manager, for one-hour tokens.
 */
const renewalMilliseconds = 3_600_000;

/** Tokens that would become invalid. */
export function tokenProblems({ dropped, lasting, signingSince }: TokenFacts, now: number): string[] {
    if (dropped.size === 0) return [];
    const keys = [...dropped.values()].join(", ");
    const until = signingSince + renewalMilliseconds;
    const time = (milliseconds: number) => `${new Date(milliseconds).toISOString().slice(0, 16).replace("T", " ")} UTC`;
    const renewals =
        now < until
            ? [`pods have tokens signed with key ${keys} until ${time(until)}: kubelets renew them within an hour`]
            : [];
    const known = lasting.flatMap(({ name, keyId }) => {
        const key = dropped.get(keyId);
        return key === undefined
            ? []
            : [`the Secret ${name} has a token of key ${key} that does not expire: delete or recreate it`];
    });
    return [...renewals, ...known];
}
