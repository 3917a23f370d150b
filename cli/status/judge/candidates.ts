import { controllersConfig, type NodeRole } from "../../../agents/nodes/promoter/record";
import {
    type CandidateFacts,
    type ClusterFacts,
    critical,
    type Finding,
    ifKnown,
    type NodeFacts,
    warning,
} from "../facts";

const logs = "kubectl -n kube-system logs -l k8s-app=node-promoter --prefix";

/**
 * Controllers that change, or that nothing can replace. Which nodes are controllers at the moment is never a problem by
 * itself.
 */
export function judgeCandidates({ candidates, nodes }: ClusterFacts): Finding[] {
    const all = ifKnown(nodes);
    if (candidates === undefined || all === undefined) return [];
    if (candidates.problem !== undefined) return [judgeRecord(candidates.problem)];
    const changes = Object.entries(candidates.roles).flatMap(([name, role]) =>
        judgeChange(name, role, all.find((node) => node.name === name)?.isReady === true),
    );
    return [...changes, ...judgeCount(candidates, all)];
}

/** Nothing but the roles depends on it. */
function judgeRecord(problem: string): Finding {
    return critical(
        "controllers-record",
        `The ConfigMap ${controllersConfig} in kube-system, which says which nodes are controllers, cannot be used: ${problem}. No controller is replaced, promoted or demoted.`,
        `Repair it as in docs/candidates.md#repair-the-record. What it has: kubectl -n kube-system get configmap ${controllersConfig} -o yaml`,
    );
}

function judgeChange(name: string, { role, why }: NodeRole, isReady: boolean): Finding[] {
    if (role === "joining") {
        const message = `The node ${name} is becoming a controller: ${why}.`;
        return [warning("controller-joining", message, `If it takes longer than a few minutes: ${logs}`)];
    }
    if (role !== "leaving") return [];
    const message = isReady
        ? `The node ${name} is becoming a candidate, and is not cleaned up yet: ${why}.`
        : `The node ${name} is no longer a controller, and is not cleaned up, because its machine does not answer: ${why}.`;
    const advice = isReady
        ? `If it takes longer than a few minutes: kubectl -n kube-system logs -l k8s-app=node-demotion -c node-demotion`
        : `It becomes a candidate when its machine returns. Its disk has the keys of a controller until then. See ${logs}`;
    return [warning("controller-leaving", message, advice)];
}

/** A node that may become a controller, and has not failed to, or been refused. */
function isAvailable({ name, isController, isReady }: NodeFacts, { possible, roles }: CandidateFacts): boolean {
    const { role = "candidate", excluded } = roles[name] ?? {};
    return possible.includes(name) && isReady && !isController && role === "candidate" && excluded === undefined;
}

function judgeCount(candidates: CandidateFacts, nodes: readonly NodeFacts[]): Finding[] {
    const { count, roles, progress } = candidates;
    const serving = nodes.filter(({ isController, isReady }) => isController && isReady);
    const isJoining = Object.values(roles).some(({ role }) => role === "joining");
    if (serving.length >= count || isJoining || nodes.some((node) => isAvailable(node, candidates))) return [];
    const why = progress === undefined ? "" : ` (${progress})`;
    return [
        critical(
            "controllers-missing",
            `The cluster has ${serving.length} of ${count} controllers, and no candidate is available${why}.`,
            `Bring a machine back, or add nodes to a pool of candidates (docs/candidates.md). What was tried: ${logs}`,
        ),
    ];
}
