import { checked, distinctNames, type FlagRule, type FlagRules, free, merged, owned } from "./rule";

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
