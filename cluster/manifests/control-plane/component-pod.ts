import { checkpointAnnotation } from "../../../agents/checkpointer/plan";
import { addressAnnotation, loopbackAddress } from "../../../clients/kubernetes/loopback";
import { type FileComponent, optionOf } from "../../control-plane-files";
import { commandLine, type Flags, withExtra } from "../../flags/check";
import { controllerLabel } from "../../labels";
import { type Manifest, priorities } from "../../manifest";
import type { Cluster } from "../../model";
import { daemonSet } from "../objects";
import {
    asUser,
    type Component,
    type Container,
    componentUsers,
    confined,
    credentialsPath,
    everywhere,
    fromSecret,
    lastWords,
    onHost,
    type PodSpec,
    seccompProfile,
    type Volume,
} from "../pod";
import { mountedFiles } from "./files";

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
    /** `digest` changes with the component's credentials and files, which replaces its pods. */
    | { readonly kind: "self-hosted"; readonly digest: string };

/** Builds a component's pod with a loopback address derived from everything else in it. */
export function componentPod(
    cluster: Cluster,
    name: FileComponent,
    generation: Generation,
    spec: (address: string) => Pick<PodSpec, "containers" | "terminationGracePeriodSeconds">,
): ComponentPod {
    const user = componentUsers[name];
    // Generations of two users cannot share an address and port.
    const address = loopbackAddress({ name, user, generation, spec: spec("") });
    return {
        name,
        address,
        spec: { ...placement(generation, user), ...spec(address), volumes: volumes(cluster, name, generation) },
    };
}

function placement(generation: Generation, user: number): PodSpec {
    const isTemporary = generation.kind === "temporary";
    const common = { ...onHost("control"), tolerations: everywhere, containers: [] };
    if (isTemporary) {
        // Root, because root owns its files; the admission plugin that resolves priorities is not running yet.
        return { ...common, priority: priorities.control.value, securityContext: { seccompProfile } };
    }
    return { ...common, nodeSelector: { [controllerLabel]: "" }, securityContext: asUser(user, user) };
}

function volumes(cluster: Cluster, name: FileComponent, generation: Generation): Volume[] {
    const added = mountedFiles(cluster, name, generation.kind === "temporary" ? bootstrapSecretsPath : undefined);
    const credentials: Volume =
        generation.kind === "temporary"
            ? { name: "credentials", hostPath: { path: `${bootstrapSecretsPath}/${name}`, type: "Directory" } }
            : fromSecret("credentials", name, credentialsPath).volume;
    return [
        credentials,
        { name: "tmp", emptyDir: { medium: "Memory", sizeLimit: "16Mi" } },
        ...added.map(({ volume }) => volume),
    ];
}

interface ComponentContainer {
    readonly flags: Flags;
    readonly env?: Container["env"];
    readonly requests: { readonly cpu: string; readonly memory: string };
    readonly probes: Pick<Container, "startupProbe" | "livenessProbe" | "readinessProbe">;
}

/** The container of a component, with the flags that users add. */
export function componentContainer(
    cluster: Cluster,
    name: FileComponent,
    { flags, env, requests, probes }: ComponentContainer,
): Container {
    const { images, extraArgs } = cluster;
    const option = optionOf(name);
    return {
        name,
        image: images[option],
        ...lastWords,
        command: [name, ...commandLine(withExtra(name, flags, extraArgs[option]))],
        ...(env && { env }),
        resources: { requests },
        securityContext: confined,
        ...probes,
        volumeMounts: [...mounts, ...mountedFiles(cluster, name).map(({ mount }) => mount)],
    };
}

/** Mounts of every control plane container: the credentials and a scratch directory. */
const mounts = [
    { name: "credentials", mountPath: credentialsPath, readOnly: true },
    { name: "tmp", mountPath: "/tmp" },
];

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
    return daemonSet(name, spec, {
        annotations: { ...annotations, [addressAnnotation]: address, [checkpointAnnotation]: "true" },
        rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
    });
}
