/** What the agent reads of a pod. */
export interface Pod {
    readonly metadata: {
        readonly name: string;
        readonly annotations?: Readonly<Record<string, string>>;
        readonly deletionTimestamp?: string;
        readonly ownerReferences?: readonly { readonly kind: string; readonly name: string }[];
    };
    readonly status?: {
        readonly phase?: string;
        readonly conditions?: readonly Condition[];
        readonly initContainerStatuses?: readonly ContainerStatus[];
        readonly containerStatuses?: readonly ContainerStatus[];
    };
}

interface Condition {
    readonly type: string;
    readonly status: string;
    readonly reason?: string;
    readonly message?: string;
}

interface ContainerStatus {
    readonly name: string;
    readonly ready: boolean;
    readonly restartCount?: number;
    readonly state?: ContainerState;
    readonly lastState?: ContainerState;
}

interface ContainerState {
    readonly running?: object;
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly terminated?: { readonly reason?: string; readonly exitCode: number; readonly message?: string };
}

/** Why a pod is not Ready, in one line, or undefined if it is. */
export function podProblem({ metadata, status = {} }: Pod): string | undefined {
    if (metadata.deletionTimestamp !== undefined) {
        return `${metadata.name}: is terminating`;
    }
    const condition = (type: string) => status.conditions?.find((candidate) => candidate.type === type);
    if (condition("Ready")?.status === "True") {
        return undefined;
    }
    const scheduled = condition("PodScheduled");
    if (scheduled?.status === "False") {
        return `${metadata.name}: ${reasonOf(scheduled, "is not scheduled")}`;
    }
    const inits = (status.initContainerStatuses ?? []).filter(({ state }) => state?.terminated?.exitCode !== 0);
    const problems = [...inits, ...(status.containerStatuses ?? [])].map(containerProblem).filter(Boolean);
    return `${metadata.name}: ${problems.join(", ") || reasonOf(condition("Ready"), `is ${status.phase ?? "Pending"}`)}`;
}

function containerProblem({
    name,
    ready,
    restartCount = 0,
    state = {},
    lastState,
}: ContainerStatus): string | undefined {
    const before = lastState?.terminated && `, ended before with exit code ${lastState.terminated.exitCode}`;
    const restarts = restartCount > 0 ? ` after ${restartCount} restarts${before ?? ""}` : "";
    if (state.waiting) {
        return `container ${name} waiting: ${reasonOf(state.waiting, "no reason given")}${restarts}`;
    }
    if (state.terminated) {
        return `container ${name} ended: ${reasonOf(state.terminated, "no reason given")}, exit code ${state.terminated.exitCode}${restarts}`;
    }
    return ready ? undefined : `container ${name} running, not ready${restarts}`;
}

function reasonOf(source: { reason?: string; message?: string } | undefined, otherwise: string): string {
    return [source?.reason, source?.message].filter(Boolean).join(": ") || otherwise;
}
