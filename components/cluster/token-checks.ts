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
