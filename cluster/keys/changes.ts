import { invalid } from "../validate";
import { isSame, type KeyKind, type KeyLists, keyKinds } from "./lists";

/** Somebody who has keys now. */
export interface KeyHolder {
    /** Such as `the pod kube-apiserver-x5x9p`. */
    readonly name: string;
    /** Those of the kinds that it has. */
    readonly keys: Partial<KeyLists>;
}

/** What each kind of key does, for who reads a preview. */
const uses: Record<KeyKind, string> = {
    serviceAccount: "signs service accounts' tokens",
    encryption: "is what Secrets are written with",
    frontProxyCa: "issues kube-apiserver's certificate for aggregated APIs",
    etcdCa: "issues the certificates of etcd's members and of those who ask them",
    kubernetesCa: "issues kube-apiserver's certificate, kubelets' and all others",
};

/**
 * What stands in the way of other keys: somebody would meet a key that he does not know.
 *
 * Old and new holders run side by side, so what one uses the other has to accept, in both directions.
 */
export function keyProblems(holders: readonly KeyHolder[], wanted: KeyLists): string[] {
    return keyKinds.flatMap((kind) => {
        const refusing = new Map<string, string[]>();
        for (const { name, keys } of holders) {
            const has = keys[kind];
            if (has === undefined || illegalStep(has, wanted[kind]) === undefined) continue;
            const text = JSON.stringify(has);
            refusing.set(text, [...(refusing.get(text) ?? []), name]);
        }
        return [...refusing].map(([text, names]) => {
            const { legal, why } = illegalStep(JSON.parse(text), wanted[kind])!;
            const who = `${together([...new Set(names)])} ${text}`;
            return invalid(`keys.${kind}`, `${legal} while ${who}: ${why}`, wanted[kind]).message;
        });
    });
}

/** Most that are named: of a step that is left out everybody stands in the way. */
const mostNamed = 3;

function together(names: readonly string[]): string {
    if (names.length === 1) return `${names[0]} has`;
    const named = names.slice(0, names.length > mostNamed ? mostNamed - 1 : -1);
    const last = names.length > mostNamed ? `${names.length - named.length} others` : names.at(-1);
    return `${named.join(", ")} and ${last} have`;
}

/** What would be legal instead of a step that is not. */
function illegalStep(has: readonly unknown[], wanted: readonly unknown[]): { legal: string; why: string } | undefined {
    const [used, next] = [has[0], wanted[0]];
    if (!has.includes(next)) {
        const why = `${next} has to be accepted by all before it is used`;
        return { legal: `a list that begins with ${has.join(" or ")}`, why };
    }
    return wanted.includes(used)
        ? undefined
        : { legal: `a list with ${used}`, why: "it is used until another is the first" };
}

/** What is known of the Jobs that have Secrets written again: of the keys that are had, and of those that are wanted. */
export interface Rewrites {
    readonly told: "complete" | "incomplete" | "none";
    readonly wanted: "complete" | "incomplete" | "none";
}

/** What stands in the way of other keys for Secrets: one that some are still written with must not go. */
export function rewriteProblems(told: KeyLists, wanted: KeyLists, rewrites: Rewrites): string[] {
    const [has, next] = [told.encryption, wanted.encryption];
    const problem = (legal: string) => [invalid("keys.encryption", legal, next).message];
    if (without(has, next).length > 0 && rewrites.told !== "complete") {
        return problem(`${JSON.stringify(has)} until all Secrets are written with ${has[0]}: finish an up with it`);
    }
    // An up that was interrupted left the Job of an earlier time, which says nothing of what was written since.
    if (has[0] !== next[0] && rewrites.wanted !== "none") {
        return problem(`${JSON.stringify(has)} until an up with it has ended`);
    }
    return [];
}

/** What changes with other keys, each in a line. */
export function describeKeyChanges(from: KeyLists, to: KeyLists): string[] {
    return keyKinds.flatMap((kind) => {
        const [before, after]: (readonly unknown[])[] = [from[kind], to[kind]];
        if (isSame(before!, after!)) {
            return [];
        }
        const [added, dropped] = [without(after!, before!), without(before!, after!)];
        const parts = [
            ...added.map((key) => `${key} is accepted from now on`),
            ...(before![0] === after![0] ? [] : [`${after![0]} ${uses[kind]} instead of ${before![0]}`]),
            ...dropped.map((key) => `${key} is accepted no more`),
        ];
        return [`keys.${kind}: ${parts.join(", ")}${nextStep(after!, before!)}`];
    });
}

/** The way on, where a list is not one that one stays with. */
function nextStep(keys: readonly unknown[], before: readonly unknown[]): string {
    if (keys.length === 1) {
        return "";
    }
    const isSwitched = keys[0] !== before[0];
    const next = isSwitched ? keys.slice(0, 1) : [...keys.slice(1), keys[0]];
    return `; then ${JSON.stringify(next)}`;
}

/** The members of one list that another does not have. */
export function without<T>(list: readonly T[], others: readonly unknown[]): T[] {
    return list.filter((each) => !others.includes(each));
}

/** What is known of tokens before a key that signed some of them goes. */
export interface TokenFacts {
    /** The keys that go, as tokens name them, by their generations. */
    readonly dropped: ReadonlyMap<string, number>;
    /** Tokens that do not end, each a Secret of its own, and who signed them. */
    readonly lasting: readonly { readonly name: string; readonly keyId: string }[];
    /** Since when every kube-apiserver signs with what it signs with now. Unit: milliseconds since 1970. */
    readonly signingSince: number;
}

/** In which a kubelet has renewed the token of every pod. Unit: milliseconds. Source: kubelet's token manager, of tokens of an hour. */
const renewalMilliseconds = 3_600_000;

/** Whose token would not be known any more. */
export function tokenProblems({ dropped, lasting, signingSince }: TokenFacts, now: number): string[] {
    if (dropped.size === 0) {
        return [];
    }
    const keys = [...dropped.values()].join(", ");
    const until = signingSince + renewalMilliseconds;
    const time = (milliseconds: number) => `${new Date(milliseconds).toISOString().slice(0, 16).replace("T", " ")} UTC`;
    const renewals =
        now < until ? [`pods have tokens of key ${keys} until ${time(until)}: kubelets renew them within an hour`] : [];
    const known = lasting.flatMap(({ name, keyId }) => {
        const key = dropped.get(keyId);
        return key === undefined
            ? []
            : [`the Secret ${name} has a token of key ${key}, which does not end: delete it, or make it anew`];
    });
    return [...renewals, ...known];
}
