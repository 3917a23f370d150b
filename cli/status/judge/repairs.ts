import type { Repair } from "../../../agents/nodes/repairer/record";
import { cloudOf } from "../../../cluster/clouds";
import { containerName } from "../../../machines/names";
import { type ClusterFacts, critical, type Finding, type RepairFacts, warning } from "../facts";
import { startOf } from "./remedies";

const logs = "kubectl -n kube-system logs deployment/node-repairer";

/** Machines under repair, and what only a person can do. */
export function judgeRepairs(facts: ClusterFacts): Finding[] {
    const { repairs } = facts;
    if (repairs === undefined) return [];
    const { machines, waits } = repairs;
    return [
        ...Object.entries(machines).flatMap(([name, entry]) => judgeRepair(name, entry, facts, repairs)),
        ...(waits === undefined
            ? []
            : [
                  warning(
                      "machine-repair-waits",
                      `The next repair of a machine waits: ${waits}.`,
                      `It goes on by itself. See ${logs}`,
                  ),
              ]),
    ];
}

function judgeRepair(
    name: string,
    { state, why, problem }: Repair,
    facts: ClusterFacts,
    repairs: RepairFacts,
): Finding[] {
    if (state === "recovered") return [];
    if (state === "manual") {
        const message = `The machine ${name} must be repaired by a person: ${why}.`;
        return [critical("machine-needs-repair", message, byHand(name, facts, repairs))];
    }
    const what = state === "restarting" ? "restarted" : "replaced";
    if (problem !== undefined) {
        const message = `The machine ${name} cannot be ${what}, because the cloud refuses it: ${problem.replace(/\.$/, "")}.`;
        const advice = `It is tried again within 10 minutes. If it lacks a permission: docs/repair.md#permissions. By hand: ${byHand(name, facts, repairs)}`;
        return [critical("machine-repair-refused", message, advice)];
    }
    const message = `The machine ${name} is being ${what}: ${why}.`;
    return [warning("machine-repair", message, `If it takes longer than 15 minutes: ${logs}`)];
}

/** What a person does in this cluster's cloud: first a restart, then a replacement. */
function byHand(name: string, facts: ClusterFacts, { cloud = "" }: RepairFacts): string {
    const known = cloudOf(cloud);
    if (known) {
        const recreate = "docs/scaling.md#recreate-with-the-current-configuration";
        return `${known.restartByHand(name)}. If that does not help, recreate a machine of the stack: ${recreate}`;
    }
    return `docker restart ${containerName(facts.cluster, name)}; if the machine does not exist: ${startOf(facts)}. If that does not help, replace it: docs/scaling.md#replacing-a-machine`;
}
