import type { Controllers } from "../../agents/nodes/promoter/record";
import type { Repairs } from "../../agents/nodes/repairer/record";
import type { ObjectId } from "../../cluster/manifests/stack-objects";
import type { AdmissionProblem } from "../../components/admission/judge";
import type { Launches } from "../../components/pool-watch/judge";

/** Everything known about a cluster at one moment: plain data, the input of judging and rendering. */
export interface ClusterFacts {
    readonly cluster: string;
    /** Whether its machines are containers on this machine. */
    readonly isLocal: boolean;
    /** Time of collection: RFC 3339. */
    readonly at: string;
    readonly api: ApiFacts;
    readonly controllers: readonly ControllerFacts[];
    readonly nodes: Fact<readonly NodeFacts[]>;
    /** Pods of kube-system, without those of unlisted workloads. */
    readonly pods: Fact<readonly PodFacts[]>;
    /** Leaders of the leader-elected components. */
    readonly leaders: Fact<readonly LeaderFacts[]>;
    readonly checkpoints: Fact<readonly CheckpointFacts[]>;
    /** Reports of the controllers' checkpointers. @default - the API was not read */
    readonly checkpointReports?: readonly CheckpointReport[];
    readonly etcd: Fact<EtcdFacts>;
    /** Admission problems with the writes of the control plane. */
    readonly admission: Fact<readonly AdmissionProblem[]>;
    /** Null if no snapshots are taken. */
    readonly snapshot: Fact<SnapshotFacts | null>;
    /** DaemonSets and Deployments of kube-system. */
    readonly workloads: Fact<readonly WorkloadFacts[]>;
    /** Requests of kubelets for certificates that no agent approves. */
    readonly requests: Fact<readonly RequestFacts[]>;
    readonly certificates: readonly CertificateFacts[];
    /** On how many workers the kubelet's certificate was not read, because there are many. @default 0 */
    readonly unprobedWorkers?: number;
    /** Machines of local clusters, or controllers of a stack. */
    readonly machines?: Fact<readonly MachineFacts[]>;
    /** Node names according to the stack's state and its record in the cluster. @default - neither was read */
    readonly named?: readonly string[];
    /** Pools of the nodes that the stack recorded, by node name. @default - there is no record */
    readonly pools?: Readonly<Record<string, string>>;
    /** Desired number of nodes of each pool whose nodes the cloud names. @default - there is no record */
    readonly poolSizes?: Readonly<Record<string, number>>;
    /** Pools that have fewer nodes than that. @default - none */
    readonly shortPools?: readonly ShortPool[];
    /** What the cloud says about pools that lack nodes, by pool. @default - it was not asked: only `--stack` knows it */
    readonly launches?: Readonly<Record<string, Fact<Launches>>>;
    /** Objects that the stack recorded. @default - they were not read */
    readonly objects?: Fact<StackObjectFacts>;
    /** Namespaces whose deletion does not end. @default - they were not read */
    readonly ending?: Fact<readonly EndingNamespace[]>;
    /** Pods of any namespace that wait for a volume on a node that is missing. @default - they were not read */
    readonly stranded?: Fact<readonly StrandedPod[]>;
    /** The last upgrade, if its guard has something to report. @default - it has not */
    readonly upgrade?: UpgradeFacts;
    /** Who is, and may become, a controller. @default - the stack has no candidates */
    readonly candidates?: CandidateFacts;
    /** Machines under repair. @default - the cluster repairs none */
    readonly repairs?: RepairFacts;
    /** When the API last answered this command, if it is down now: RFC 3339. */
    readonly lastSeen?: string;
}

/** An upgrade of the control plane that a guard watched. */
export interface UpgradeFacts {
    readonly from: string;
    readonly to: string;
    /** What was taken back, and why, in a sentence without a full stop. @default - nothing was */
    readonly takenBack?: string;
    /** Why the guard cannot judge it at the moment. @default - it can */
    readonly undecided?: string;
}

/** Controllers as node-promoter has recorded them. */
export interface CandidateFacts {
    /** Desired number of controllers. */
    readonly count: number;
    /** Names of the nodes that may be one. */
    readonly possible: readonly string[];
    /** By node name: those that changed. */
    readonly roles: Controllers;
    /** What a change, or a request, waits for. @default - nothing */
    readonly progress?: string;
    /** Why the record cannot be read, in a sentence without a full stop. No roles are known then. @default - it can be */
    readonly problem?: string;
}

/** Machines under repair as node-repairer has recorded them. */
export interface RepairFacts {
    /** By node name. */
    readonly machines: Repairs["machines"];
    /** What repairs them. @default - only a person */
    readonly cloud?: string;
    /** What a repair waits for. @default - nothing */
    readonly waits?: string;
}

/** A pool that has fewer nodes than the stack desires. */
export interface ShortPool {
    readonly name: string;
    readonly size: number;
    readonly present: number;
}

export interface ApiFacts {
    /** The URL that clients use: the load balancer. */
    readonly url: string;
    readonly serving: Fact<Serving>;
    /** How far the local clock is ahead of the API's, if the API sent its time. */
    readonly clockAheadSeconds?: number;
    /** Whose apiserver answered the other queries, if any: the load balancer's, or a controller's. */
    readonly answeredBy?: string;
}

