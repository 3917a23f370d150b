import type { KubeletCredentials } from "../../../clients/kubernetes/kubelet-api";
import { type Check, isAbsolutePath, isText, isUrl, problemsOf, readPlanFile } from "../../harness/plan";
import type { KubeletSettings } from "./kubelet/settings";
import type { OwnMember } from "./reboot/yield-lead";

/** The node-agent's plan for the nodes of a pool: `plan.json`. It contains no secrets. */
export interface NodeAgentPlan {
    /** Version without the `v`. */
    readonly wanted: string;
    /** Allowed kubelets, by version: the desired one, and those that a node's annotation may name. */
    readonly kubelets: Readonly<Record<string, Source>>;
    /** Settings of every kubelet that is started from now on. */
    readonly settings: KubeletSettings;
    /** Archive of the desired CNI plugins. */
    readonly cniPlugins: Source;
    /** Others that a node's annotation may name. @default - none */
    readonly otherCniPlugins?: readonly Source[];
    /** The desired container runtime. @default - each node keeps its own */
    readonly containerRuntime?: RuntimeSource;
    /** Others that a node's annotation may name. @default - none */
    readonly otherContainerRuntimes?: readonly RuntimeSource[];
    /** @default - the kubelet trusts the CA that its machine booted with, which issued its certificates */
    readonly identity?: KubeletIdentity;
    /** Whether there are other nodes that can take a node's pods. */
    readonly hasOtherNodes: boolean;
    /** Whether the agent removes DaemonSet pods left by a shutdown: on a controller the checkpointer does. */
    readonly removesEndedPods: boolean;
    /** Whether the machine is rebooted when its OS requests it and it is its turn. @default false */
    readonly rebootsOs?: boolean;
    /**
     * URL of the EC2 metadata service with interruption notices: `http://169.254.169.254`.
     * @default - the machine is never taken away
     */
    readonly noticesFrom?: string;
    /** Group that waits for a release before it terminates the machine. @default - none */
    readonly group?: WaitingGroup;
    /** The etcd member on a controller, which must not lead during its reboot. @default - none */
    readonly etcd?: OwnMember;
    /** URLs of the API, the node's own apiserver first. */
    readonly apiServers: readonly string[];
    readonly credentials: KubeletCredentials;
    readonly directories: NodeAgentDirectories;
    /** The kubelet's health URL: `http://127.0.0.1:10248/healthz`. */
    readonly kubeletHealthz: string;
    /** Port on 127.0.0.1 for the kubelet's probes. */
    readonly healthPort: number;
    /** @default - `defaultLimits` */
    readonly limits?: Partial<Limits>;
}

/** An Auto Scaling group of AWS with a lifecycle hook. */
export interface WaitingGroup {
    readonly name: string;
    /** Name of the hook. */
    readonly hook: string;
    readonly region: string;
    /** URL of the service: `https://autoscaling.eu-central-1.amazonaws.com`. */
    readonly service: string;
}

/** Source of a file: URLs are tried in order, and other content is rejected. */
export interface Source {
    readonly urls: readonly string[];
    /** Lower-case hex. */
    readonly sha256: string;
}

/** Source of a container runtime. */
export interface RuntimeSource {
    /** An archive with its programs in `bin`. */
    readonly containerd: Source;
    /** The program. */
    readonly runc: Source;
}

/** A kubelet that can be run. */
export interface Kubelet extends Source {
    /** Without the `v`. */
    readonly version: string;
    /** ID of its settings. */
    readonly settings: string;
}

/** The CAs that kubelets trust, and the one that issues their certificates. */
export interface KubeletIdentity {
    /** Names of the trusted CAs, as in their certificates. */
    readonly authorities: readonly string[];
    /** The one of them that issues kubelets' certificates. */
    readonly issuer: string;
    /** Whether kubelets request a server certificate too. */
    readonly asksForServer: boolean;
    /** URL of the API for kubelets. */
    readonly apiServer: string;
    /** Other URLs for some kubelets, by node name. @default - none */
    readonly otherApiServers?: Readonly<Record<string, string>>;
    /** Directory of kubelets' certificates: an absolute path, the same on the host and in the agent's container. */
    readonly directory: string;
}

