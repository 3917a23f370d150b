import { ownPrefix } from "./control-plane-files";
import type { CommonOptions } from "./options";
import { invalid, requireNamespace, requireOneOf } from "./validate";

/** Levels of the Pod Security Standards, from the most permissive one. */
export const podSecurityLevels = ["privileged", "baseline", "restricted"] as const;

export type PodSecurityLevel = (typeof podSecurityLevels)[number];

/** What kube-apiserver's own admission plugins refuse and report. */
export interface Admission {
    readonly podSecurity: PodSecurity;
    /** Events per second that each kube-apiserver accepts; 0 stands for no limit. */
    readonly eventRateLimit: { readonly server: number; readonly namespace: number };
    /** Whether Services may take addresses that the cluster did not assign. */
    readonly externalIPs: (typeof externalIPModes)[number];
}

const externalIPModes = ["denied", "allowed"] as const;

export interface PodSecurity {
    readonly enforce: PodSecurityLevel;
    readonly audit: PodSecurityLevel;
    readonly warn: PodSecurityLevel;
    /** Namespaces whose pods may do everything: `kube-system` is always among them. */
    readonly exemptNamespaces: readonly string[];
}

/** Applies the defaults. Throws `<option> must be <legal> (got <value>)`. */
export function resolveAdmission(
    options: Pick<CommonOptions, "podSecurity" | "eventRateLimit" | "externalIPs">,
): Admission {
    const { podSecurity = {}, eventRateLimit = {}, externalIPs = "denied" } = options;
    const level = (mode: "enforce" | "audit" | "warn", usual: PodSecurityLevel) => {
        const { [mode]: chosen = usual } = podSecurity;
        return requireOneOf(`podSecurity.${mode}`, podSecurityLevels, chosen);
    };
    const { exemptNamespaces = [] } = podSecurity;
    for (const [index, name] of exemptNamespaces.entries()) {
        requireNamespace(`podSecurity.exemptNamespaces[${index}]`, name);
    }
    const rate = (of: "server" | "namespace", usual: number) => {
        const { [of]: perSecond = usual } = eventRateLimit;
        if (!Number.isInteger(perSecond) || perSecond < 0 || perSecond > mostEvents) {
            throw invalid(`eventRateLimit.${of}`, `a whole number from 0 to ${mostEvents}`, perSecond);
        }
        return perSecond;
    };
    return {
        podSecurity: {
            enforce: level("enforce", "baseline"),
            audit: level("audit", "restricted"),
            warn: level("warn", "restricted"),
            exemptNamespaces: [...new Set(["kube-system", ...exemptNamespaces])],
        },
        eventRateLimit: { server: rate("server", 200), namespace: rate("namespace", 50) },
        externalIPs: requireOneOf("externalIPs", externalIPModes, externalIPs),
    };
}

const mostEvents = 100_000;

/** Seconds for which events may arrive at the full rate at once: rollouts and failing nodes cause bursts. */
const burstSeconds = 10;

/** Namespaces whose limits kube-apiserver remembers; the least recently used ones start again with a full burst. */
const limitedNamespaces = 4096;

/** Whether kube-apiserver limits the rate of events. */
export function limitsEvents({ eventRateLimit: { server, namespace } }: Admission): boolean {
    return server > 0 || namespace > 0;
}

/** Plugins of kube-apiserver in addition to its default ones. */
export function addedPlugins(admission: Admission): string[] {
    return [
        "NodeRestriction",
        ...(limitsEvents(admission) ? ["EventRateLimit"] : []),
        ...(admission.externalIPs === "denied" ? ["DenyServiceExternalIPs"] : []),
    ];
}

/** Name of the configuration of admission plugins among kube-apiserver's files, which a preview shows. */
export const admissionFile: string = `${ownPrefix}admission.json`;

/** Configuration of kube-apiserver's admission plugins; undefined where they are as Kubernetes has them. */
export function admissionConfiguration(admission: Admission): object | undefined {
    const plugins = [...podSecurityPlugin(admission.podSecurity), ...eventPlugin(admission)];
    if (plugins.length === 0) return undefined;
    return { apiVersion: "apiserver.config.k8s.io/v1", kind: "AdmissionConfiguration", plugins };
}

function podSecurityPlugin({ enforce, audit, warn, exemptNamespaces }: PodSecurity): object[] {
    const levels = { enforce, audit, warn };
    if (Object.values(levels).every((level) => level === "privileged")) return [];
    return [
        {
            name: "PodSecurity",
            configuration: {
                apiVersion: "pod-security.admission.config.k8s.io/v1",
                kind: "PodSecurityConfiguration",
                defaults: levels,
                exemptions: { namespaces: exemptNamespaces },
            },
        },
    ];
}

function eventPlugin(admission: Admission): object[] {
    if (!limitsEvents(admission)) return [];
    const { server, namespace } = admission.eventRateLimit;
    const limit = (type: string, qps: number) => (qps > 0 ? [{ type, qps, burst: qps * burstSeconds }] : []);
    return [
        {
            name: "EventRateLimit",
            configuration: {
                apiVersion: "eventratelimit.admission.k8s.io/v1alpha1",
                kind: "Configuration",
                limits: [
                    ...limit("Server", server),
                    ...limit("Namespace", namespace).map((each) => ({ ...each, cacheSize: limitedNamespaces })),
                ],
            },
        },
    ];
}
