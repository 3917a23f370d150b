import { isAnnotated } from "../annotations";
import { kindOf } from "../kind";
import type { KubernetesObject } from "../object";
import { daemonSet } from "./daemon-set";
import { deployment } from "./deployment";
import { job } from "./job";
import { pod } from "./pod";
import type { Rule } from "./readiness";
import { service } from "./service";
import { ingress, replicationController, resourceQuota, secret } from "./small-rules";
import { statefulSet } from "./stateful-set";
import { persistentVolume, persistentVolumeClaim } from "./volume";
import { waitedFor } from "./wait-for";

// A ServiceAccount has had nothing to wait for since Kubernetes 1.24.
const RULES: Record<string, Rule> = {
    "/PersistentVolume": persistentVolume,
    "/PersistentVolumeClaim": persistentVolumeClaim,
    "/Pod": pod,
    "/ReplicationController": replicationController,
    "/ResourceQuota": resourceQuota,
    "/Secret": secret,
    "/Service": service,
    "apps/DaemonSet": daemonSet,
    "apps/Deployment": deployment,
    "apps/StatefulSet": statefulSet,
    "batch/Job": job,
    "networking.k8s.io/Ingress": ingress,
};

/** The rule that an object is awaited by, unless it is not awaited at all. */
export function ruleFor(inputs: KubernetesObject): Rule | undefined {
    if (isAnnotated(inputs, "skipAwait")) return undefined;
    const { group, kind } = kindOf(inputs);
    return waitedFor(inputs) ?? RULES[`${group}/${kind}`];
}
