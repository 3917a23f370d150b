import { ifKnown } from "../fact";
import type { ClusterFacts, NodeFacts } from "../facts";
import { critical, type Finding, warning } from "../finding";

export function judgeNodes({ nodes, named = [] }: ClusterFacts): Finding[] {
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
                  "pulumi up gives it to the controllers.",
              ),
          ];
    const absent = named.filter((name) => !all.some((each) => each.name === name));
    return [...missing, ...absent.map(judgeAbsent), ...all.flatMap(judgeNode)];
}

function judgeAbsent(name: string): Finding {
    return critical(
        "node-missing",
        `The stack has the machine ${name}, and the cluster no node of that name.`,
        "Its console in the cloud tells what it waits for; kubectl get csr, whether it asks to join.",
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
