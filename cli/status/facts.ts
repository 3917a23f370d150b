import type { AdmissionProblem } from "../../components/admission/judge";

/** All that was learned of a cluster at one moment: plain data, the input of what judges and what shows it. */
export interface ClusterFacts {
    readonly cluster: string;
    /** Whether its machines are containers of this computer. */
    readonly isLocal: boolean;
    /** When: RFC 3339. */
    readonly at: string;
    readonly api: ApiFacts;
    readonly controllers: readonly ControllerFacts[];
    readonly nodes: Fact<readonly NodeFacts[]>;
    /** Of kube-system. */
    readonly pods: Fact<readonly PodFacts[]>;
    /** Of the leader-elected components. */
    readonly leaders: Fact<readonly LeaderFacts[]>;
    readonly checkpoints: Fact<readonly CheckpointFacts[]>;
    readonly etcd: Fact<EtcdFacts>;
    /** What decides on what the control plane writes, where that is a problem. */
    readonly admission: Fact<readonly AdmissionProblem[]>;
    /** Null: nobody takes any. */
    readonly snapshot: Fact<SnapshotFacts | null>;
    /** DaemonSets and Deployments of kube-system. */
    readonly workloads: Fact<readonly WorkloadFacts[]>;
    readonly certificates: readonly CertificateFacts[];
    /** Of clusters of this computer, and controllers of a stack's. */
    readonly machines?: Fact<readonly MachineFacts[]>;
    /** Names of nodes that the stack has, by its state and by its record in the cluster. @default - neither was read */
    readonly named?: readonly string[];
    /** When the API last answered this command, if it does not now: RFC 3339. */
    readonly lastSeen?: string;
}

export interface ApiFacts {
    /** Where clients find it: the load balancer. */
    readonly url: string;
    readonly serving: Fact<Serving>;
    /** How far this computer's clock is ahead of the API's, if the API told its time. */
    readonly clockAheadSeconds?: number;
    /** Whose apiserver told the rest, if any did: the load balancer's, or that of a controller. */
    readonly answeredBy?: string;
}

/** Of a DaemonSet or a Deployment. */
export interface WorkloadFacts {
    readonly kind: "DaemonSet" | "Deployment";
    readonly name: string;
    /** How many pods it should have. */
    readonly wanted: number;
    /** How many it has, ready or not. */
    readonly present: number;
}

export interface Serving {
    readonly isReady: boolean;
    /** Such as `ready` or `refuses connections`. */
    readonly detail: string;
}

/** A controller, probed from here. */
export interface ControllerFacts {
    readonly name: string;
    readonly address: string;
    readonly apiserver: Fact<Serving>;
    /** Of its apiserver, such as `1.36.3`. */
    readonly version: Fact<string>;
    /** Whether its kubelet answers. */
    readonly kubelet: Fact<Serving>;
}

export interface NodeFacts {
    readonly name: string;
    readonly address?: string;
    readonly isController: boolean;
    readonly isReady: boolean;
    /** The Ready condition's message, if it is not. */
    readonly problem?: string;
    readonly isCordoned: boolean;
    /** The kubelet's version, such as `1.36.3`. */
    readonly kubelet: string;
    /** Of its machine, as its label says. */
    readonly pool?: string;
}

/** `api`: the API placed it; `checkpoint`: the checkpointer's copy; `static`: any other file of the kubelet's. */
export type PodOrigin = "api" | "static" | "checkpoint";

export interface PodFacts {
    readonly name: string;
    readonly node?: string;
    /** What it runs, such as `kube-apiserver`; undefined if it is none of those that status knows. */
    readonly component?: string;
    readonly origin: PodOrigin;
    /** `running`: its container runs, as the machine tells; whether it is ready only the API would know. */
    readonly state: "ready" | "not-ready" | "running";
    /** Why it is not ready, if it is not. */
    readonly problem?: string;
    /** Of a Job, which does not start it again. @default false */
    readonly hasFailed?: boolean;
    readonly isEnding: boolean;
    /** Since it has been as it is. */
    readonly sinceSeconds?: number;
    readonly restarts?: number;
    /** Of its image, such as `1.36.3`, if the image tells. */
    readonly version?: string;
}

export interface LeaderFacts {
    readonly component: string;
    /** Node of the leader; undefined if nobody holds the lease. */
    readonly node?: string;
    /** Since it last renewed its lease. */
    readonly ageSeconds: number;
    /** How long its lease lasts. */
    readonly leaseSeconds: number;
}

export interface EtcdFacts {
    readonly members: readonly EtcdMemberFacts[];
    readonly alarms: readonly EtcdAlarm[];
}

