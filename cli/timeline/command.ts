import { readFileSync } from "node:fs";
import { command } from "../../command-line/command";
import { invalidOption, type Values, value } from "../../command-line/parse";
import { readRecord } from "../../local/record";
import { type Requests, readRequests } from "../../local/requests";
import { clusterState } from "../../local/state";
import { pictureOption, renderSvg, writePicture } from "../picture/svg";
import { findCluster } from "../reach/cluster";
import { clusterRuns } from "./events";
import { layOut, overlaps } from "./layout";
import { type Waterfall, waterfallOf } from "./waterfall";

const options = {
    name: value("NAME", "the cluster", undefined, {
        otherwise: "the cluster of $KUBECONFIG, otherwise the only local cluster, or the only one in the events",
    }),
    events: value("FILE", "output of PULUMI_DEBUG_COMMANDS=true pulumi up --event-log FILE, for a cloud cluster"),
    requests: value("FILE", "requests of an API prober during the run, drawn below", undefined, {
        otherwise: "those of npm start",
    }),
    output: pictureOption("<cluster>-timeline.svg"),
};

export const program = command(
    {
        name: "tradewind timeline",
        about: "Draws how long things took as SVG: the boot of a local cluster and its last change by npm start or npm run pulumi -- up, such as an upgrade, with a bar for each stage, node and resource. For a cloud cluster: one pulumi up, from its event log.",
        options,
        notes: "Reads only the files recorded with the cluster's state, or the given ones; makes no network requests.",
    },
    draw,
);

/** `tradewind timeline`: 0 if the picture was written. */
function draw({ name, events, requests: file, output }: Values<typeof options>): number {
    const { cluster, runs, counted } = events === undefined ? ofLocal(name) : ofEvents(events, name);
    const requests = file === undefined ? counted : readRequests(file);
    if (file !== undefined && requests && !runs.some((each) => overlaps(each, requests))) {
        const legal = `recorded during ${runs.map(({ at, seconds }) => `the ${seconds.toFixed(0)} s from ${at}`).join(", or ")}`;
        throw invalidOption("--requests", legal, `${requests.from} to ${requests.to}`);
    }
    writePicture(output ?? `${cluster}-timeline.svg`, renderSvg(layOut(cluster, runs, requests)));
    return 0;
}

interface Drawn {
    readonly cluster: string;
    readonly runs: readonly Waterfall[];
    /** The API requests that npm start recorded. */
    readonly counted?: Requests;
}

/** Timings are only recorded for local clusters, with their state. */
function ofLocal(name: string | undefined): Drawn {
    const cluster = name ?? ofKubeconfig() ?? findCluster({}, {}).name;
    const { boot, last } = readRecord(clusterState(findCluster({ name: cluster }).name).timeline, cluster);
    const runs = [...(boot ? [boot] : []), last].map((each) => waterfallOf(each, cluster));
    return { cluster, runs, counted: last.requests };
}

/** The local cluster that KUBECONFIG refers to, if any. */
function ofKubeconfig(): string | undefined {
    try {
        return findCluster({}).local;
    } catch {
        // The file is missing, or belongs to an unrelated cluster.
        return undefined;
    }
}

/** One run that changed one of the program's clusters. */
function ofEvents(file: string, name: string | undefined): Drawn {
    const all = clusterRuns(read(file));
    if (all.length === 0) throw invalidOption("--events", "the log of an up that changed a cluster", file);
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
        throw invalidOption("--events", "a readable file", `${file}: ${(error as Error).message}`);
    }
}
