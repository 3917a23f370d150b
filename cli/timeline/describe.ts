import type { Requests } from "./requests";
import type { Waterfall } from "./waterfall";

/** The picture in sentences, for those who do not see it. */
export function describe(runs: readonly Waterfall[], requests?: Requests): string {
    const ofRuns = runs.flatMap(({ name, at, seconds, changes, groups }) => [
        `${name} at ${at}: ${seconds.toFixed(1)} s${changes && `, ${changes}`}`,
        ...groups.map(
            (group) => `${group.name}: ${group.rows.map(({ label, words }) => `${label} ${words}`).join("; ")}`,
        ),
    ]);
    const ofClients = Object.entries(requests?.clients ?? {}).map(
        ([kind, { requests: count, failures }]) => `Requests of ${kind}: ${count}, ${failures.length} failed`,
    );
    return [...ofRuns, ...ofClients].map((sentence) => `${sentence}.`).join("\n");
}
