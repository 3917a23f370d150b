import type { types } from "@pulumi/kubernetes";
import { priorities } from "../manifest";
import type { Cluster } from "../model";

/** User and group `nobody`, which any pod may run as. */
export const unprivilegedId = 65534;

/**
 * Users of the control plane's pods, with groups of the same numbers.
 *
 * Generations of a component share their ports with SO_REUSEPORT, which the kernel allows for sockets of the same user.
 * So nothing else may run as that user: the numbers are from a range that neither systemd nor Linux distributions
 * assign (60706 to 61183), and a policy reserves them for kube-system: `kube-system-policy.ts`.
 */
export const componentUsers = {
    "kube-apiserver": 60801,
    "kube-controller-manager": 60802,
    "kube-scheduler": 60803,
    "node-approver": 60804,
} as const;

export type Component = keyof typeof componentUsers;

export type PodSpec = types.input.core.v1.PodSpec;
export type Container = types.input.core.v1.Container;
export type Volume = types.input.core.v1.Volume;
export type VolumeMount = types.input.core.v1.VolumeMount;
export type EnvVar = types.input.core.v1.EnvVar;
export type Toleration = types.input.core.v1.Toleration;

/** Toleration of pods that must run before the cloud's controller, which removes this taint from nodes. */
export function beforeCloudController({ cloudProvider }: Pick<Cluster, "cloudProvider">): Toleration[] {
    const key = "node.cloudprovider.kubernetes.io/uninitialized";
    return cloudProvider ? [{ key, operator: "Exists", effect: "NoSchedule" }] : [];
}

/**
 * Toleration of pods that must run before a CNI that users install: a node without one is not Ready. They also stay on a
 * node that is not Ready for another reason, but not on one that is unreachable.
 */
export function beforeCni({ network }: Pick<Cluster, "network">): Toleration[] {
    return network.cni === "none" ? [{ key: "node.kubernetes.io/not-ready", operator: "Exists" }] : [];
}

/** Of pods that run in the network of their node, whatever its state, and need no service account. */
export function onHost(priority: keyof typeof priorities) {
    return {
        hostNetwork: true,
        dnsPolicy: "Default",
        priorityClassName: priorities[priority].name,
        automountServiceAccountToken: false,
        enableServiceLinks: false,
    };
}

export const everywhere: Toleration[] = [{ operator: "Exists" }];

/**
 * Tolerations of pods that repair a cluster, free space or serve what does: the scheduler must place them on a node that
 * lacks disk space, memory or process IDs too. Kubelets admit and keep them there because of their priority.
 */
export const underPressure: Toleration[] = ["disk", "memory", "pid"].map((resource) => ({
    key: `node.kubernetes.io/${resource}-pressure`,
    operator: "Exists",
    effect: "NoSchedule",
}));

export const seccompProfile = { type: "RuntimeDefault" };

/** Of pods that read or write files of root. */
export const asRoot = { runAsUser: 0, runAsGroup: 0, seccompProfile };

/** Of all other pods. @param fsGroup - owns files of volumes @default root */
export function asUser(id: number, fsGroup?: number) {
    return {
        runAsNonRoot: true,
        runAsUser: id,
        runAsGroup: id,
        ...(fsGroup !== undefined && { fsGroup }),
        seccompProfile,
    };
}

/** A field of the pod, as an environment variable. */
export function fieldEnv(name: string, fieldPath: string): EnvVar {
    return { name, valueFrom: { fieldRef: { fieldPath } } };
}

/** A volume, and its mount in the only container that uses it. */
export interface Mounted {
    readonly mount: VolumeMount;
    readonly volume: Volume;
}

export function fromConfigMap(
    name: string,
    configMap: string,
    mountPath: string,
    options: { readonly optional?: true } = {},
): Mounted {
    return { mount: { name, mountPath, readOnly: true }, volume: { name, configMap: { name: configMap, ...options } } };
}

export function fromSecret(name: string, secretName: string, mountPath: string): Mounted {
    return {
        mount: { name, mountPath, readOnly: true },
        volume: { name, secret: { secretName, defaultMode: 0o400 } },
    };
}

export function fromImage(name: string, reference: string, mountPath: string): Mounted {
    return {
        mount: { name, mountPath, readOnly: true },
        volume: { name, image: { reference, pullPolicy: "IfNotPresent" } },
    };
}

/** A directory of the node, at the same path. @param type - how it must exist */
export function fromHost(
    name: string,
    path: string,
    mount: Pick<types.input.core.v1.VolumeMount, "readOnly" | "mountPropagation"> = {},
    type: "Directory" | "DirectoryOrCreate" = "Directory",
): Mounted {
    return { mount: { name, mountPath: path, ...mount }, volume: { name, hostPath: { path, type } } };
}

/**
 * What a Node.js container needs to trust the CAs of its node in addition to those of Node.js. Path in Flatcar and
 * Debian; without the file, Node.js ignores it.
 */
export const nodeCas = {
    env: { name: "NODE_EXTRA_CA_CERTS", value: "/etc/ssl/certs/ca-certificates.crt" },
    ...fromHost("authorities", "/etc/ssl/certs", { readOnly: true }, "DirectoryOrCreate"),
};

/** Path of certificates, keys and kubeconfig in a control plane pod. */
export const credentialsPath = "/etc/kubernetes/secrets";

/** Security settings of every control plane container. */
export const confined = {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
};

/** Copies the last log lines of a failed container to its status, where `pulumi up` reads them. */
export const lastWords = { terminationMessagePolicy: "FallbackToLogsOnError" };

/** An HTTPS probe of this process, which no other generation can answer. */
export function httpsProbe(
    host: string,
    port: number,
    path: string,
    limits: Omit<types.input.core.v1.Probe, "httpGet">,
) {
    return { httpGet: { host, port, path, scheme: "HTTPS" }, timeoutSeconds: 5, ...limits };
}