/** Pods of a DaemonSet or Deployment. */
export interface WorkloadFacts {
    readonly kind: "DaemonSet" | "Deployment";
    readonly name: string;
    /** Of a DaemonSet: its app, shared by those of several pools. */
    readonly app?: string;
    /** Desired number of pods. */
    readonly desired: number;
    /** Existing pods, ready or not. */
    readonly present: number;
    /** Its pods are on many nodes, and all are ready and up to date: they were not listed. @default false */
    readonly isUnlisted?: boolean;
    /** Version of its image, if it is a component and its pods were not listed. */
    readonly version?: string;
}

/** The objects of the stack compared with those that exist. */
export interface StackObjectFacts {
    /** Whether the stack's record exists; otherwise only built-in objects were compared. */
    readonly isRecorded: boolean;
    readonly missing: readonly ObjectId[];
    /** Missing objects that kube-apiserver creates when it starts. */
    readonly missingBuiltIns: readonly ObjectId[];
    readonly changed: readonly ObjectChange[];
}

/** Fields of an object of the stack that someone else has set since. */
export interface ObjectChange extends ObjectId {
    /** Field manager, such as `kubectl-edit`. */
    readonly manager: string;
    /** Such as `spec.selector`. */
    readonly fields: readonly string[];
}

/** A namespace that is being deleted. */
export interface EndingNamespace {
    readonly name: string;
    readonly sinceSeconds: number;
    /** What the namespace controller says that remains. */
    readonly problem?: string;
    /** Definitions of kinds in it whose conversion webhook has no endpoint. */
    readonly definitions: readonly string[];
}

/** A pod that waits for a volume of a node that does not exist. */
export interface StrandedPod {
    readonly namespace: string;
    readonly name: string;
    readonly claim: string;
    readonly volume: string;
    /** The missing node. */
    readonly node: string;
}

export interface Serving {
    readonly isReady: boolean;
    /** Such as `ready` or `refuses connections`. */
    readonly detail: string;
}

/** A kubelet's request for a certificate that waits longer than usual. */
export interface RequestFacts {
    /** Name of the CertificateSigningRequest. */
    readonly name: string;
    /** The node that it claims to be for. */
    readonly node?: string;
    /** The agent that decides: for client certificates, or for serving ones. */
    readonly approver: "node-approver" | "serving-approver";
    readonly ageSeconds: number;
    /** Why it is not approved, according to the agent's log. */
    readonly reason?: string;
}

/** A controller, probed from this machine. */
export interface ControllerFacts {
    readonly name: string;
    readonly address: string;
    readonly apiserver: Fact<Serving>;
    /** Version of its apiserver, such as `1.36.3`. */
    readonly version: Fact<string>;
    /** Whether its kubelet responds. */
    readonly kubelet: Fact<Serving>;
}

export interface NodeFacts {
    readonly name: string;
    readonly address?: string;
    readonly isController: boolean;
    /** Whether it has a member of etcd, but no control plane. @default false */
    readonly isArbiter?: boolean;
    readonly isReady: boolean;
    /** Message of the Ready condition, if the node is not ready. */
    readonly problem?: string;
    readonly isCordoned: boolean;
    /** Types of its conditions that are true, such as `DiskPressure`, except for Ready. @default none */
    readonly conditions?: readonly string[];
    /** The kubelet's version, such as `1.36.3`. */
    readonly kubelet: string;
    /** Its pool or machine, according to its label. */
    readonly pool?: string;
    /** Whether the stack did not create its machine: it joined by a token. @default false */
    readonly isJoined?: boolean;
}

/** `api`: scheduled through the API; `checkpoint`: copied by the checkpointer; `static`: any other manifest of the kubelet. */
export type PodOrigin = "api" | "static" | "checkpoint";

export interface PodFacts {
    readonly name: string;
    readonly node?: string;
    /** Its component, such as `kube-apiserver`; undefined if it is none of `COMPONENTS`. */
    readonly component?: string;
    readonly origin: PodOrigin;
    /** `running`: the machine reports a running container; without the API, its readiness is unknown. */
    readonly state: "ready" | "not-ready" | "running";
    /** Why it is not ready. */
    readonly problem?: string;
    /** It belongs to a Job and will not be restarted. @default false */
    readonly hasFailed?: boolean;
    readonly isEnding: boolean;
    /** Seconds in this state. */
    readonly sinceSeconds?: number;
    readonly restarts?: number;
    /** Version of its image, such as `1.36.3`, if the image has one. */
    readonly version?: string;
}

export interface LeaderFacts {
    readonly component: string;
    /** Node of the leader; undefined if the lease has no holder. */
    readonly node?: string;
    /** Seconds since the lease was renewed. */
    readonly ageSeconds: number;
    /** Duration of the lease. */
    readonly leaseSeconds: number;
}

export interface EtcdFacts {
    readonly members: readonly EtcdMemberFacts[];
    readonly alarms: readonly EtcdAlarm[];
}

