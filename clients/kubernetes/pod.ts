/** The used fields of a pod. */
export interface Pod {
    readonly metadata: {
        readonly name: string;
        readonly namespace: string;
        readonly uid: string;
        readonly labels?: Readonly<Record<string, string>>;
        readonly annotations?: Readonly<Record<string, string>>;
        readonly deletionTimestamp?: string;
        readonly creationTimestamp?: string;
        readonly ownerReferences?: readonly Owner[];
    };
    readonly spec: PodSpec;
    readonly status?: {
        readonly phase?: string;
        readonly reason?: string;
        readonly podIP?: string;
        readonly conditions?: readonly { readonly type: string; readonly status: string }[];
        readonly containerStatuses?: readonly ContainerStatus[];
    };
}

export interface Owner {
    readonly kind: string;
    readonly name: string;
    readonly controller?: boolean;
}

export type Fields = Readonly<Record<string, unknown>>;

export interface PodSpec extends Fields {
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly volumes?: readonly Volume[];
    readonly securityContext?: SecurityContext;
}

export interface Container extends Fields {
    readonly name: string;
    readonly env?: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: Fields }[];
    readonly envFrom?: readonly Fields[];
    readonly resources?: { readonly requests?: Fields; readonly limits?: Fields; readonly claims?: unknown };
    readonly volumeMounts?: readonly (Fields & { readonly name: string })[];
    readonly readinessProbe?: { readonly httpGet?: HttpGet };
    readonly securityContext?: SecurityContext;
}

export interface HttpGet {
    readonly host?: string;
    readonly port: number | string;
    readonly path?: string;
    readonly scheme?: string;
}

export interface SecurityContext extends Fields {
    readonly runAsUser?: number;
    readonly runAsGroup?: number;
    readonly fsGroup?: number;
}

export interface Volume extends Fields {
    readonly name: string;
}

interface ContainerStatus {
    readonly name: string;
    readonly restartCount?: number;
    readonly state?: { readonly running?: { readonly startedAt?: string } };
}

/** As the kubelet last reported it, which may be outdated after a power cut. */
export function isReady({ metadata, status }: Pod): boolean {
    const ready = status?.conditions?.find(({ type }) => type === "Ready");
    return metadata.deletionTimestamp === undefined && ready?.status === "True";
}

/** Neither succeeded, failed, nor being deleted. */
export function isCurrent({ metadata, status }: Pod): boolean {
    return metadata.deletionTimestamp === undefined && status?.phase !== "Succeeded" && status?.phase !== "Failed";
}

export function restartsOf({ status }: Pod): number {
    return (status?.containerStatuses ?? []).reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);
}

/** When the first of its running containers was started: milliseconds since 1970. */
export function startOf({ status }: Pod): number {
    const times = (status?.containerStatuses ?? []).map(({ state }) => Date.parse(state?.running?.startedAt ?? ""));
    return Math.min(...times);
}
