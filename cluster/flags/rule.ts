import { type FileHolder, filePaths, filesPath, secretFilesPath } from "../control-plane-files";
import type { Cluster } from "../model";

/** Whether `components` may set a flag that Tradewind sets or depends on. Flags without a rule are free. */
export type FlagRule = OwnedFlag | CheckedFlag | MergedFlag | FreeFlag;

interface Described {
    /** The reason: part of a sentence, for the error and for docs/flags.md. */
    readonly why: string;
}

/** Refused: it defines the cluster's identity, CAs, keys, etcd, authentication, authorization or addresses. */
interface OwnedFlag extends Described {
    readonly kind: "owned";
    /** What to use instead. @default no option */
    readonly instead?: string;
}

/** Free, except for certain values. */
interface CheckedFlag extends Described {
    readonly kind: "checked";
    readonly problem: Problem;
}

/** A list whose entries are added to Tradewind's. */
interface MergedFlag extends Described {
    readonly kind: "merged";
    /** @default every entry may be added */
    readonly problem?: Problem;
}

/** Set by Tradewind; the user's value replaces it. */
interface FreeFlag extends Described {
    readonly kind: "free";
}

/** What an illegal value must be. */
export type Problem = (value: string, cluster: FlaggedCluster) => string | undefined;

/** The part of a cluster that values are checked against. */
export type FlaggedCluster = Pick<
    Cluster,
    "network" | "controllers" | "workerPools" | "extraArgs" | "controlPlaneFiles" | "auditLog" | "keys" | "admission"
>;

/** Rules by flag name. `*` in a name matches any letters. */
export type FlagRules = Readonly<Record<string, FlagRule>>;

/** Rules for flags that are refused for the same reason. */
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

/** Values that programs read as true and as false. */
const truth = { on: /^(true|t|1)$/i, off: /^(false|f|0)$/i };

/** Checks that a value which is `true` by default stays so. */
export const staysOn: Problem = (value) => (truth.on.test(value) ? undefined : "true");

/** Whether a value means false. */
export function isOff(value: string): boolean {
    return truth.off.test(value);
}

/** Checks that a value which is `false` by default stays so. */
export const staysOff: Problem = (value) => (isOff(value) ? undefined : "false");

/** The entries of a list on a command line. */
export function entriesOf(value: string): string[] {
    return value
        .split(",")
        .map((entry) => entry.trim())
        .filter((entry) => entry !== "");
}

/** For `feature-gates` and other lists of `name=value`. Kubernetes treats names that differ in case as different. */
export const distinctNames: Problem = (value) => {
    const names = entriesOf(value).map((entry) => entry.split("=")[0]!);
    const lower = names.map((name) => name.toLowerCase());
    const again = names.find((_, index) => lower.indexOf(lower[index]!) < index);
    return again === undefined ? undefined : `a list that names ${again} once`;
};

/** Checks that a list keeps required entries of its default. */
export function keeps(...needed: readonly string[]): Problem {
    return (value) =>
        needed.every((entry) => entriesOf(value).includes(entry))
            ? undefined
            : `a list that includes ${needed.join(", ")}`;
}

/** A flag that names a file of `controlPlaneFiles`. */
export function fileOf(holder: FileHolder, also: Problem = () => undefined): CheckedFlag {
    const why = `the file must be one of \`controlPlaneFiles.${holder}\``;
    return checked(why, (value, cluster) => {
        const legal = filePaths(cluster.controlPlaneFiles, holder);
        if (legal.includes(value)) return also(value, cluster);
        const shown = legal.length > 0 ? legal : [`${filesPath}/<name>`, `${secretFilesPath}/<name>`];
        return `${shown.length > 1 ? "one of " : ""}${shown.join(", ")}`;
    });
}

/** For every program: flags that make it exit, or behave differently from its flags. */
export const ending = owned("the program would print it and exit", ["help", "version"]);

/** Gates that protect a cluster while they have this value, which is their default or Tradewind's. */
const protectiveGates: Readonly<Record<string, boolean>> = {
    // It would turn off all of the beta ones below.
    AllBeta: true,
    // kube-apiserver would accept kubelets' requests for certificates of other nodes.
    AllowInsecureKubeletCertificateSigningRequests: false,
    AllowDNSOnlyNodeCSR: false,
    AllowUnsafeMalformedObjectDeletion: false,
    AnonymousAuthConfigurableEndpoints: true,
    AuthorizeNodeWithSelectors: true,
    AuthorizePodWebsocketUpgradeCreatePermission: true,
    AuthorizeWithSelectors: true,
    DRAAdminAccess: true,
    DRAResourceClaimGranularStatusAuthorization: true,
    InitialCorruptCheck: true,
    KubeletEnsureSecretPulledImages: true,
    KubeletFineGrainedAuthz: true,
    RotateKubeletServerCertificate: true,
    ServiceAccountNodeAudienceRestriction: true,
    ServiceAccountTokenJTI: true,
    ServiceAccountTokenNodeBinding: true,
    ServiceAccountTokenNodeBindingValidation: true,
    ServiceAccountTokenPodNodeInfo: true,
    StructuredAuthenticationConfiguration: true,
    TokenRequestServiceAccountUIDValidation: true,
    UnauthenticatedHTTP2DOSMitigation: true,
    UserNamespacesPodSecurityStandards: false,
};

