/** The used parts of Kubernetes objects. */
export interface ApiObject {
    readonly metadata: {
        readonly name: string;
        readonly labels?: Readonly<Record<string, string>>;
        readonly annotations?: Readonly<Record<string, string>>;
        readonly creationTimestamp?: string;
        readonly deletionTimestamp?: string;
        readonly ownerReferences?: readonly { readonly kind: string; readonly uid: string }[];
    };
}

export interface Condition {
    readonly type: string;
    readonly status: string;
    readonly message?: string;
    readonly lastTransitionTime?: string;
}

export interface Node extends ApiObject {
    readonly spec: { readonly unschedulable?: boolean };
    readonly status: {
        readonly conditions?: readonly Condition[];
        readonly addresses?: readonly { readonly type: string; readonly address: string }[];
        readonly nodeInfo: { readonly kubeletVersion: string };
    };
}

export interface Container {
    readonly name: string;
    readonly image: string;
    readonly command?: readonly string[];
}

export interface ContainerStatus {
    readonly name: string;
    readonly ready: boolean;
    readonly restartCount: number;
    readonly state?: {
        readonly waiting?: { readonly reason?: string; readonly message?: string };
        readonly terminated?: { readonly reason?: string; readonly exitCode: number; readonly message?: string };
    };
    readonly lastState?: ContainerStatus["state"];
}

export interface Pod extends ApiObject {
    readonly spec: {
        readonly nodeName?: string;
        readonly containers: readonly Container[];
        readonly volumes?: readonly { readonly name: string; readonly image?: { readonly reference?: string } }[];
    };
    readonly status: {
        readonly phase?: string;
        readonly conditions?: readonly Condition[];
        readonly containerStatuses?: readonly ContainerStatus[];
        readonly initContainerStatuses?: readonly ContainerStatus[];
    };
}

export interface Lease extends ApiObject {
    readonly spec: {
        readonly holderIdentity?: string;
        readonly leaseDurationSeconds?: number;
        readonly renewTime?: string;
    };
}

export interface DaemonSet extends ApiObject {
    readonly status: { readonly desiredNumberScheduled: number; readonly currentNumberScheduled: number };
}

export interface Deployment extends ApiObject {
    readonly spec: { readonly replicas?: number };
    readonly status: { readonly replicas?: number };
}

export interface List<T> {
    readonly items: readonly T[];
}
