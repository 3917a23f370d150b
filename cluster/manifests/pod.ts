import type { types } from "@pulumi/kubernetes";
import { checkpointAnnotation } from "../../agents/checkpointer/plan";
import { addressAnnotation, loopbackAddress } from "../../clients/kubernetes/loopback";
import { controllerLabel } from "../labels";
import { type Manifest, priorities } from "../manifest";
import type { Cluster } from "../model";
import { type Component, componentUsers } from "../users";

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

/** Path of certificates, keys and kubeconfig in a control plane pod. */
export const credentialsPath = "/etc/kubernetes/secrets";

/** Path of the same files for the temporary control plane, written by the bootstrap agent. */
export const bootstrapSecretsPath = "/etc/kubernetes/bootstrap-secrets";

/** One generation of a control-plane component. */
export interface ComponentPod {
    readonly name: Component;
    /** The loopback address that only this generation binds. */
    readonly address: string;
    readonly spec: PodSpec;
}

/** How a generation runs: as a static pod before the pivot, or managed by the API after it. */
export type Generation =
    | { readonly kind: "temporary" }
    /** `digest` changes with the component's credentials, which replaces its pods. */
    | { readonly kind: "self-hosted"; readonly digest: string };

/** Builds a component's pod with a loopback address derived from everything else in it. */
export function componentPod(
    name: Component,
    generation: Generation,
    spec: (address: string) => Pick<PodSpec, "containers" | "terminationGracePeriodSeconds">,
): ComponentPod {
    const user = componentUsers[name];
    // Generations of two users cannot share an address and port.
    const address = loopbackAddress({ name, user, generation, spec: spec("") });
    return {
        name,
        address,
        spec: { ...placement(generation, user), ...spec(address), volumes: volumes(name, generation) },
    };
}

function placement(generation: Generation, user: number): PodSpec {
    const isTemporary = generation.kind === "temporary";
    const common: Omit<PodSpec, "containers"> = {
        hostNetwork: true,
        dnsPolicy: "Default",
        priorityClassName: priorities.control.name,
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        tolerations: [{ operator: "Exists" }],
    };
    if (isTemporary) {
        // Root, because root owns its files; the admission plugin that resolves priorities is not running yet.
        const securityContext = { seccompProfile: { type: "RuntimeDefault" } };
        return { ...common, containers: [], priority: priorities.control.value, securityContext };
    }
    return {
        ...common,
        containers: [],
        nodeSelector: { [controllerLabel]: "" },
        securityContext: {
            runAsNonRoot: true,
            runAsUser: user,
            runAsGroup: user,
            fsGroup: user,
            seccompProfile: { type: "RuntimeDefault" },
        },
    };
}

function volumes(name: string, generation: Generation): Volume[] {
    const credentials: Volume =
        generation.kind === "temporary"
            ? { name: "credentials", hostPath: { path: `${bootstrapSecretsPath}/${name}`, type: "Directory" } }
            : { name: "credentials", secret: { secretName: name, defaultMode: 0o400 } };
    return [credentials, { name: "tmp", emptyDir: { medium: "Memory", sizeLimit: "16Mi" } }];
}

/** Security settings of every control plane container. */
export const confined = {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
};

/** Copies the last log lines of a failed container to its status, where `pulumi up` reads them. */
export const lastWords = { terminationMessagePolicy: "FallbackToLogsOnError" };

/** Mounts of every control plane container: the credentials and a scratch directory. */
export const mounts = [
    { name: "credentials", mountPath: credentialsPath, readOnly: true },
    { name: "tmp", mountPath: "/tmp" },
];

/** An HTTPS probe of this process, which no other generation can answer. */
export function httpsProbe(
    host: string,
    port: number,
    path: string,
    limits: Omit<types.input.core.v1.Probe, "httpGet">,
) {
    return { httpGet: { host, port, path, scheme: "HTTPS" }, timeoutSeconds: 5, ...limits };
}

/** The static pod of a temporary component. */
export function staticPod({ name, spec }: ComponentPod): Manifest {
    return {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: `bootstrap-${name}`, namespace: "kube-system", labels: { "k8s-app": `bootstrap-${name}` } },
        spec,
    };
}

/** The DaemonSet of a self-hosted component: the new pod is Ready before the old one is deleted. */
export function controllerDaemonSet(
    { name, address, spec }: ComponentPod,
    annotations: Record<string, string>,
): Manifest {
    const labels = { "k8s-app": name };
    return {
        apiVersion: "apps/v1",
        kind: "DaemonSet",
        metadata: { name, namespace: "kube-system", labels },
        spec: {
            selector: { matchLabels: labels },
            updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
            template: {
                metadata: {
                    labels,
                    annotations: { ...annotations, [addressAnnotation]: address, [checkpointAnnotation]: "true" },
                },
                spec,
            },
        },
    };
}
