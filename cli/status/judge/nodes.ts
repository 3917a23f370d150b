import { containerName } from "../../../machines/names";
import {
    type ClusterFacts,
    critical,
    type Finding,
    ifKnown,
    type MachineFacts,
    type NodeFacts,
    warning,
} from "../facts";

export function judgeNodes(facts: ClusterFacts): Finding[] {
    const { nodes, named = [] } = facts;
    const all = ifKnown(nodes);
    if (all === undefined) {
        return [];
    }
    const missing = all.some(({ isController }) => isController)
        ? []
        : [
              critical(
                  "no-controllers",
                  "No node has the role of a control plane.",
                  "pulumi up --refresh gives it to the controllers.",
              ),
          ];
    const absent = named.filter((name) => !all.some((each) => each.name === name));
    return [...missing, ...absent.map((name) => judgeAbsent(name, facts)), ...all.flatMap(judgeNode)];
}

/** A kubelet registers once, when it starts. */
function judgeAbsent(name: string, { cluster, isLocal }: ClusterFacts): Finding {
    const restart = "systemctl restart kubelet";
    const atOnce = isLocal ? `docker exec ${containerName(cluster, name)} ${restart}` : `${restart} (on ${name})`;
    return critical(
        "node-missing",
        `The stack has the machine ${name}, and the API no Node of that name: it was deleted, or never registered.`,
        [
            `Its machine restarts the kubelet within two minutes of a deletion, which registers it; at once: ${atOnce}.`,
            "If it never joined, its console says what it waits for; kubectl get csr, whether it asks to join.",
        ].join(" "),
    );
}

function judgeNode({ name, isReady, problem = "nothing says why", isCordoned }: NodeFacts): Finding[] {
    const cordoned = warning(
        "node-cordoned",
        `The node ${name} takes no new pods: it is cordoned.`,
        `kubectl uncordon ${name}`,
    );
    const notReady = critical(
        "node-not-ready",
        `The node ${name} is not Ready: ${problem.replace(/\.$/, "")}.`,
        "See that its machine runs and reaches the API; there, journalctl -u kubelet tells more.",
    );
    return [...(isReady ? [] : [notReady]), ...(isCordoned ? [cordoned] : [])];
}

export function judgeMachines({ machines }: ClusterFacts): Finding[] {
    return (ifKnown(machines) ?? []).flatMap(judgeMachine);
}

function judgeMachine({ name, state, inside }: MachineFacts): Finding[] {
    if (state === "unreached" && "unknown" in inside) {
        // A firewall may be in the way: whether the machine is well, others tell.
        return [warning("machine-unreached", `No SSH gets to a controller: ${inside.unknown}.`)];
    }
    if (state !== "running") {
        return [
            critical(
                "machine-off",
                `The machine ${name} is ${state}.`,
                state === "paused" ? `docker unpause lets it go on.` : "npm start brings it up again.",
            ),
        ];
    }
    if ("unknown" in inside) {
        return [
            critical(
                "machine-silent",
                `The machine ${name} runs, but does not answer: ${inside.unknown}.`,
                "Its console may tell: docker logs, or restart it.",
            ),
        ];
    }
    const { kubelet, containerd } = inside.value;
    return [
        ...(containerd === "active"
            ? []
            : [
                  critical(
                      "containerd-down",
                      `containerd on ${name} is ${containerd}.`,
                      "On that machine: journalctl -u containerd",
                  ),
              ]),
        ...(kubelet === "ok"
            ? []
            : [
                  critical(
                      "kubelet-down",
                      `The kubelet on ${name} is not well: ${kubelet}.`,
                      "On that machine: journalctl -u kubelet",
                  ),
              ]),
    ];
}
