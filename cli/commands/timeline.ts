import { findCluster } from "../cluster-access";
import { writePicture } from "../picture/file";
import { renderSvg } from "../picture/svg";
import { clusterState } from "../state";
import { layOut, overlaps } from "../timeline/layout";
import { parseTimelineOptions, TIMELINE_HELP } from "../timeline/options";
import { readRecord } from "../timeline/record";
import { readRequests } from "../timeline/requests";
import { waterfallOf } from "../timeline/waterfall";
import { invalidOption } from "../usage-error";

export { TIMELINE_HELP as help } from "../timeline/options";

/** `tradewind timeline`: 0 when the picture is written. */
export async function run(args: readonly string[]): Promise<number> {
    const { name, requests: file, output, isHelp } = parseTimelineOptions(args);
    if (isHelp) {
        process.stdout.write(TIMELINE_HELP);
        return 0;
    }
    // Not that of KUBECONFIG: only npm start writes down how long things took.
    const cluster = findCluster({ name }, {}).name;
    const { boot, last } = readRecord(clusterState(cluster).timeline, cluster);
    const runs = [...(boot ? [boot] : []), last].map((each) => waterfallOf(each, cluster));
    const requests = file === undefined ? undefined : readRequests(file);
    if (requests && !runs.some((each) => overlaps(each, requests))) {
        const legal = `of the time of ${runs.map(({ at, seconds }) => `${at} and ${seconds.toFixed(0)} s on`).join(", or ")}`;
        throw invalidOption("--requests", legal, `${requests.from} to ${requests.to}`);
    }
    writePicture(output ?? `${cluster}-timeline.svg`, renderSvg(layOut(cluster, runs, requests)));
    return 0;
}