export interface EtcdMemberFacts {
    readonly name: string;
    /** Hexadecimal, as etcdctl has it. */
    readonly id: string;
    readonly isLearner: boolean;
    /** What it says of itself. */
    readonly status: Fact<EtcdMemberStatus>;
    /** Whether its kubelet finds it ready; undefined if nobody told. */
    readonly isReady?: boolean;
}

export interface EtcdMemberStatus {
    readonly version: string;
    /** The member that it takes for the leader: hexadecimal; undefined if it knows of none. */
    readonly leader?: string;
    /** Bytes. */
    readonly dbSize: number;
    /** Bytes; the rest is free for the taking after a defragmentation. */
    readonly dbSizeInUse: number;
    /** Bytes. */
    readonly dbQuota?: number;
    readonly errors: readonly string[];
}

export interface EtcdAlarm {
    /** Hexadecimal. */
    readonly member: string;
    /** Such as `NOSPACE`. */
    readonly type: string;
}

export interface SnapshotFacts {
    /** The last good one; undefined if none was ever taken. */
    readonly last?: {
        /** When it was taken: RFC 3339. */
        readonly at: string;
        readonly name: string;
        readonly node?: string;
    };
    /** Where its copy lies, such as `s3://bucket/name`. */
    readonly copy?: string;
    /** Why the last try failed. */
    readonly failure?: string;
    /** Why the last good one has no copy. */
    readonly copyFailure?: string;
    /** When the next is due: RFC 3339. */
    readonly next?: string;
}

/** What the checkpointer of a node tells of a pod that it keeps a copy of. */
export interface CheckpointFacts {
    readonly node: string;
    /** Of the pod's owner, such as `kube-apiserver`. */
    readonly component: string;
    /** When the copy was made: RFC 3339; undefined if there is none yet. */
    readonly savedAt?: string;
    /** Why the pod that runs now cannot be copied. */
    readonly refused?: string;
}

export interface CertificateFacts {
    /** Such as `kube-apiserver`. */
    readonly name: string;
    readonly node?: string;
    /** When it ends: RFC 3339. */
    readonly notAfter: Fact<string>;
    /** Whether anybody refuses it once it has ended. */
    readonly isVerified: boolean;
}

/** What the machine itself says, asked without the API. */
export interface MachineFacts {
    readonly name: string;
    readonly address: string;
    /** Docker's word, such as `running` or `exited`; `unreached` of a cloud's that no SSH gets to. */
    readonly state: string;
    readonly inside: Fact<MachineInside>;
}

export interface MachineInside {
    /** The answer of the kubelet's /healthz, `ok` if it is well. */
    readonly kubelet: string;
    /** systemd's word for the runtime, such as `active`. */
    readonly containerd: string;
    /** What the checkpointer last wrote down, as it is. */
    readonly checkpointer?: unknown;
}

/** The control plane's parts, by the name of the container that is each: however its pod came to be. */
export const CONTROL_PLANE = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"] as const;

/** Those that elect a leader: the name of the lease too. */
export const LEADER_ELECTED = ["kube-controller-manager", "kube-scheduler"] as const;

export const ETCD = "etcd";

/** The container of a member that a pod of the API runs: the machine's own has its name. */
export const ETCD_OF_API = "etcd-member";

/** Everything that status tells apart in kube-system. */
export const COMPONENTS = [...CONTROL_PLANE, ETCD, "kube-proxy"] as const;

/** Something that was learned, or why it could not be. Never a guess. */
export type Fact<T> = { readonly value: T } | { readonly unknown: string };

export function known<T>(value: T): Fact<T> {
    return { value };
}

export function unknown<T>(why: string): Fact<T> {
    return { unknown: why };
}

/** The value, or undefined if it is not known. */
export function ifKnown<T>(fact: Fact<T> | undefined): T | undefined {
    return fact !== undefined && "value" in fact ? fact.value : undefined;
}

/** Something that is not as it should be. */
export interface Finding {
    /** `critical`: the cluster is not healthy. `warning`: it is, and something wants attention before long. */
    readonly severity: "critical" | "warning";
    /** What kind of thing, for scripts: it does not change. */
    readonly code: string;
    /** A plain sentence. */
    readonly message: string;
    /** What to do about it. */
    readonly advice?: string;
}

type Details = Omit<Finding, "severity">;

export const critical = (code: string, message: string, advice?: string): Finding =>
    finding("critical", { code, message, advice });
export const warning = (code: string, message: string, advice?: string): Finding =>
    finding("warning", { code, message, advice });

function finding(severity: Finding["severity"], { code, message, advice }: Details): Finding {
    return { severity, code, message, ...(advice && { advice }) };
}
