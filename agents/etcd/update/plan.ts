import * as v from "valibot";
import { absolutePath, httpsUrls, object, seconds, text, timeouts, url } from "../../harness/plan";
import { mostBackOffSeconds } from "../member/process";
import { isStaticPod } from "./manifest";

export const planSchema = object({
    /** ID of the attempt. A failed attempt is not repeated under the same ID. */
    id: text("a non-empty string"),
    /** Name of the member. */
    name: text(),
    /** Client URL of this member: `https://10.0.0.12:2379`. */
    clientUrl: url("https"),
    /** Health URL of this member, reachable only on its machine: `http://127.0.0.1:2381`. */
    healthUrl: url("http"),
    /** Client URLs of all members. */
    endpoints: httpsUrls(),
    /** etcd's version, which the member must report: `3.6.8`. */
    version: text("<major>.<minor>.<patch>", /^\d+\.\d+\.\d+$/),
    /** Path of the new etcd program, used to check first that it accepts the flags. */
    program: absolutePath,
    /** Absolute paths, the same on the host and in the agent's container. */
    directories: object({
        /** The member's certificates: members are clients of their peers too. */
        pki: absolutePath,
        /** The kubelet's static pod directory: `/etc/kubernetes/manifests`. */
        staticPods: absolutePath,
        /** The member's `--data-dir`, used to find its process. */
        data: absolutePath,
        /** Where the kubelet keeps a log of each start of a container: `/var/log/pods`. */
        podLogs: absolutePath,
        /** Directory of the journal. */
        state: absolutePath,
    }),
    /** The member's static pod, except for what the member keeps of its own. */
    staticPod: v.custom<object>(isStaticPod, "a pod with etcd's command"),
    /** Digest of the image that its container runs, `sha256:…`. @default - unknown */
    digest: v.optional(text()),
    /** Timeout of each step in seconds. @default - `defaultTimeouts` */
    timeouts: timeouts<StepName>(),
    /** Seconds that its process may run without serving. @default - `defaultServingSeconds` */
    servingSeconds: v.optional(seconds),
    /** Seconds without a process after which a start counts as ended. @default - `defaultSettleSeconds` */
    settleSeconds: v.optional(seconds),
});

/** Plan (`plan.json`) of an update: how this machine's etcd member is to run. */
export type EtcdUpdatePlan = v.InferOutput<typeof planSchema>;

export const defaultServingSeconds = 120;

/** On a busy machine the process of a start appears seconds after its log. */
export const defaultSettleSeconds = 5;

/** A single exit may be an accident. */
export const failuresUntilRevert = 2;

/** Seconds. */
export const defaultTimeouts: Record<StepName, number> = {
    "check-flags": 30,
    "wait-for-others": 120,
    "storage-version": 60,
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
    "storage-version",
    "hand-back",
    "switch-manifest",
    "wait-until-serving",
    "revert",
] as const;

export type StepName = (typeof stepNames)[number];
