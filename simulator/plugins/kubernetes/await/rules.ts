import { isDeepStrictEqual } from "node:util";
import { annotationOf, isAnnotated } from "../annotations";
import type { Cluster } from "../cluster";
import { at, type KubernetesObject, kindOf, listAt, numberAt } from "../object";
import { conditionOf, describeCondition, hasCondition, isObserved, messagesOf, podLabels } from "./pod-messages";
import { FIVE_MINUTES, failed, type Rule, ready, TEN_MINUTES, waiting } from "./readiness";
import { surroundings } from "./surroundings";

/**
 * Ready when every node that should have a pod has an available one of this generation. Worded like kstatus, which the
 * official plugin uses for DaemonSets: a failure does not include the pods' problems.
 */
const daemonSet: Rule = {
    timeout: TEN_MINUTES,
    pods: podLabels,
    isSilentError: true,
    check(object) {
        const status = (name: string) => numberAt(object, "status", name);
        if (!isObserved(object)) {
            const generation = numberAt(object, "metadata", "generation");
            const latest = `but latest observed generation is ${status("observedGeneration")}`;
            return waiting(`DaemonSet generation is ${generation}, ${latest}`);
        }
        const desired = status("desiredNumberScheduled");
        const counts = {
            Current: status("currentNumberScheduled"),
            Updated: status("updatedNumberScheduled"),
            Available: status("numberAvailable"),
            Ready: status("numberReady"),
        };
        const [less] = Object.entries(counts).filter(([, count]) => count < desired);
        if (less) return waiting(`${less[0]}: ${less[1]}/${desired}`);
        return ready(`All replicas scheduled as expected. Replicas: ${desired}`);
    },
};

/** Ready when all replicas are of the new generation and available, and no old ones are left. */
const deployment: Rule = {
    timeout: TEN_MINUTES,
    pods: podLabels,
    check(object) {
        const desired = Number(at(object, "spec", "replicas") ?? 1);
        const status = (name: string) => numberAt(object, "status", name);
        const isUpdated = isObserved(object) && status("updatedReplicas") >= desired;
        const isAlone = status("replicas") <= status("updatedReplicas");
        const available = status("availableReplicas");
        if (isUpdated && isAlone && available >= desired) return ready("Deployment initialization complete");
        const count = `${isUpdated && isAlone ? available : 0}/${desired} Pods available`;
        return waiting(`Waiting for app ReplicaSet to be available (${count})`, ...problems(object));
    },
};

function problems(object: KubernetesObject): string[] {
    const bad = ["Available", "Progressing"].map((type) => conditionOf(object, type));
    const words = bad.flatMap((condition) => (condition?.status === "False" ? [describeCondition(condition)] : []));
    return [...words, "Minimum number of live Pods was not attained"];
}

/** Ready when it has completed. */
const job: Rule = {
    timeout: TEN_MINUTES,
    pods: ({ metadata }) => (metadata?.uid ? { "batch.kubernetes.io/controller-uid": metadata.uid } : undefined),
    check(object) {
        if (at(object, "spec", "suspend") === true) return ready("Job is suspended");
        if (hasCondition(object, "Complete")) return ready("Job ready");
        const { name, namespace } = object.metadata ?? {};
        const failure = conditionOf(object, "Failed");
        if (failure?.status === "True") {
            return failed(`Resource '${name}' was created but failed to initialize`, describeCondition(failure));
        }
        const fullName = namespace && namespace !== "default" ? `${namespace}/${name}` : name;
        if (!at(object, "status", "startTime")) return waiting(`Waiting for Job "${fullName}" to start`);
        const counts = ["Active", "Succeeded", "Failed"].map(
            (each) => `${each}: ${numberAt(object, "status", each.toLowerCase())}`,
        );
        return waiting(`Waiting for Job "${fullName}" to succeed (${counts.join(" | ")})`);
    },
};

