import { redact } from "../../../agents/harness/redact";
import {
    type ContainerState,
    type ContainerStatus,
    condition,
    isReady,
    type Metadata,
    type Pod,
} from "../../../clients/kubernetes/objects";
import { mirrorAnnotation } from "../../../clients/kubernetes/pods";
import { versionOfImage } from "../../../cluster/upgrades/version";
import { isOfJob, isOver } from "../../../local/pods";
import { componentOf, ETCD, type PodFacts, type PodOrigin } from "../facts";
import type { MachineReport } from "./machine-report";
import { secondsSince } from "./nodes";

/** Maximum characters of a container's last message. */
const MOST_WORDS = 200;

/** Reads a pod at this time: milliseconds since 1970. */
export function podFacts(pod: Pod, now: number): PodFacts {
    const { metadata, spec, status = {} } = pod;
    const container = spec.containers.find(({ name }) => componentOf(name) !== undefined);
    // A pod that runs etcd next to a shell mounts it from a volume.
    const program = spec.volumes?.find(({ name, image }) => name === ETCD && image)?.image?.reference;
    const isWell = isOver(status) || isReady(status);
    const restarts = (status.containerStatuses ?? []).map(({ restartCount = 0 }) => restartCount);
    return {
        name: metadata.name,
        node: spec.nodeName,
        component: container && componentOf(container.name),
        origin: originOf(metadata),
        state: isWell ? "ready" : "not-ready",
        problem: isWell ? undefined : problemOf(pod),
        ...(status.phase === "Failed" && isOfJob(metadata) && { hasFailed: true }),
        isEnding: metadata.deletionTimestamp !== undefined,
        sinceSeconds: secondsSince(condition(status, "Ready")?.lastTransitionTime ?? metadata.creationTimestamp, now),
        restarts: Math.max(0, ...restarts),
        version: container && versionOfImage(program ?? container.image),
    };
}

/** Where a pod came from; only this file knows how the checkpointer marks its copies. */
export function originOf({ annotations = {} }: Pick<Metadata, "annotations">): PodOrigin {
    if ("tradewind.dev/checkpoint-of" in annotations) {
        return "checkpoint";
    }
    return mirrorAnnotation in annotations ? "static" : "api";
}

function problemOf({ spec, status = {} }: Pod): string {
    if (spec.nodeName === undefined) {
        return condition(status, "PodScheduled")?.message ?? "not scheduled yet";
    }
    const containers = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
    const troubles = containers.flatMap((container) => troubleOf(container) ?? []);
    const message = condition(status, "Ready")?.message;
    return troubles[0] ?? message ?? status.phase ?? "not ready";
}

/** The most informative state of a container that does not run. */
function troubleOf({ name, ready, state, lastState }: ContainerStatus): string | undefined {
    const { waiting, terminated } = state ?? {};
    if (waiting?.reason && waiting.reason !== "PodInitializing") {
        const ended = lastState?.terminated;
        // That of a crash loop only says for how long.
        const why = waiting.reason === "CrashLoopBackOff" ? "" : causeOf(waiting.message);
        return `${name}: ${waiting.reason}${why && `: ${why}`}${ended ? `, last ${endOf(ended)}` : ""}`;
    }
    if (terminated && terminated.exitCode !== 0) {
        return `${name}: ${endOf(terminated)}`;
    }
    return !ready && !terminated && !waiting ? `${name} is not ready` : undefined;
}

/** The end of a message: the runtime and the kubelet put what they did before the cause. */
function causeOf(message = ""): string {
    const words = redact(message).replaceAll(/\s+/g, " ").trim();
    return words.length > MOST_WORDS ? `…${words.slice(-MOST_WORDS)}` : words;
}

type End = NonNullable<ContainerState["terminated"]>;

/** The last line of the termination message: programs print the reason for rejecting a flag below their usage. */
function endOf({ reason = "exit code", exitCode, message = "" }: End): string {
    const last = message.trim().split("\n").at(-1)!.trim();
    const words = last.length > MOST_WORDS ? `${last.slice(0, MOST_WORDS)}…` : last;
    return `exited with ${reason} ${exitCode}${words && `: ${words}`}`;
}

/** What runs on control plane machines while the API is down: the containers are running, but may not be ready. */
export function machinePods(reports: ReadonlyMap<string, MachineReport>): PodFacts[] {
    return [...reports].flatMap(([node, { running = [], staticPods }]) =>
        running
            .filter(({ namespace, name }) => namespace === "kube-system" && componentOf(name) !== undefined)
            .map(({ pod, name }) => ({
                name: pod,
                node,
                component: componentOf(name),
                origin: originOfPod(pod, node, staticPods),
                state: "running" as const,
                isEnding: false,
            })),
    );
}

function originOfPod(pod: string, node: string, staticPods: MachineReport["staticPods"]) {
    const annotations = pod.endsWith(`-${node}`) ? staticPods.get(pod.slice(0, -node.length - 1)) : undefined;
    return annotations === undefined ? "api" : originOf({ annotations: { ...annotations, [mirrorAnnotation]: "" } });
}
