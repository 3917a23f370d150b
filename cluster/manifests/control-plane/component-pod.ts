import { checkpointAnnotation } from "../../../agents/checkpointer/plan";
import { addressAnnotation, loopbackAddress } from "../../../clients/kubernetes/loopback";
import { type FileComponent, optionOf } from "../../control-plane-files";
import { commandLine, type Flags, withExtra } from "../../flags/check";
import { controllerLabel } from "../../labels";
import type { Manifest } from "../../manifest";
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
    type Volume,
} from "../pod";
import { mountedFiles } from "./files";

/** One generation of a control-plane component. */
export interface ComponentPod {
    readonly name: Component;
    /** The loopback address that only this generation binds. */
    readonly address: string;
    readonly spec: PodSpec;
}

/**
 * Builds a component's pod with a loopback address derived from everything else in it.
 *
 * @param digest - changes with the component's credentials and files, which replaces its pods
 */
export function componentPod(
    cluster: Cluster,
    name: FileComponent,
    digest: string,
    spec: (address: string) => Pick<PodSpec, "containers" | "terminationGracePeriodSeconds">,
): ComponentPod {
    const user = componentUsers[name];
    // Generations of two users cannot share an address and port.
    const address = loopbackAddress({ name, user, digest, spec: spec("") });
    const placement = {
        ...onHost("control"),
        nodeSelector: { [controllerLabel]: "" },
        tolerations: everywhere,
        securityContext: asUser(user, user),
    };
    return { name, address, spec: { ...placement, ...spec(address), volumes: volumes(cluster, name) } };
}

function volumes(cluster: Cluster, name: FileComponent): Volume[] {
    return [
        fromSecret("credentials", name, credentialsPath).volume,
        { name: "tmp", emptyDir: { medium: "Memory", sizeLimit: "16Mi" } },
        ...mountedFiles(cluster, name).map(({ volume }) => volume),
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
