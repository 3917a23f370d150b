import {
    type CheckpointFacts,
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

/** Seconds beyond a lease's duration that a busy leader may need. */
const leaseGraceSeconds = 5;

/** Whether each controller runs each part of the control plane, and from where. */
export function judgeControlPlane(facts: ClusterFacts): Finding[] {
    const pods = (ifKnown(facts.pods) ?? []).filter(({ isEnding }) => !isEnding);
    const isApiDown = "unknown" in facts.nodes;
    const parts = controllersToJudge(facts).flatMap((node) =>
        [...CONTROL_PLANE, ETCD].flatMap((component) => {
            const own = pods.filter((pod) => pod.component === component && pod.node === node);
            return own.length === 0 ? [missing(component, node, isApiDown)] : fromCheckpoint(component, node, own);
        }),
    );
    return [
        ...parts,
        ...(ifKnown(facts.leaders) ?? []).flatMap(judgeLeader),
        ...(ifKnown(facts.checkpoints) ?? []).flatMap(judgeCheckpoint),
    ];
}

/** Those of which it is known what runs there. */
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

function missing(component: string, node: string, isApiDown: boolean): Finding {
    const object = component === ETCD ? `node ${node}` : `daemonset ${component}`;
    const advice = isApiDown
        ? "On that machine: journalctl -u kubelet, and the logs in /var/log/containers."
        : `See why: kubectl -n kube-system describe ${object}; pulumi up --refresh puts back what was changed by hand.`;
    return critical("component-missing", `No ${component} runs on ${node}.`, advice);
}

function fromCheckpoint(component: string, node: string, pods: readonly PodFacts[]): Finding[] {
    const works = pods.filter(({ state }) => state !== "not-ready");
    if (works.length > 0 && works.every(({ origin }) => origin === "checkpoint")) {
        return [
            warning(
                "runs-from-checkpoint",
                `The ${component} of ${node} runs from its checkpoint, not from the API.`,
                "It gives way by itself once its own pod is ready.",
            ),
        ];
    }
    return [];
}

function judgeLeader({ component, node, ageSeconds, leaseSeconds }: LeaderFacts): Finding[] {
    const advice = `kubectl -n kube-system logs -l k8s-app=${component}`;
    if (node === undefined) {
        return [critical("no-leader", `No ${component} leads: nobody holds the lease.`, advice)];
    }
    if (ageSeconds > leaseSeconds + leaseGraceSeconds) {
        const message = `No ${component} leads: that of ${node} last renewed its lease ${ageSeconds} s ago.`;
        return [critical("no-leader", message, advice)];
    }
    return [];
}

function judgeCheckpoint({ node, component, refused }: CheckpointFacts): Finding[] {
    return refused === undefined
        ? []
        : [
              warning(
                  "checkpoint-refused",
                  `The ${component} of ${node} as it is now has no checkpoint: ${refused.replace(/\.$/, "")}.`,
                  "Without one it does not come back by itself after a reboot with no API: an older one does, if there is one.",
              ),
          ];
}
