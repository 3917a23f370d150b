import { publishSeconds } from "../../../agents/checkpointer/plan";
import {
    type CheckpointFacts,
    type CheckpointReport,
    type ClusterFacts,
    CONTROL_PLANE,
    critical,
    ETCD,
    type Finding,
    ifKnown,
    type LeaderFacts,
    type PodFacts,
    warning,
} from "../facts";
import { lastWords, recover, recoveryFromApi } from "./remedies";

/** Seconds that a busy leader may exceed its lease duration. */
const leaseGraceSeconds = 5;

/** Seconds without a report after which a checkpointer counts as silent. */
const silentSeconds = 3 * publishSeconds;

const checkpointerLogs = "kubectl -n kube-system logs -l k8s-app=checkpointer --prefix";

/** Checks that each controller runs each part of the control plane, and from where. */
export function judgeControlPlane(facts: ClusterFacts): Finding[] {
    const pods = (ifKnown(facts.pods) ?? []).filter(({ isEnding }) => !isEnding);
    const isApiDown = "unknown" in facts.nodes;
    const parts = controllersToJudge(facts).flatMap((node) =>
        [...CONTROL_PLANE, ETCD].flatMap((component) => {
            const own = pods.filter((pod) => pod.component === component && pod.node === node);
            return own.length === 0
                ? [missing(component, node, isApiDown, lastWords(facts, node, component))]
                : fromCheckpoint(component, node, own);
        }),
    );
    return [
        ...parts,
        ...(ifKnown(facts.leaders) ?? []).flatMap((leader) => judgeLeader(leader, recoveryFromApi(facts, leader))),
        ...(ifKnown(facts.checkpoints) ?? []).flatMap((each) => judgeCheckpoint(each, facts, isApiDown)),
        ...(facts.checkpointReports ?? []).flatMap(judgeReport),
    ];
}

/** The controllers on which the running pods are known. */
function controllersToJudge({ nodes, pods, machines, controllers }: ClusterFacts): string[] {
    if ("unknown" in pods) {
        return [];
    }
    if ("value" in nodes) {
        return nodes.value.filter(({ isController, isReady }) => isController && isReady).map(({ name }) => name);
    }
    const answering = (ifKnown(machines) ?? []).filter(({ inside }) => "value" in inside).map(({ name }) => name);
    return controllers.map(({ name }) => name).filter((name) => answering.includes(name));
}

function missing(component: string, node: string, isApiDown: boolean, words: string): Finding {
    const object = component === ETCD ? `node ${node}` : `daemonset ${component}`;
    const advice = isApiDown
        ? "On that machine, check journalctl -u kubelet and /var/log/containers."
        : `Check kubectl -n kube-system describe ${object}; pulumi up --refresh reverts manual changes.`;
    return critical("component-missing", `No ${component} runs on ${node}${words}.`, advice);
}

function fromCheckpoint(component: string, node: string, pods: readonly PodFacts[]): Finding[] {
    const works = pods.filter(({ state }) => state !== "not-ready");
    if (works.length > 0 && works.every(({ origin }) => origin === "checkpoint")) {
        return [
            warning(
                "runs-from-checkpoint",
                `The ${component} of ${node} runs from its checkpoint, not from the API.`,
                `The checkpoint is removed automatically once the regular pod is ready: kubectl -n kube-system get pods -l k8s-app=${component}`,
            ),
        ];
    }
    return [];
}

function judgeLeader({ component, node, ageSeconds, leaseSeconds }: LeaderFacts, recovery?: string): Finding[] {
    const advice = recovery
        ? `Nothing is left that could start it: ${recovery}`
        : `kubectl -n kube-system logs -l k8s-app=${component}`;
    if (node === undefined) {
        return [critical("no-leader", `No ${component} leads: the lease has no holder.`, advice)];
    }
    if (ageSeconds > leaseSeconds + leaseGraceSeconds) {
        const message = `No ${component} leads: the one on ${node} last renewed its lease ${ageSeconds} s ago.`;
        return [critical("no-leader", message, advice)];
    }
    return [];
}

function judgeCheckpoint(checkpoint: CheckpointFacts, facts: ClusterFacts, isApiDown: boolean): Finding[] {
    const { node, component, refused, damaged = [] } = checkpoint;
    const refusals =
        refused === undefined
            ? []
            : [
                  warning(
                      "checkpoint-refused",
                      `The current ${component} of ${node} cannot be checkpointed: ${refused.replace(/\.$/, "")}.`,
                      `After a reboot without an API, it starts from an older checkpoint, or not at all if there is none. Its log: ${checkpointerLogs}`,
                  ),
              ];
    return damaged.length === 0 ? refusals : [...refusals, damagedFinding(checkpoint, damaged, facts, isApiDown)];
}

/** Without a whole checkpoint, the next reboot leaves the component stopped until the API starts it. */
function damagedFinding(
    { node, component, savedAt }: CheckpointFacts,
    damaged: readonly string[],
    facts: ClusterFacts,
    isApiDown: boolean,
): Finding {
    const used = savedAt === undefined ? "there is no whole one" : `the one of ${savedAt} is used`;
    const message = `The checkpoint of ${component} on ${node} is damaged: ${damaged.join(", ")}; ${used}.`;
    const advice = isApiDown
        ? `It is rewritten once the API serves. If no controller restarts its control plane: ${recover(facts, "etcd")}`
        : `It is rewritten once the pod has been Ready for 20 s. If that takes longer than two minutes: ${checkpointerLogs}`;
    const report = savedAt === undefined ? critical : warning;
    return report("checkpoint-damaged", message, advice);
}

function judgeReport({ node, ageSeconds }: CheckpointReport): Finding[] {
    if (ageSeconds !== undefined && ageSeconds <= silentSeconds) return [];
    const since =
        ageSeconds === undefined
            ? "has never reported"
            : `last reported ${ageSeconds} s ago, not within ${publishSeconds} s`;
    const message = `The checkpointer of ${node} ${since}: whether its checkpoints are current and whole is unknown.`;
    return [warning("checkpointer-silent", message, `See ${checkpointerLogs}`)];
}
