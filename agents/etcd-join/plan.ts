import { authorityFile, certificateFile, keyFile } from "../common/member-files";
import type { StepName } from "./step-names";

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
