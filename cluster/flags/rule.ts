import type { Cluster } from "../model";

/** What `components` may do to a flag that Tradewind sets or depends on. A flag without a rule is free. */
export type FlagRule = OwnedFlag | CheckedFlag | MergedFlag | FreeFlag;

interface Described {
    /** Why it is so: a part of a sentence, for the error and for docs/flags.md. */
    readonly why: string;
}

/** Refused: it carries the cluster's identity, CAs, keys, etcd, authentication, authorization or addresses. */
interface OwnedFlag extends Described {
    readonly kind: "owned";
    /** What to use instead. @default there is no option */
    readonly instead?: string;
}

/** Free, except for some values. */
interface CheckedFlag extends Described {
    readonly kind: "checked";
    readonly problem: Problem;
}

/** A list: its entries are added to those of Tradewind. */
interface MergedFlag extends Described {
    readonly kind: "merged";
    /** @default every entry may be added */
    readonly problem?: Problem;
}

/** Set by Tradewind; another value replaces it. */
interface FreeFlag extends Described {
    readonly kind: "free";
}

/** What the value must be, where it is not. */
export type Problem = (value: string, cluster: FlaggedCluster) => string | undefined;

/** What values are compared with. */
export type FlaggedCluster = Pick<Cluster, "network" | "controllers" | "workerPools" | "extraArgs">;

/** Rules by the flags' names. `*` at the end or within a name stands for any letters. */
export type FlagRules = Readonly<Record<string, FlagRule>>;

/** Rules of flags that are refused for one reason. */
export function owned(why: string, flags: readonly string[], instead?: string): FlagRules {
    return Object.fromEntries(flags.map((flag) => [flag, { kind: "owned", why, ...(instead && { instead }) }]));
}

export function free(why: string, flags: readonly string[]): FlagRules {
    return Object.fromEntries(flags.map((flag) => [flag, { kind: "free", why }]));
}

export function checked(why: string, problem: Problem): CheckedFlag {
    return { kind: "checked", why, problem };
}

export function merged(why: string, problem?: Problem): MergedFlag {
    return { kind: "merged", why, ...(problem && { problem }) };
}

/** The entries of a list as a command line has it. */
export function entriesOf(value: string): string[] {
    return value
        .split(",")
        .map((entry) => entry.trim())
        .filter((entry) => entry !== "");
}

/** `feature-gates` and other lists of `name=value`. Kubernetes takes names that differ in their case for two. */
export const distinctNames: Problem = (value) => {
    const names = entriesOf(value).map((entry) => entry.split("=")[0]!);
    const lower = names.map((name) => name.toLowerCase());
    const again = names.find((_, index) => lower.indexOf(lower[index]!) < index);
    return again === undefined ? undefined : `a list that names ${again} once`;
};

/** Problem of a list that must keep entries which its default has. */
export function keeps(...needed: readonly string[]): Problem {
    return (value) =>
        needed.every((entry) => entriesOf(value).includes(entry))
            ? undefined
            : `a list that includes ${needed.join(", ")}`;
}

/** Of every program: it would end, or run otherwise than its flags say. */
export const ending = owned("the program would print it and end", ["help", "version"]);

export const featureGates: FlagRule = merged("gates are added to those of Tradewind", distinctNames);

/** What Kubernetes' programs that serve HTTPS take alike. */
export const tlsMinVersion: FlagRule = checked("older versions of TLS are not secure", (value) =>
    ["VersionTLS12", "VersionTLS13"].includes(value) ? undefined : "VersionTLS12 or VersionTLS13",
);

/** Of kube-apiserver, kube-controller-manager and kube-scheduler: how they are found and what they show. */
export const serving: FlagRules = {
    ...ending,
    ...owned("each generation of the pod listens on an address of its own, so that a rollout loses no request", [
        "bind-address",
        "secure-port",
        "permit-address-sharing",
        "permit-port-sharing",
    ]),
    ...owned("the certificate comes from the cluster's CA", [
        "cert-dir",
        "tls-cert-file",
        "tls-private-key-file",
        "tls-sni-cert-key",
    ]),
    ...owned("clients are known by the cluster's CA", ["client-ca-file"], "`keys.kubernetesCa`"),
    ...owned("aggregated APIs know kube-apiserver by a CA of their own", ["requestheader-*"], "`keys.frontProxyCa`"),
    ...free("off, since profiles show memory", ["profiling"]),
    "tls-min-version": tlsMinVersion,
    "feature-gates": featureGates,
};

/** Of kube-controller-manager and kube-scheduler, which are clients of kube-apiserver. */
export const client: FlagRules = {
    ...serving,
    ...owned("it has a kubeconfig with a certificate of its own", [
        "kubeconfig",
        "master",
        "authentication-kubeconfig",
        "authorization-kubeconfig",
    ]),
    ...owned("requests without credentials would be answered", [
        "authentication-skip-lookup",
        "authentication-tolerate-lookup-failure",
    ]),
    ...owned("one of its copies works at a time, and `tradewind status` shows which", [
        "leader-elect",
        "leader-elect-resource-*",
    ]),
};
