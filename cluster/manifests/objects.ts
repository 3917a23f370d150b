import { administrators } from "../../agents/boot/receiver/assets";
import { boundAdministrators } from "../keys/administrator";
import { contentHash, type Manifest } from "../manifest";
import type { Cluster } from "../model";
import type { PodSpec } from "./pod";

export const systemNamespace = "kube-system";

/** A file of JSON. */
export function json(value: unknown): string {
    return `${JSON.stringify(value, null, 2)}\n`;
}

/** Data of a Secret: base64 of each text. */
export function encoded(texts: Readonly<Record<string, string | undefined>>): Record<string, string> {
    return Object.fromEntries(
        Object.entries(texts).map(([name, text = ""]) => [name, Buffer.from(text).toString("base64")]),
    );
}

/** A Secret with text values. */
export function secret(
    name: string,
    texts: Readonly<Record<string, string | undefined>>,
    annotations?: Record<string, string>,
): Manifest {
    return {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name, namespace: systemNamespace, ...(annotations && { annotations }) },
        type: "Opaque",
        data: encoded(texts),
    };
}

export function configMap(
    name: string,
    data: Record<string, string>,
    { immutable }: { readonly immutable?: true } = {},
): Manifest {
    return {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name, namespace: systemNamespace },
        ...(immutable && { immutable }),
        data,
    };
}

/** A ConfigMap named by its content, so that a change replaces the pods. */
export function immutableConfigMap(prefix: string, data: Record<string, string>): Manifest {
    return configMap(`${prefix}-${contentHash(data)}`, data, { immutable: true });
}

/**
 * An object that is only ready with pods in the pod network. With a CNI that users install, it is not waited for: they
 * can only do so once the cluster exists.
 */
export function inPodNetwork({ network }: Pick<Cluster, "network">, object: Manifest): Manifest {
    if (network.cni !== "none") return object;
    const { annotations, ...metadata } = object.metadata;
    return { ...object, metadata: { ...metadata, annotations: { ...annotations, "pulumi.com/skipAwait": "true" } } };
}

interface DaemonSetOptions {
    readonly labels?: Record<string, string>;
    /** Of its pods. @default none */
    readonly annotations?: Record<string, string>;
    /** @default one pod at a time, and never two on a node */
    readonly rollingUpdate?: { readonly maxSurge?: number; readonly maxUnavailable: number | string };
    /** @default 0 */
    readonly minReadySeconds?: number;
}

export function daemonSet(name: string, spec: PodSpec, options: DaemonSetOptions = {}): Manifest {
    const { labels = { "k8s-app": name }, annotations, minReadySeconds } = options;
    const { rollingUpdate = { maxSurge: 0, maxUnavailable: 1 } } = options;
    return {
        apiVersion: "apps/v1",
        kind: "DaemonSet",
        metadata: { name, namespace: systemNamespace, labels },
        spec: {
            selector: { matchLabels: labels },
            updateStrategy: { type: "RollingUpdate", rollingUpdate },
            ...(minReadySeconds && { minReadySeconds }),
            template: { metadata: { labels, ...(annotations && { annotations }) }, spec },
        },
    };
}

interface DeploymentOptions extends Pick<DaemonSetOptions, "labels" | "annotations" | "minReadySeconds"> {
    /** @default 1 */
    readonly replicas?: number;
    /** @default - the old pod ends before the new one starts */
    readonly rollingUpdate?: { readonly maxUnavailable: number; readonly maxSurge: number };
}

export function deployment(name: string, spec: PodSpec, options: DeploymentOptions = {}): Manifest {
    const { labels = { "k8s-app": name }, annotations, replicas = 1, rollingUpdate, minReadySeconds } = options;
    return {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name, namespace: systemNamespace, labels },
        spec: {
            replicas,
            strategy: rollingUpdate ? { type: "RollingUpdate", rollingUpdate } : { type: "Recreate" },
            ...(minReadySeconds && { minReadySeconds }),
            selector: { matchLabels: labels },
            template: { metadata: { labels, ...(annotations && { annotations }) }, spec },
        },
    };
}

/** Limits evictions of ready pods with this label `k8s-app`; one that is not ready never delays a drain. */
export function disruptionBudget(
    name: string,
    limit: { readonly minAvailable: number } | { readonly maxUnavailable: number },
    app = name,
    labels?: Record<string, string>,
): Manifest {
    return {
        apiVersion: "policy/v1",
        kind: "PodDisruptionBudget",
        metadata: { name, namespace: systemNamespace, ...(labels && { labels }) },
        spec: {
            ...limit,
            selector: { matchLabels: { "k8s-app": app } },
            unhealthyPodEvictionPolicy: "AlwaysAllow",
        },
    };
}

/** Denies requests that violate it. @param paramRef - the object with its parameters. @default - it has none */
export function admissionPolicy(name: string, spec: object, paramRef?: object): Manifest[] {
    const apiVersion = "admissionregistration.k8s.io/v1";
    return [
        { apiVersion, kind: "ValidatingAdmissionPolicy", metadata: { name }, spec },
        {
            apiVersion,
            kind: "ValidatingAdmissionPolicyBinding",
            metadata: { name },
            spec: { policyName: name, ...(paramRef && { paramRef }), validationActions: ["Deny"] },
        },
    ];
}

/** Groups to which policies of Nodes do not apply. */
export function administratorGroups({ certificates }: Pick<Cluster, "certificates">): string[] {
    const bound = boundAdministrators(certificates);
    return bound ? [administrators, bound] : [administrators];
}

/** The beginning of a policy about changes of Nodes by anyone but the members of these groups. */
export function changesOfNodes(exempt: readonly string[]) {
    return {
        failurePolicy: "Fail",
        matchConstraints: {
            resourceRules: [
                {
                    apiGroups: [""],
                    apiVersions: ["v1"],
                    resources: ["nodes", "nodes/status"],
                    operations: ["CREATE", "UPDATE"],
                },
            ],
        },
        matchConditions: [{ name: "not-an-administrator", expression: isNoneOf(exempt) }],
    };
}

/** Variables of such a policy: all annotations before and after, and whether those with the prefix stay as they are. */
export function annotationVariables(prefix: string) {
    const isSame = "variables.annotations[?key] == variables.old[?key]";
    const isUnchanged = (keysOf: string) => `variables.${keysOf}.all(key, !key.startsWith("${prefix}") || ${isSame})`;
    return [
        { name: "annotations", expression: "object.metadata.?annotations.orValue({})" },
        { name: "old", expression: "oldObject == null ? {} : oldObject.metadata.?annotations.orValue({})" },
        { name: "isUnchanged", expression: `${isUnchanged("annotations")} && ${isUnchanged("old")}` },
    ];
}

/** CEL: whether a request's user is in none of these groups. */
export function isNoneOf(groups: readonly string[]): string {
    return groups.map((group) => `!("${group}" in request.userInfo.?groups.orValue([]))`).join(" && ");
}
