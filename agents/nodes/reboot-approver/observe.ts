import { type ApiClient, list } from "../../../clients/kubernetes/api-client";
import { isRolledOut } from "../../../clients/kubernetes/daemon-sets";
import { leavingAnnotation } from "../../../clients/kubernetes/nodes";
import { type DaemonSet, isReady, type Job, type Node, type With } from "../../../clients/kubernetes/objects";
import { rebootAnnotation } from "../../../clients/kubernetes/reboot-turn";
import { WatchedList } from "../../../clients/kubernetes/watched-list";
import { type MembersStatus, reportedMembers } from "../../etcd/keeper/status";
import { cordonAnnotation } from "../node-agent/plan";
import type { NodeObservation } from "./decide";
import type { RebootApproverPlan } from "./plan";

/** `k8s-app` of the DaemonSets that change kubelets. */
export const nodeAgentApp = "node-agent";

const system = "namespaces/kube-system";

export type ObservedNode = With<Node, "uid">;

/** The nodes, kept current by a watch: only what {@link asksForReboot} reads. */
export function watchedNodes(api: ApiClient): WatchedList<ObservedNode> {
    const keep = ({ metadata: { name, uid, annotations = {} } }: ObservedNode): ObservedNode => {
        const asked = annotations[rebootAnnotation];
        return { metadata: { name, uid, ...(asked && { annotations: { [rebootAnnotation]: asked } }) } };
    };
    return new WatchedList(api, "/api/v1/nodes", keep);
}

export function asksForReboot({ metadata }: ObservedNode): boolean {
    return metadata.annotations !== undefined;
}

export async function observeNodes(
    api: ApiClient,
    { controllerLabel }: RebootApproverPlan,
): Promise<NodeObservation[]> {
    const nodes = await list<ObservedNode>(api, "/api/v1/nodes");
    return nodes.map(({ metadata: { name, uid, labels = {}, annotations = {} }, status }) => ({
        name,
        uid,
        isController: controllerLabel in labels,
        isReady: isReady(status),
        isAtWork: annotations[cordonAnnotation] !== undefined,
        isLeaving: annotations[leavingAnnotation] !== undefined,
        ...(annotations[rebootAnnotation] && { asked: annotations[rebootAnnotation] }),
    }));
}

/** What must be healthy before a node reboots: the control plane, the node-agents, etcd. Running Jobs change these. */
export async function observeProblems(api: ApiClient, { daemonSets }: RebootApproverPlan): Promise<string[]> {
    const [sets, jobs, members] = await Promise.all([
        list<DaemonSet>(api, `/apis/apps/v1/${system}/daemonsets`),
        list<Job>(api, `/apis/batch/v1/${system}/jobs`),
        reportedMembers(api),
    ]);
    const concerned = sets.filter(
        ({ metadata: { name, labels } }) => daemonSets.includes(name) || labels?.["k8s-app"] === nodeAgentApp,
    );
    const missing = daemonSets.filter((name) => !concerned.some(({ metadata }) => metadata.name === name));
    return [
        ...missing.map((name) => `${name} is missing`),
        ...concerned.filter((set) => !isRolledOut(set)).map(({ metadata }) => `${metadata.name} is not rolled out`),
        ...jobs
            .filter(({ status }) => (status?.active ?? 0) > 0)
            .map(({ metadata }) => `Job ${metadata.name} is running`),
        ...etcdProblems(members),
    ];
}

/** From the last status of the etcd keeper. */
export function etcdProblems(reported: MembersStatus | undefined): string[] {
    if (reported === undefined) {
        return ["the state of etcd is unknown"];
    }
    const { problem, members, alarms } = reported;
    return [
        ...(problem === undefined ? [] : [`etcd: ${problem}`]),
        ...members.flatMap(({ name, problem: its, isLearner }) =>
            its !== undefined || isLearner ? [`etcd of ${name}: ${its ?? "it is not a voter yet"}`] : [],
        ),
        ...alarms.map(({ member, alarm }) => `etcd of ${member} raises the alarm ${alarm}`),
    ];
}
