import { mostBackOffSeconds } from "../member/process";

/** How the etcd member of this machine is to run: `plan.json`. */
export interface EtcdUpdatePlan {
    /** Another try has another one: what failed under this one is not tried again. */
    readonly id: string;
    /** Name of the member. */
    readonly name: string;
    /** Where clients reach this member: `https://10.0.0.12:2379`. */
    readonly clientUrl: string;
    /** Where it tells of its health, to this machine alone: `http://127.0.0.1:2381`. */
    readonly healthUrl: string;
    /** Client URLs of all members. */
    readonly endpoints: readonly string[];
    /** etcd's own version, which the member is to tell: `3.6.8`. */
    readonly version: string;
    /** The program that it is to run: it is asked first whether it knows the flags. */
    readonly program: string;
    /** Absolute paths, the same on the host and in the agent's container. */
    readonly directories: {
        /** The member's certificates: it is a client of its peers too. */
        readonly pki: string;
        /** The kubelet's static pod directory: `/etc/kubernetes/manifests`. */
        readonly staticPods: string;
        /** The member's `--data-dir`, by which its process is found. */
        readonly data: string;
        /** Where the kubelet has logs of each start of a container: `/var/log/pods`. */
        readonly podLogs: string;
        /** Of the journal. */
        readonly state: string;
    };
    /** The member's static pod, but for what is the member's own. */
    readonly staticPod: object;
    /** Seconds that a step may take. @default - `defaultTimeouts` */
    readonly timeouts?: Partial<Record<StepName, number>>;
    /** Seconds that its process may run without serving. @default - `defaultServingSeconds` */
    readonly servingSeconds?: number;
    /** Seconds without a process after which a start is over. @default - `defaultSettleSeconds` */
    readonly settleSeconds?: number;
}

export const defaultServingSeconds = 120;

/** On a busy machine a start's process comes seconds after its log. */
export const defaultSettleSeconds = 5;

/** One end may be an accident. */
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

/** Exit code of who will not do it, however often it is started: the Job fails at once. */
export const gaveUpCode = 3;

/** The steps of an update, in their order, as the log names them. `revert` is for a member that does not serve. */
export const stepNames = [
    "check-flags",
    "wait-for-others",
    "hand-back",
    "switch-manifest",
    "wait-until-serving",
    "revert",
] as const;

export type StepName = (typeof stepNames)[number];