export interface EtcdMemberFacts {
    readonly name: string;
    /** Hexadecimal, as in etcdctl. */
    readonly id: string;
    readonly isLearner: boolean;
    /** Of its peer URL: where the other members reach it. @default - unknown */
    readonly address?: string;
    /** As reported by the member itself. */
    readonly status: Fact<EtcdMemberStatus>;
    /** Whether its kubelet reports it as ready; undefined if unknown. */
    readonly isReady?: boolean;
}

export interface EtcdMemberStatus {
    readonly version: string;
    /** The leader according to this member: hexadecimal; undefined if it knows none. */
    readonly leader?: string;
    /** Bytes. */
    readonly dbSize: number;
    /** Bytes; defragmentation frees the rest. */
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
    /** The last successful one; undefined if there was none. */
    readonly last?: {
        /** When it was taken: RFC 3339. */
        readonly at: string;
        readonly name: string;
        readonly node?: string;
    };
    /** Where the copy is stored, such as `s3://bucket/name`. */
    readonly copy?: string;
    /** Why the last attempt failed. */
    readonly failure?: string;
    /** Why the last successful one has no copy. */
    readonly copyFailure?: string;
    /** When the next one is due: RFC 3339. */
    readonly next?: string;
}

/** What a node's checkpointer reports about a pod that it checkpoints. */
export interface CheckpointFacts {
    readonly node: string;
    /** The pod's owner, such as `kube-apiserver`. */
    readonly component: string;
    /** When the checkpoint was saved: RFC 3339; undefined if there is none yet. */
    readonly savedAt?: string;
    /** Why the running pod cannot be checkpointed. */
    readonly refused?: string;
    /** Files of its checkpoints that a power cut or a disk has damaged, each with what is wrong. @default none */
    readonly damaged?: readonly string[];
}

/** When the checkpointer of a controller last reported. */
export interface CheckpointReport {
    readonly node: string;
    /** Seconds since then; undefined if it never has. */
    readonly ageSeconds?: number;
}

export interface CertificateFacts {
    /** Such as `kube-apiserver`. */
    readonly name: string;
    readonly node?: string;
    /** When it expires: RFC 3339. */
    readonly notAfter: Fact<string>;
    /** Whether any client rejects it once it has expired. */
    readonly isVerified: boolean;
}

/** What a machine reports without the API. */
export interface MachineFacts {
    readonly name: string;
    readonly address: string;
    /** Docker's state, such as `running` or `exited`; `unreached` for a cloud machine that SSH cannot reach. */
    readonly state: string;
    readonly inside: Fact<MachineInside>;
}

export interface MachineInside {
    /** Response of the kubelet's /healthz, `ok` if healthy. */
    readonly kubelet: string;
    /** systemd's state of the runtime, such as `active`. */
    readonly containerd: string;
    /** Status last written by the checkpointer, unparsed. */
    readonly checkpointer?: unknown;
    /** Components with a whole checkpoint on its disk. @default - it is a worker */
    readonly saved?: readonly string[];
    /** What failed programs printed last, by name: `kubelet`, `containerd` or `etcd`. @default - none has failed */
    readonly lastWords?: Readonly<Record<string, string>>;
    /** Files that the kubelet reads as static pods, and that are not the stack's. @default none */
    readonly strayManifests?: readonly string[];
    /** Files that its programs need to start, and that a power cut left empty, short or with other bytes. @default - none */
    readonly damaged?: readonly string[];
    /** Whether its kubelet has a client certificate. @default true */
    readonly hasCertificate?: boolean;
}

/** The parts of the control plane, by container name, however their pods were started. */
export const CONTROL_PLANE = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"] as const;

/** The parts that elect a leader; also the names of their leases. */
export const LEADER_ELECTED = ["kube-controller-manager", "kube-scheduler"] as const;

export const ETCD = "etcd";

/** The container of a member that runs in an API pod; a static pod's is named `etcd`. */
const ETCD_OF_API = "etcd-member";

/** All components of kube-system that status distinguishes. */
export const COMPONENTS = [...CONTROL_PLANE, ETCD, "kube-proxy"] as const;

/** The component that a container of kube-system belongs to. */
export function componentOf(container: string): string | undefined {
    return container === ETCD_OF_API ? ETCD : COMPONENTS.find((name) => name === container);
}

/** A known value, or the reason why it is unknown. Never a guess. */
export type Fact<T> = { readonly value: T } | { readonly unknown: string };

export function known<T>(value: T): Fact<T> {
    return { value };
}

export function unknown<T>(why: string): Fact<T> {
    return { unknown: why };
}

/** The value, or undefined if it is unknown. */
export function ifKnown<T>(fact: Fact<T> | undefined): T | undefined {
    return fact !== undefined && "value" in fact ? fact.value : undefined;
}

/** A problem. */
export interface Finding {
    /** `critical`: the cluster is not healthy. `warning`: it is healthy, but needs attention soon. */
    readonly severity: "critical" | "warning";
    /** Stable identifier for scripts. */
    readonly code: string;
    /** A sentence. */
    readonly message: string;
    /** How to fix it. */
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
