import { type Check, isAbsolutePath, isText, isUrl, problemsOf, readPlanFile } from "../../harness/plan";
import { authorityFile, certificateFile, keyFile } from "../member/files";

/** How a machine becomes a member of the cluster's etcd: `plan.json`. The certificates lie beside it. */
export interface EtcdJoinPlan {
    /** Name of this machine's Node and of its member. */
    readonly name: string;
    /** Where the other members reach this one: `https://10.0.0.12:2380`. */
    readonly peerUrl: string;
    /** Where clients reach this member: `https://10.0.0.12:2379`. */
    readonly clientUrl: string;
    /** Where this member tells of its health, to this machine alone: `http://127.0.0.1:2381`. */
    readonly healthUrl: string;
    /** Client URLs of the other controllers. Some of them may be no members yet. */
    readonly endpoints: readonly string[];
    /** Absolute paths, the same on the host and in the agent's container. */
    readonly directories: {
        /** Where the member reads its certificates: `/etc/kubernetes/pki/etcd`. */
        readonly pki: string;
        /** The kubelet's static pod directory: `/etc/kubernetes/manifests`. */
        readonly staticPods: string;
        /** The member's `--data-dir`. */
        readonly data: string;
    };
    /** The member's static pod, with `initialClusterPlaceholder` where the members go that it starts with. */
    readonly staticPod: object;
    /** Seconds that a step may take. @default - `defaultTimeouts` */
    readonly timeouts?: Partial<Record<StepName, number>>;
}

/** Stands in a static pod for the `name=peerURL` list, which is known only when the member was added. */
export const initialClusterPlaceholder = "<initial-cluster>";

/** The member's certificates, beside the plan and in `directories.pki`. A member is a client of its peers too. */
export const certificateFiles = [authorityFile, certificateFile, keyFile] as const;

/** Seconds. Pulling an image and copying a large database are in the long ones. */
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

/** What is wrong with a plan, each with its path. */
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
    // Its text would fill the log.
    const hasPlaceholder = JSON.stringify(staticPod ?? "").includes(initialClusterPlaceholder);
    return hasPlaceholder ? problems : [...problems, `staticPod must hold ${initialClusterPlaceholder}`];
}

function isEndpoints(value: unknown): boolean {
    return Array.isArray(value) && value.length > 0 && value.every((url) => isUrl("https", url));
}

/** The steps of joining, in their order, as the log names them. */
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

/** What admits a controller to etcd has this as its `k8s-app`. It can run nowhere else. */
export const etcdJoinApp = "etcd-join";
