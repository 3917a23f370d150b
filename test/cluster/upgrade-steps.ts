import type { Run } from "../../cli/timeline/record";
import type { Tallies } from "./prober";

type Operations = Pick<Run, "operations">;

/** What rolled pods in an `up`, by its name, in the order in which it ended. */
export function rolledOut({ operations }: Operations): Run["operations"] {
    return operations
        .filter(({ kind, verb }) => ["DaemonSet", "Deployment"].includes(kind) && verb === "updated")
        .map(({ name, ...each }) => ({ ...each, name: name.slice(name.lastIndexOf("/") + 1) }));
}

/** For people: how long each took, and which requests failed meanwhile. The engine's clock tells whole seconds. */
export function describeSteps(run: Operations, tallies: Tallies): string[] {
    const failures = Object.entries(tallies).flatMap(([kind, each]) =>
        each.failures.map(({ at, what }) => ({ at: Date.parse(at), text: `${kind}: ${what}` })),
    );
    return rolledOut(run).map(({ name, at, seconds }) => {
        const begin = Date.parse(at);
        const during = failures.filter((each) => each.at >= begin && each.at < begin + 1000 * (seconds + 1));
        const some = during.slice(0, 5).map(({ text }) => text);
        return [`${name}: ${seconds} s, ${during.length} failed`, ...some].join("; ");
    });
}
