import { type Check, isAbsolutePath, isText, isUrl, problemsOf, readPlanFile } from "../common/read-plan";
import {
    defaultLimits,
    type KubeletIdentity,
    type NodeAgentPlan,
    type RuntimeSource,
    type Source,
    type WaitingGroup,
} from "./plan";

export function readPlan(path: string): NodeAgentPlan {
    return readPlanFile<NodeAgentPlan>(path, planProblems);
}

/** What is wrong with a plan, each with its path. */
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
                `a number of seconds, by one of the names ${Object.keys(defaultLimits).join(", ")}`,
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

/** They go into a file that a shell reads. */
function isUrls(urls: unknown): boolean {
    return (
        Array.isArray(urls) &&
        urls.length > 0 &&
        urls.every((url) => isText(url) && /^https?:\/\/[^\s"$`\\]+$/.test(url))
    );
}