/** Ready when its containers are, or when it has completed. */
const pod: Rule = {
    timeout: TEN_MINUTES,
    check(object) {
        const phase = at(object, "status", "phase") ?? "Pending";
        if (phase === "Succeeded") return ready("Pod succeeded");
        if (hasCondition(object, "Ready")) return ready("Pod is ready");
        const problems = messagesOf(object);
        if (phase === "Failed") return failed("Pod failed", ...problems);
        return waiting(`Waiting for Pod to be ready (${phase})`, ...problems);
    },
};

// Others report the same.
const MOST = 5;

/** Problems of an object's pods that are not Ready; nothing if it has none or they cannot be read. */
export async function podMessages(
    cluster: Cluster,
    object: KubernetesObject,
    rule: Rule,
    signal: AbortSignal,
): Promise<string[]> {
    const labels = rule.pods?.(object);
    if (!labels || signal.aborted) return [];
    const selector = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
    const pods = await surroundings(cluster, object, signal)
        .list("v1", "Pod", selector.join(","))
        .catch(() => []);
    return pods.flatMap(messagesOf).slice(0, MOST);
}

/** Ready when it selects some ready pod, and has an address if it needs one. */
const service: Rule = {
    timeout: TEN_MINUTES,
    async check(object, { list }) {
        const isBalanced = at(object, "spec", "type") === "LoadBalancer";
        if (needsPods(object)) {
            const selector = `kubernetes.io/service-name=${object.metadata?.name}`;
            const slices = await list("discovery.k8s.io/v1", "EndpointSlice", selector);
            if (!slices.some((slice) => listAt(slice, "endpoints").length)) {
                return waiting(
                    "[1/3] Finding Pods to direct traffic to",
                    "Service does not target any Pods. Selected Pods may not be ready, or field '.spec.selector' may not match labels on any Pods",
                );
            }
        }
        if (isBalanced && !listAt(object, "status", "loadBalancer", "ingress").length) {
            return waiting(
                "[2/3] Attempting to allocate IP address to Service",
                "Service was not allocated an IP address; does your cloud provider support this?",
            );
        }
        return ready("Service initialization complete");
    },
};

function needsPods(object: KubernetesObject): boolean {
    const isHeadless = at(object, "spec", "clusterIP") === "None";
    const selector = at(object, "spec", "selector") ?? {};
    return at(object, "spec", "type") !== "ExternalName" && !isHeadless && Object.keys(selector).length > 0;
}

/** A controller writes the token into a token Secret; all others are complete on creation. */
const secret: Rule = {
    timeout: 5,
    check(object) {
        const isComplete =
            object.type !== "kubernetes.io/service-account-token" || Object.keys(object.data ?? {}).length;
        return isComplete ? ready("Secret is complete") : waiting("Waiting for the token of the Secret");
    },
};

const resourceQuota: Rule = {
    timeout: 60,
    check(object) {
        const isCounted = isDeepStrictEqual(at(object, "spec", "hard"), at(object, "status", "hard"));
        return isCounted ? ready("ResourceQuota is in force") : waiting("Waiting for ResourceQuota to be counted");
    },
};

const replicationController: Rule = {
    timeout: TEN_MINUTES,
    check(object) {
        const desired = Number(at(object, "spec", "replicas") ?? 1);
        const count = `${numberAt(object, "status", "availableReplicas")}/${desired} available`;
        const isReady = numberAt(object, "status", "availableReplicas") === desired;
        return isReady ? ready(`ReplicationController: ${count}`) : waiting(`Waiting for pods: ${count}`);
    },
};

const ingress: Rule = {
    timeout: TEN_MINUTES,
    check(object) {
        return listAt(object, "status", "loadBalancer", "ingress").length
            ? ready("Ingress initialization complete")
            : waiting(
                  "[2/3] Waiting for update of .status.loadBalancer with hostname/IP",
                  "Ingress .status.loadBalancer field was not updated with a hostname/IP address.",
              );
    },
};

