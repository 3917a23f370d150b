import { leavingAnnotation } from "../../../clients/kubernetes/nodes";
import { type ConfigMap, condition, isReady, type Node, nameOf, type Pod } from "../../../clients/kubernetes/objects";
import { hasEnded, isStatic } from "../../../clients/kubernetes/pods";
import { statusAnnotation } from "../../checkpointer/plan";
import { etcdJoinApp } from "../../etcd/join/plan";
import { demotionName } from "../demotion/plan";
import { checkpointsOf } from "../removal/nodes";
import { isPlacedByLabel, isStandIn } from "../removal/pods";
import type { NodeFacts, PodFacts } from "./observed";
import { memberLabel } from "./plan";
import { requestKey } from "./record";

const apiServerApp = "kube-apiserver";

/** What {@link nodeFacts} reads. */
export function keepNode({ metadata, spec, status }: Node, controllerLabel: string): Node {
    const { name, uid, resourceVersion, labels = {}, annotations = {} } = metadata;
    const some = (all: Readonly<Record<string, string>>, ...keys: string[]) =>
        Object.fromEntries(keys.flatMap((key) => (key in all ? [[key, all[key]!]] : [])));
    const ready = condition(status, "Ready");
    return {
        metadata: {
            name,
            ...(uid && { uid }),
            ...(resourceVersion && { resourceVersion }),
            labels: some(labels, controllerLabel, memberLabel),
            annotations: some(annotations, leavingAnnotation, statusAnnotation),
        },
        ...(spec?.unschedulable && { spec: { unschedulable: true } }),
        status: { conditions: ready === undefined ? [] : [{ type: ready.type, status: ready.status }] },
    };
}

export function nodeFacts(node: Node, controllerLabel: string): NodeFacts {
    const { name, labels = {}, annotations = {} } = node.metadata;
    const label = labels[memberLabel];
    const checkpoints = checkpointsOf(node);
    return {
        name,
        isReady: isReady(node.status),
        hasRole: controllerLabel in labels,
        ...(label !== undefined && { label }),
        isLeaving: leavingAnnotation in annotations,
        isCordoned: node.spec?.unschedulable === true,
        ...(checkpoints && { checkpoints }),
    };
}

/** @param pods - of kube-system, on one node */
export function podFacts(pods: readonly Pod[], controllerLabel: string): PodFacts {
    const isOf = (pod: Pod, app: string) => pod.metadata.labels?.["k8s-app"] === app;
    const alive = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined && !hasEnded(pod));
    const some = (app: string) => alive.filter((pod) => isOf(pod, app) && !isStatic(pod));
    const areReady = (those: readonly Pod[]) => those.length > 0 && those.every(({ status }) => isReady(status));
    const join = some(etcdJoinApp);
    return {
        controlPlane: pods.filter((pod) => isPlacedByLabel(pod, controllerLabel) || isStandIn(pod)).map(nameOf),
        servesApi: areReady(some(apiServerApp)),
        join: join.length === 0 ? "none" : areReady(join) ? "ended" : "running",
        isClean: areReady(some(demotionName)),
    };
}

export function readRequests({ data = {} }: ConfigMap): Record<string, string> {
    const prefix = requestKey("");
    return Object.fromEntries(
        Object.entries(data).flatMap(([key, value]) =>
            key.startsWith(prefix) ? [[key.slice(prefix.length), value.trim()]] : [],
        ),
    );
}
