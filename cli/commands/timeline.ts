import { readFileSync } from "node:fs";
import { findCluster } from "../cluster-access";
import { writePicture } from "../picture/file";
import { renderSvg } from "../picture/svg";
import { clusterState } from "../state";
import { clusterRuns } from "../timeline/events";
import { layOut, overlaps } from "../timeline/layout";
import { parseTimelineOptions, TIMELINE_HELP } from "../timeline/options";
import { readRecord } from "../timeline/record";
import { type Requests, readRequests } from "../timeline/requests";
import { type Waterfall, waterfallOf } from "../timeline/waterfall";
import { invalidOption } from "../usage-error";

export { TIMELINE_HELP as help } from "../timeline/options";

/** `tradewind timeline`: 0 when the picture is written. */
export async function run(args: readonly string[]): Promise<number> {
    const { name, events, requests: file, output, isHelp } = parseTimelineOptions(args);
    if (isHelp) {
        process.stdout.write(TIMELINE_HELP);
        return 0;
    }
    const { cluster, runs, counted } = events === undefined ? ofComputer(name) : ofEvents(events, name);
    const requests = file === undefined ? counted : readRequests(file);
    if (file !== undefined && requests && !runs.some((each) => overlaps(each, requests))) {
        const legal = `of the time of ${runs.map(({ at, seconds }) => `${at} and ${seconds.toFixed(0)} s on`).join(", or ")}`;
        throw invalidOption("--requests", legal, `${requests.from} to ${requests.to}`);
    }
    writePicture(output ?? `${cluster}-timeline.svg`, renderSvg(layOut(cluster, runs, requests)));
    return 0;
}

interface Drawn {
    readonly cluster: string;
    readonly runs: readonly Waterfall[];
    /** What npm start itself saw of the API. */
    readonly counted?: Requests;
}

/** Beside the state of a cluster of this computer alone lies how long things took. */
function ofComputer(name: string | undefined): Drawn {
    const cluster = name ?? ofKubeconfig() ?? findCluster({}, {}).name;
    const { boot, last } = readRecord(clusterState(findCluster({ name: cluster }).name).timeline, cluster);
    const runs = [...(boot ? [boot] : []), last].map((each) => waterfallOf(each, cluster));
    return { cluster, runs, counted: last.requests };
}

/** The cluster of this computer that KUBECONFIG names, if it is one. */
function ofKubeconfig(): string | undefined {
    try {
        return findCluster({}).local;
    } catch {
        // A file that is gone, or another cluster's that this command need not know.
        return undefined;
    }
}

/** One run, of one of the program's clusters. */
function ofEvents(file: string, name: string | undefined): Drawn {
    const all = clusterRuns(read(file));
    if (all.length === 0) throw invalidOption("--events", "a log of an up that changed a cluster", file);
    const [found, ...others] = all.filter(({ cluster }) => name === undefined || cluster === name);
    if (found === undefined || others.length > 0) {
        throw invalidOption("--name", `one of ${all.map(({ cluster }) => cluster).join(", ")}`, name ?? "nothing");
    }
    const { cluster, run, isBoot } = found;
    return { cluster, runs: [{ ...waterfallOf(run, cluster), name: isBoot ? "Boot" : "Change" }] };
}

function read(file: string): string {
    try {
        return readFileSync(file, "utf8");
    } catch (error) {
        throw invalidOption("--events", "a file that can be read", `${file}: ${(error as Error).message}`);
    }
}
