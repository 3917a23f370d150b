import { isWithoutCni } from "../../../clients/kubernetes/nodes";
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
import { onMachine } from "./remedies";

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
                  "No node has the control-plane role.",
                  "pulumi up --refresh adds it to the controllers.",
              ),
          ];
    const absent = named.filter((name) => !all.some((each) => each.name === name));
    return [
        ...missing,
        ...absent.map((name) => judgeAbsent(name, facts)),
        ...all.flatMap((node) => judgeNode(node, facts)),
    ];
}

/** A kubelet registers only once, when it starts. */
function judgeAbsent(name: string, facts: ClusterFacts): Finding {
    const atOnce = onMachine(facts, name, "systemctl restart kubelet");
    return critical(
        "node-missing",
        `The machine ${name} of the stack has no Node in the API: the Node was deleted or never registered.`,
        [
            `After a deletion, the machine restarts its kubelet within two minutes, which registers it again. To do this now: ${atOnce}.`,
            "If it never joined, its console says what it is waiting for, and kubectl get csr shows whether it requested a certificate.",
        ].join(" "),
    );
}

function judgeNode(
    { name, isReady, problem = "no reason given", isCordoned }: NodeFacts,
    facts: ClusterFacts,
): Finding[] {
    const cordoned = warning(
        "node-cordoned",
        `The node ${name} is cordoned and takes no new pods.`,
        `kubectl uncordon ${name}`,
    );
    const withoutCni = critical(
        "node-without-cni",
        `The node ${name} is not Ready: it waits for a CNI, which has written no configuration to /etc/cni/net.d.`,
        "With cni none, install one (docs/cni.md#your-own). Otherwise, check the DaemonSet of the cluster's CNI in kube-system.",
    );
    const notReady = critical(
        "node-not-ready",
        `The node ${name} is not Ready: ${problem.replace(/\.$/, "")}.`,
        `Check that its machine is running and reaches the API, then ${onMachine(facts, name, "journalctl -u kubelet -n 50")}`,
    );
    return [...(isReady ? [] : [isWithoutCni(problem) ? withoutCni : notReady]), ...(isCordoned ? [cordoned] : [])];
}

export function judgeMachines(facts: ClusterFacts): Finding[] {
    return (ifKnown(facts.machines) ?? []).flatMap((machine) => judgeMachine(machine, facts));
}

function judgeMachine({ name, state, inside }: MachineFacts, facts: ClusterFacts): Finding[] {
    if (state === "unreached" && "unknown" in inside) {
        // A firewall may block SSH; other findings cover the machine's health.
        return [warning("machine-unreached", `Cannot reach a controller over SSH: ${inside.unknown}.`)];
    }
    if (state !== "running") {
        return [
            critical(
                "machine-off",
                `The machine ${name} is ${state}.`,
                state === "paused"
                    ? `docker unpause ${containerName(facts.cluster, name)}`
                    : `npm start${facts.cluster === "local" ? "" : ` -- --name ${facts.cluster}`}`,
            ),
        ];
    }
    if ("unknown" in inside) {
        return [
            critical(
                "machine-silent",
                `The machine ${name} is running but does not answer: ${inside.unknown}.`,
                `docker restart ${containerName(facts.cluster, name)}; its console: docker logs ${containerName(facts.cluster, name)}`,
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
                      restarted("containerd", name, facts),
                  ),
              ]),
        ...(kubelet === "ok"
            ? []
            : [
                  critical(
                      "kubelet-down",
                      `The kubelet on ${name} is unhealthy: ${kubelet}.`,
                      restarted("kubelet", name, facts),
                  ),
              ]),
    ];
}

function restarted(unit: string, name: string, facts: ClusterFacts): string {
    const restart = onMachine(facts, name, `systemctl restart ${unit}`);
    return `${restart}; if it does not stay up: ${onMachine(facts, name, `journalctl -u ${unit} -n 50`)}`;
}
