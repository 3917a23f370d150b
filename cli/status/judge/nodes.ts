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
    return [...missing, ...absent.map((name) => judgeAbsent(name, facts)), ...all.flatMap(judgeNode)];
}

/** A kubelet registers only once, when it starts. */
function judgeAbsent(name: string, { cluster, isLocal }: ClusterFacts): Finding {
    const restart = "systemctl restart kubelet";
    const atOnce = isLocal ? `docker exec ${containerName(cluster, name)} ${restart}` : `${restart} (on ${name})`;
    return critical(
        "node-missing",
        `The machine ${name} of the stack has no Node in the API: the Node was deleted or never registered.`,
        [
            `After a deletion, the machine restarts its kubelet within two minutes, which registers it again. To do this now: ${atOnce}.`,
            "If it never joined, its console says what it is waiting for, and kubectl get csr shows whether it requested a certificate.",
        ].join(" "),
    );
}

function judgeNode({ name, isReady, problem = "no reason given", isCordoned }: NodeFacts): Finding[] {
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
        "Check that its machine is running and reaches the API, then journalctl -u kubelet on it.",
    );
    return [...(isReady ? [] : [isWithoutCni(problem) ? withoutCni : notReady]), ...(isCordoned ? [cordoned] : [])];
}

export function judgeMachines({ machines }: ClusterFacts): Finding[] {
    return (ifKnown(machines) ?? []).flatMap(judgeMachine);
}

function judgeMachine({ name, state, inside }: MachineFacts): Finding[] {
    if (state === "unreached" && "unknown" in inside) {
        // A firewall may block SSH; other findings cover the machine's health.
        return [warning("machine-unreached", `Cannot reach a controller over SSH: ${inside.unknown}.`)];
    }
    if (state !== "running") {
        return [
            critical(
                "machine-off",
                `The machine ${name} is ${state}.`,
                state === "paused" ? `Resume it with docker unpause.` : "Start it with npm start.",
            ),
        ];
    }
    if ("unknown" in inside) {
        return [
            critical(
                "machine-silent",
                `The machine ${name} is running but does not answer: ${inside.unknown}.`,
                "Check its console (docker logs), or restart it.",
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
                      "On that machine, check journalctl -u containerd",
                  ),
              ]),
        ...(kubelet === "ok"
            ? []
            : [
                  critical(
                      "kubelet-down",
                      `The kubelet on ${name} is unhealthy: ${kubelet}.`,
                      "On that machine, check journalctl -u kubelet",
                  ),
              ]),
    ];
}
