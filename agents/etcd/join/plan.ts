import * as v from "valibot";
import { absolutePath, httpsUrls, object, text, timeouts, url } from "../../harness/plan";
import { caFile, certificateFile, keyFile } from "../member/files";

/** Placeholder in a static pod for the `name=peerURL` list, which is known only once the member has been added. */
export const initialClusterPlaceholder = "<initial-cluster>";

export const planSchema = object({
    /** Name of this machine's Node and of its member. */
    name: text(),
    /** Peer URL of this member: `https://10.0.0.12:2380`. */
    peerUrl: url("https"),
    /** Client URL of this member: `https://10.0.0.12:2379`. */
    clientUrl: url("https"),
    /** Health URL of this member, reachable only on its machine: `http://127.0.0.1:2381`. */
    healthUrl: url("http"),
    /** Client URLs of the other controllers. Some of them may not be members yet. */
    endpoints: httpsUrls(),
    /** Absolute paths, the same on the host and in the agent's container. */
    directories: object({
        /** Directory of the member's certificates: `/etc/kubernetes/pki/etcd`. */
        pki: absolutePath,
        /** The kubelet's static pod directory: `/etc/kubernetes/manifests`. */
        staticPods: absolutePath,
        /** The member's `--data-dir`. */
        data: absolutePath,
    }),
    /**
     * Absolute path of a file that exists if this machine must have no member, because it was demoted or replaced.
     * @default - it always joins
     */
    demotedFile: v.optional(absolutePath),
    /** The member's static pod, with `initialClusterPlaceholder` in place of its initial cluster. */
    staticPod: v.custom<object>(
        (pod) => JSON.stringify(pod ?? "").includes(initialClusterPlaceholder),
        `a pod with ${initialClusterPlaceholder}`,
    ),
    /** Timeout of each step in seconds. @default - `defaultTimeouts` */
    timeouts: timeouts<StepName>(),
});

/** Plan (`plan.json`) for joining a machine to the cluster's etcd. The certificates are in the same directory. */
export type EtcdJoinPlan = v.InferOutput<typeof planSchema>;

/** The member's certificates, next to the plan and in `directories.pki`. Members are clients of their peers too. */
export const certificateFiles = [caFile, certificateFile, keyFile] as const;

/** Seconds. The long ones include pulling an image and copying a large database. */
export const defaultTimeouts: Record<StepName, number> = {
    "find-cluster": 120,
    "remove-stale-member": 120,
    "move-member": 120,
    "add-learner": 120,
    "install-member": 120,
    "wait-until-serving": 600,
    promote: 900,
    "wait-until-healthy": 120,
};

/** The steps of joining, in order, as named in the log. */
export const stepNames = [
    "find-cluster",
    "remove-stale-member",
    "move-member",
    "add-learner",
    "install-member",
    "wait-until-serving",
    "promote",
    "wait-until-healthy",
] as const;

export type StepName = (typeof stepNames)[number];

/** `k8s-app` label of the Job that joins a controller to etcd. It can run nowhere else. */
export const etcdJoinApp = "etcd-join";
