import { readFileSync } from "node:fs";
import { invalidOption, parseCommandLine } from "../../command-line/parse";
import { clusterName } from "../../local/options";
import { readRecord } from "../../local/record";
import { type Requests, readRequests } from "../../local/requests";
import { clusterState } from "../../local/state";
import { pictureFile, renderSvg, writePicture } from "../picture/svg";
import { findCluster } from "../reach/cluster";
import { clusterRuns } from "./events";
import { layOut, overlaps } from "./layout";
import { type Waterfall, waterfallOf } from "./waterfall";

/** `tradewind timeline`: 0 when the picture is written. */
export async function run(args: readonly string[]): Promise<number> {
    const { name, events, requests: file, output, isHelp } = parseTimelineOptions(args);
    if (isHelp) {
        process.stdout.write(help);
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

interface TimelineOptions {
    /** @default that of KUBECONFIG, else the only cluster of this computer */
    readonly name?: string;
    /** What `pulumi up --event-log` wrote, of any stack, in the place of what lies beside a cluster's state. */
    readonly events?: string;
    /** A file with a prober's tallies. */
    readonly requests?: string;
    /** Where the picture goes; `-` is standard output. @default - after the cluster, here */
    readonly output?: string;
    readonly isHelp: boolean;
}

export const help = `A picture as SVG of how long what took: the boot of a cluster of this computer, and its last change by npm start or
npm run pulumi -- up, an upgrade say; each stage, each node and each resource as a bar from when to when. Of a cluster on a
cloud: one run of pulumi up, by its event log.

Usage: tradewind timeline [options]

  --name NAME            the cluster (default: that of $KUBECONFIG, else the one of this computer, or of the
                         events, if there is just one)
  --events FILE          what PULUMI_DEBUG_COMMANDS=true pulumi up --event-log FILE wrote, of a stack on a cloud
  --requests FILE        what a prober saw of the API meanwhile, to be shown underneath (default: what npm start saw)
  --output, -o FILE.svg  where it goes; - is standard output (default: <cluster>-timeline.svg)
  --help, -h

It reads what they wrote down beside the cluster's state, or the file, and asks nobody.
`;

/** Parses and checks the command line. Throws `--<option> must be <legal>, got <value>`. */
function parseTimelineOptions(args: readonly string[]): TimelineOptions {
    const string = { type: "string" } as const;
    const {
        name,
        events,
        requests,
        output,
        help = false,
    } = parseCommandLine("tradewind timeline --help", {
        args: [...args],
        options: {
            name: string,
            events: string,
            requests: string,
            output: { type: "string", short: "o" },
            help: { type: "boolean", short: "h" },
        },
    }).values;
    return {
        name: name === undefined || events !== undefined ? name : clusterName(name),
        events,
        requests,
        output: output === undefined ? undefined : pictureFile(output),
        isHelp: help,
    };
}
