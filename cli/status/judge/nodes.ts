import { containerName } from "../../../machines/names";
import { ifKnown } from "../fact";
import type { ClusterFacts, NodeFacts } from "../facts";
import { critical, type Finding, warning } from "../finding";

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