/** Absolute paths, the same on the host and in the agent's container. */
export interface NodeAgentDirectories {
    /** Every kubelet that ran here, and `kubelet.env`, which names the one to run. */
    readonly kubelets: string;
    /** CNI plugins: `bin`, archives, and `plugins.env`, which names the archive installed in `bin`. */
    readonly cni: string;
    /** Container runtimes, each in its own directory, and `current`. @default - `containerRuntime` is not set */
    readonly containerRuntime?: string;
    /** `/var/lib/tradewind/node-agent` */
    readonly state: string;
}

/** Seconds. */
export interface Limits {
    /** After which remaining pods are reported. They are never killed. */
    readonly drain: number;
    /** In which a started kubelet must make its node Ready, while the API answers. */
    readonly ready: number;
    /** The same while the API does not answer: the new kubelet may be at fault. */
    readonly silent: number;
    /** For which a node must be Ready without interruption. */
    readonly settle: number;
    /** In which a machine must go down for its reboot, and its node become Ready after it, while the API answers. */
    readonly reboot: number;
    /** From a reboot, or a postponed one, to the next. */
    readonly rest: number;
}

export const defaultLimits: Limits = { drain: 300, ready: 180, silent: 600, settle: 5, reboot: 600, rest: 3600 };

/**
 * Readiness gate of the agent's pod. A probe alone is not enough: a restarted kubelet considers existing containers
 * ready until it has probed them, and the rollout would move on to the next node.
 */
export const readyGate = "tradewind.dev/kubelet-as-wanted";

/** On a Node: its desired kubelet version, instead of its pool's. */
export const versionAnnotation = "tradewind.dev/kubelet-version";

/** On a Node: its desired CNI plugins, instead of its pool's: the SHA-256 of their archive, or its beginning. */
export const cniPluginsAnnotation = "tradewind.dev/cni-plugins";

/** On a Node: its desired container runtime, instead of its pool's: 12 digits each of the two SHA-256. */
export const containerRuntimeAnnotation = "tradewind.dev/container-runtime";

/** On a Node: the agent cordoned it, and so may uncordon it. */
export const cordonAnnotation = "tradewind.dev/cordoned-by-node-agent";

export function readPlan(path: string): NodeAgentPlan {
    return readPlanFile<NodeAgentPlan>(path, planProblems);
}

