import { type Check, isAbsolutePath, isText, isUrl, problemsOf, readPlanFile } from "../../harness/plan";
import { authorityFile, certificateFile, keyFile } from "../member/files";

/** Plan (`plan.json`) for joining a machine to the cluster's etcd. The certificates are in the same directory. */
export interface EtcdJoinPlan {
    /** Name of this machine's Node and of its member. */
    readonly name: string;
    /** Peer URL of this member: `https://10.0.0.12:2380`. */
    readonly peerUrl: string;
    /** Client URL of this member: `https://10.0.0.12:2379`. */
    readonly clientUrl: string;
    /** Health URL of this member, reachable only on its machine: `http://127.0.0.1:2381`. */
    readonly healthUrl: string;
    /** Client URLs of the other controllers. Some of them may not be members yet. */
    readonly endpoints: readonly string[];
    /** Absolute paths, the same on the host and in the agent's container. */
    readonly directories: {
        /** Directory of the member's certificates: `/etc/kubernetes/pki/etcd`. */
        readonly pki: string;
        /** The kubelet's static pod directory: `/etc/kubernetes/manifests`. */
        readonly staticPods: string;
        /** The member's `--data-dir`. */
        readonly data: string;
    };
    /** The member's static pod, with `initialClusterPlaceholder` in place of its initial cluster. */
    readonly staticPod: object;
    /** Timeout of each step in seconds. @default - `defaultTimeouts` */
    readonly timeouts?: Partial<Record<StepName, number>>;
}

/** Placeholder in a static pod for the `name=peerURL` list, which is known only once the member has been added. */
export const initialClusterPlaceholder = "<initial-cluster>";

/** The member's certificates, next to the plan and in `directories.pki`. Members are clients of their peers too. */
export const certificateFiles = [authorityFile, certificateFile, keyFile] as const;

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

export function readPlan(path: string): EtcdJoinPlan {
    return readPlanFile<EtcdJoinPlan>(path, planProblems);
}

/** Everything wrong with a plan, each problem with its path. */
export function planProblems(plan: EtcdJoinPlan): string[] {
    const { name, peerUrl, clientUrl, healthUrl, endpoints, directories, staticPod } = plan;
    const checks: Check[] = [
        [isText(name), "name", "a name", name],
        [isUrl("https", peerUrl), "peerUrl", "an https:// URL without a path", peerUrl],
        [isUrl("https", clientUrl), "clientUrl", "an https:// URL without a path", clientUrl],
        [isUrl("http", healthUrl), "healthUrl", "an http:// URL without a path", healthUrl],
        [isEndpoints(endpoints), "endpoints", "a list of at least one https:// URL", endpoints],
        ...(["pki", "staticPods", "data"] as const).map((key): Check => {
            const path = directories?.[key];
            return [isAbsolutePath(path), `directories.${key}`, "an absolute path", path];
        }),
    ];
    const problems = problemsOf(checks);
    // The pod itself would fill the log.
    const hasPlaceholder = JSON.stringify(staticPod ?? "").includes(initialClusterPlaceholder);
    return hasPlaceholder ? problems : [...problems, `staticPod must contain ${initialClusterPlaceholder}`];
}

function isEndpoints(value: unknown): boolean {
    return Array.isArray(value) && value.length > 0 && value.every((url) => isUrl("https", url));
}

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