/** Names once each, with a truth value, and none that removes a protection. */
const gates: Problem = (value, cluster) => {
    const entries = entriesOf(value);
    const nonsense = entries.find((entry) => !/^(kube:)?\w+\s*=\s*(true|false|t|f|0|1)$/i.test(entry));
    if (nonsense !== undefined) return `a list of <gate>=true or <gate>=false (wrong: ${nonsense})`;
    const removing = entries.find((entry) => {
        const [name = "", on = ""] = entry
            .replace(/^kube:/, "")
            .split("=")
            .map((part) => part.trim());
        return Object.hasOwn(protectiveGates, name) && protectiveGates[name] !== truth.on.test(on);
    });
    return removing === undefined
        ? distinctNames(value, cluster)
        : `a list without ${removing}, which removes a protection`;
};

export const featureGates: FlagRule = merged(
    `gates are added to Tradewind's; the cluster needs ${Object.entries(protectiveGates)
        .map(([name, isOn]) => `${name}=${isOn}`)
        .filter((gate) => gate !== "AllBeta=true")
        .join(", ")}`,
    gates,
);

/**
 * Cipher suites that Go has and does not call insecure, the same for every supported minor version. Source: `--help` of
 * kube-apiserver 1.34 to 1.37, "Preferred values".
 */
const cipherSuite =
    /^TLS_(AES_(128_GCM_SHA256|256_GCM_SHA384)|CHACHA20_POLY1305_SHA256|ECDHE_(ECDSA|RSA)_WITH_(AES_(128_CBC_SHA|128_GCM_SHA256|256_CBC_SHA|256_GCM_SHA384)|CHACHA20_POLY1305(_SHA256)?))$/;

/** Programs do not remove spaces from these lists, and do not skip empty entries. */
const knownSuites: Problem = (value) => {
    const wrong = value.split(",").filter((suite) => !cipherSuite.test(suite));
    const shown = wrong.map((suite) => (suite === suite.trim() && suite !== "" ? suite : JSON.stringify(suite)));
    return value !== "" && wrong.length > 0 ? `a list without ${shown.join(", ")}` : undefined;
};

/** For all programs that serve TLS. */
export const cipherSuites = checked("others do not exist or are insecure", knownSuites);

/** One of them is required by Go's HTTP/2 server, which does not start without. Suites of TLS 1.3 can't be chosen. */
const suitesOfHttp2 = ["ECDSA", "RSA"].map((key) => `TLS_ECDHE_${key}_WITH_AES_128_GCM_SHA256`);

const httpsCipherSuites = checked(
    "others do not exist or are insecure, and HTTP/2 requires one with ECDHE and AES_128_GCM",
    (value, cluster) => {
        const isEnough = value === "" || suitesOfHttp2.some((suite) => value.split(",").includes(suite));
        return (
            knownSuites(value, cluster) ?? (isEnough ? undefined : `a list that includes ${suitesOfHttp2.join(" or ")}`)
        );
    },
);

/** For all Kubernetes programs that serve HTTPS: what TLS they accept. */
export const tls: FlagRules = {
    "tls-min-version": checked("older TLS versions are insecure", (value) =>
        ["VersionTLS12", "VersionTLS13"].includes(value) ? undefined : "VersionTLS12 or VersionTLS13",
    ),
    "tls-cipher-suites": httpsCipherSuites,
};

/** For kube-apiserver, kube-controller-manager and kube-scheduler: how they are reached and what they serve. */
export const serving: FlagRules = {
    ...ending,
    ...owned("each generation of the pod listens on its own address, so that a rollout drops no requests", [
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
    ...owned("clients are authenticated by the cluster's CA", ["client-ca-file"], "`keys.kubernetesCa`"),
    ...owned(
        "aggregated APIs authenticate kube-apiserver with a CA of its own",
        ["requestheader-*"],
        "`keys.frontProxyCa`",
    ),
    ...free("off, because profiles expose memory contents", ["profiling"]),
    ...tls,
    "feature-gates": featureGates,
    ...owned("it would behave like an older version", ["emulated-version"], "`kubernetesVersion`"),
    ...owned("it decides which version the cluster can go back to", ["min-compatibility-version"], "`rollbackTo`"),
};

/** For kube-controller-manager and kube-scheduler, which are clients of kube-apiserver. */
export const client: FlagRules = {
    ...serving,
    ...owned("it has a kubeconfig with its own certificate", [
        "kubeconfig",
        "master",
        "authentication-kubeconfig",
        "authorization-kubeconfig",
    ]),
    ...owned("unauthenticated requests would be served", [
        "authentication-skip-lookup",
        "authentication-tolerate-lookup-failure",
    ]),
    ...owned("one replica is active at a time, and `tradewind status` shows which", [
        "leader-elect",
        "leader-elect-resource-*",
    ]),
};