/** Everything wrong with a plan, each problem with its path. */
export function planProblems(plan: NodeAgentPlan): string[] {
    const { wanted, kubelets = {}, apiServers, credentials, directories, kubeletHealthz, healthPort } = plan;
    const {
        etcd,
        limits = {},
        hasOtherNodes,
        removesEndedPods,
        rebootsOs = false,
        settings,
        identity,
        noticesFrom,
        group,
    } = plan;
    const isFlags = Array.isArray(settings?.flags) && settings.flags.every((flag) => /^--[^\n]+$/.test(flag));
    const isServers =
        Array.isArray(apiServers) && apiServers.length > 0 && apiServers.every((url) => isUrl("https", url));
    const isPort = Number.isInteger(healthPort) && healthPort > 0 && healthPort < 65536;
    const checks: Check[] = [
        [Object.hasOwn(kubelets, wanted), "wanted", `one of kubelets, ${Object.keys(kubelets).join(", ")}`, wanted],
        ...Object.entries(kubelets).flatMap(([version, source]): Check[] => [
            [/^\d+\.\d+\.\d+$/.test(version), "a key of kubelets", "<major>.<minor>.<patch>", version],
            ...sourceChecks(`kubelets.${version}`, source),
        ]),
        ...sourceChecks("cniPlugins", plan.cniPlugins),
        ...(plan.otherCniPlugins ?? []).flatMap((source, index) => sourceChecks(`otherCniPlugins[${index}]`, source)),
        ...[plan.containerRuntime, ...(plan.otherContainerRuntimes ?? [])].flatMap((runtime, index) =>
            runtime
                ? runtimeChecks(index === 0 ? "containerRuntime" : `otherContainerRuntimes[${index - 1}]`, runtime)
                : [],
        ),
        [/^[0-9a-f]+$/.test(settings?.id), "settings.id", "hexadecimal", settings?.id],
        [isText(settings?.configuration), "settings.configuration", "a KubeletConfiguration", settings?.configuration],
        [isFlags, "settings.flags", "a list of flags, each on one line", settings?.flags],
        ...Object.entries({ hasOtherNodes, removesEndedPods, rebootsOs }).map(
            ([key, value]): Check => [typeof value === "boolean", key, "true or false", value],
        ),
        [isServers, "apiServers", "a list of at least one https:// URL without a path", apiServers],
        [isText(kubeletHealthz) && URL.canParse(kubeletHealthz), "kubeletHealthz", "a URL", kubeletHealthz],
        [isPort, "healthPort", "a port", healthPort],
        [
            noticesFrom === undefined || isUrl("http", noticesFrom),
            "noticesFrom",
            "an http:// URL without a path",
            noticesFrom,
        ],
        [
            etcd === undefined || isUrl("https", etcd.endpoint),
            "etcd.endpoint",
            "an https:// URL without a path",
            etcd?.endpoint,
        ],
        ...Object.entries({
            ...(etcd && { "etcd.pki": etcd.pki }),
            "credentials.ca": credentials?.ca,
            "credentials.client": credentials?.client,
            "directories.kubelets": directories?.kubelets,
            "directories.cni": directories?.cni,
            ...(plan.containerRuntime && { "directories.containerRuntime": directories?.containerRuntime }),
            "directories.state": directories?.state,
        }).map(([key, value]): Check => [isAbsolutePath(value), key, "an absolute path", value]),
        ...(identity ? identityChecks(identity) : []),
        ...(group ? groupChecks(group) : []),
        ...Object.entries(limits).map(
            ([key, seconds]): Check => [
                key in defaultLimits && typeof seconds === "number" && seconds >= 0,
                `limits.${key}`,
                `a number of seconds with one of the names ${Object.keys(defaultLimits).join(", ")}`,
                seconds,
            ],
        ),
    ];
    return problemsOf(checks);
}

function identityChecks({
    authorities,
    issuer,
    asksForServer,
    apiServer,
    otherApiServers = {},
    directory,
}: KubeletIdentity): Check[] {
    const isNames = Array.isArray(authorities) && authorities.length > 0 && authorities.every(isText);
    return [
        [isNames, "identity.authorities", "a list of names", authorities],
        [isNames && authorities.includes(issuer), "identity.issuer", "one of identity.authorities", issuer],
        [typeof asksForServer === "boolean", "identity.asksForServer", "true or false", asksForServer],
        ...[apiServer, ...Object.values(otherApiServers)].map(
            (url): Check => [isUrl("https", url), "each API server of identity", "an https:// URL without a path", url],
        ),
        [isAbsolutePath(directory), "identity.directory", "an absolute path", directory],
    ];
}

function groupChecks({ name, hook, region, service }: WaitingGroup): Check[] {
    return [
        ...Object.entries({ name, hook, region }).map(
            ([key, value]): Check => [isText(value), `group.${key}`, "a name", value],
        ),
        [isUrl("https", service), "group.service", "an https:// URL without a path", service],
    ];
}

function sourceChecks(key: string, source: Source | undefined): Check[] {
    return [
        [/^[0-9a-f]{64}$/.test(source?.sha256 ?? ""), `${key}.sha256`, "a SHA-256", source?.sha256],
        [isUrls(source?.urls), `${key}.urls`, "a list of URLs without spaces", source?.urls],
    ];
}

function runtimeChecks(key: string, { containerd, runc }: RuntimeSource): Check[] {
    return [...sourceChecks(`${key}.containerd`, containerd), ...sourceChecks(`${key}.runc`, runc)];
}

/** They are written to a file that a shell reads. */
function isUrls(urls: unknown): boolean {
    return (
        Array.isArray(urls) &&
        urls.length > 0 &&
        urls.every((url) => isText(url) && /^https?:\/\/[^\s"$`\\]+$/.test(url))
    );
}