/** Ready when all replicas are of the new revision (those above the partition, if any) and ready. */
const statefulSet: Rule = {
    timeout: TEN_MINUTES,
    pods: podLabels,
    check(object) {
        if (!isObserved(object)) return waiting("[1/2] Waiting for the StatefulSet controller to see the change");
        const desired = Number(at(object, "spec", "replicas") ?? 1);
        const partition = numberAt(object, "spec", "updateStrategy", "rollingUpdate", "partition");
        const toUpdate = Math.max(desired - partition, 0);
        const updated = numberAt(object, "status", "updatedReplicas");
        if (updated < toUpdate) return waiting(`[1/2] Waiting for StatefulSet rollout: ${updated}/${toUpdate} updated`);
        const readyCount = numberAt(object, "status", "readyReplicas");
        const count = `${readyCount}/${desired} ready`;
        return readyCount < desired
            ? waiting(`[2/2] Waiting for StatefulSet pods: ${count}`)
            : ready(`StatefulSet rollout complete: ${count}`);
    },
};

const persistentVolume: Rule = {
    timeout: FIVE_MINUTES,
    check(object) {
        const phase = at(object, "status", "phase");
        return phase === "Available" || phase === "Bound"
            ? ready(`PersistentVolume is ${phase}`)
            : waiting(`Waiting for PersistentVolume to be available (${phase ?? "no phase yet"})`);
    },
};

/** Ready when bound, or when waiting for its first pod if that triggers the creation of its volume. */
const persistentVolumeClaim: Rule = {
    timeout: FIVE_MINUTES,
    async check(object, { get }) {
        const phase = at(object, "status", "phase");
        if (phase === "Bound") return ready("PersistentVolumeClaim is bound");
        const className = at(object, "spec", "storageClassName");
        const storageClass = className ? await get("storage.k8s.io/v1", "StorageClass", String(className)) : undefined;
        if (phase === "Pending" && storageClass?.volumeBindingMode === "WaitForFirstConsumer") {
            return ready("PersistentVolumeClaim waits for its first pod");
        }
        return waiting(`Waiting for PersistentVolumeClaim to be bound (${phase ?? "no phase yet"})`);
    },
};

// Since Kubernetes 1.24 a ServiceAccount has nothing to wait for.
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

/** The readiness rule of an object, unless it is not awaited at all. */
export function ruleFor(inputs: KubernetesObject): Rule | undefined {
    if (isAnnotated(inputs, "skipAwait")) return undefined;
    const { group, kind } = kindOf(inputs);
    return waitedFor(inputs) ?? RULES[`${group}/${kind}`];
}

/**
 * The condition of the annotation `pulumi.com/waitFor`: one expression or a JSON array of them, each `condition=Type`,
 * `condition=Type=Status`, `jsonpath={.status.phase}` or `jsonpath={.status.phase}=Running`.
 */
export function waitedFor(inputs: KubernetesObject): Rule | undefined {
    const text = annotationOf(inputs, "waitFor");
    if (!text) return undefined;
    const expressions = text.trimStart().startsWith("[") ? (JSON.parse(text) as string[]) : [text];
    const conditions = expressions.map((expression) => ({ expression, isMet: parse(expression) }));
    return {
        timeout: TEN_MINUTES,
        check(object) {
            const unmet = conditions.filter(({ isMet }) => !isMet(object)).map(({ expression }) => expression);
            return unmet.length ? waiting(`Waiting for ${unmet.join(", ")}`) : ready("all conditions are met");
        },
    };
}

function parse(expression: string): (object: KubernetesObject) => boolean {
    const [, kind, left = "", right] = /^(condition|jsonpath)=(\{[^}]*\}|[^=]+)(?:=(.*))?$/.exec(expression) ?? [];
    if (kind === "condition") {
        const status = (right ?? "True").toLowerCase();
        return (object) => String(conditionOf(object, left)?.status).toLowerCase() === status;
    }
    const steps = kind && /^\{((?:\.[\w-]+|\[\d+\])+)\}$/.exec(left)?.[1]?.match(/[\w-]+/g);
    if (!steps) {
        throw new Error(`pulumi.com/waitFor must be condition=Type or jsonpath={.path.to.field} (got ${expression})`);
    }
    return (object) => {
        const value = steps.reduce<unknown>((inner, step) => (inner as Record<string, unknown>)?.[step], object);
        return right === undefined ? value !== undefined && value !== null : String(value) === right;
    };
}
