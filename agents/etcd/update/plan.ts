import { mostBackOffSeconds } from "../member/process";

/** Plan (`plan.json`) of an update: how this machine's etcd member is to run. */
export interface EtcdUpdatePlan {
    /** ID of the attempt. A failed attempt is not repeated under the same ID. */
    readonly id: string;
    /** Name of the member. */
    readonly name: string;
    /** Client URL of this member: `https://10.0.0.12:2379`. */
    readonly clientUrl: string;
    /** Health URL of this member, reachable only on its machine: `http://127.0.0.1:2381`. */
    readonly healthUrl: string;
    /** Client URLs of all members. */
    readonly endpoints: readonly string[];
    /** etcd's version, which the member must report: `3.6.8`. */
    readonly version: string;
    /** Path of the new etcd program, used to check first that it accepts the flags. */
    readonly program: string;
    /** Absolute paths, the same on the host and in the agent's container. */
    readonly directories: {
        /** The member's certificates: members are clients of their peers too. */
        readonly pki: string;
        /** The kubelet's static pod directory: `/etc/kubernetes/manifests`. */
        readonly staticPods: string;
        /** The member's `--data-dir`, used to find its process. */
        readonly data: string;
        /** Where the kubelet keeps a log of each start of a container: `/var/log/pods`. */
        readonly podLogs: string;
        /** Directory of the journal. */
        readonly state: string;
    };
    /** The member's static pod, except for what the member keeps of its own. */
    readonly staticPod: object;
    /** Timeout of each step in seconds. @default - `defaultTimeouts` */
    readonly timeouts?: Partial<Record<StepName, number>>;
    /** Seconds that its process may run without serving. @default - `defaultServingSeconds` */
    readonly servingSeconds?: number;
    /** Seconds without a process after which a start counts as ended. @default - `defaultSettleSeconds` */
    readonly settleSeconds?: number;
}

export const defaultServingSeconds = 120;

/** On a busy machine the process of a start appears seconds after its log. */
export const defaultSettleSeconds = 5;

/** A single exit may be an accident. */
export const endsUntilGivenUp = 2;

/** Seconds. */
export const defaultTimeouts: Record<StepName, number> = {
    "check-flags": 30,
    "wait-for-others": 120,
    "hand-back": 60,
    "switch-manifest": 10,
    "wait-until-serving": mostBackOffSeconds + defaultServingSeconds,
    revert: mostBackOffSeconds + defaultServingSeconds,
};

/** Exit code for a permanent failure, on which the Job fails at once. */
export const gaveUpCode = 3;

/** The steps of an update, in order, as named in the log. `revert` is for a member that does not serve. */
export const stepNames = [
    "check-flags",
    "wait-for-others",
    "hand-back",
    "switch-manifest",
    "wait-until-serving",
    "revert",
] as const;

export type StepName = (typeof stepNames)[number];
