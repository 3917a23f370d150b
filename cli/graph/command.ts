import { command } from "../../command-line/command";
import { pictureOption, renderSvg, writePicture } from "../picture/svg";
import { clusterOptions, type ReachedCluster, reachCluster } from "../reach/cluster";
import { collect } from "../status/collect";
import { type Fact, known, unknown } from "../status/facts";
import { judge } from "../status/judge";
import { layOut } from "./layout";
import { type StackFacts, stackFactsIn } from "./stack-facts";
import { topologyOf } from "./topology-of";

/** `tradewind graph`: 0 if the picture was written, whatever it shows. */
export const program = command(
    {
        name: "tradewind graph",
        about: "Draws a cluster as SVG: its network, load balancer and nodes, and where each control plane pod runs from. Works while the API is down, with whatever can still be collected.",
        options: { output: pictureOption("<cluster>-graph.svg"), ...clusterOptions },
        notes: "Read-only. tradewind status shows the same information as text.",
    },
    async ({ output, ...choice }) => {
        const reached = await reachCluster(choice);
        const [facts, stack] = await Promise.all([collect(reached), stackOf(reached)]);
        const topology = topologyOf(facts, judge(facts), stack);
        writePicture(output ?? `${topology.cluster}-graph.svg`, renderSvg(layOut(topology)));
        return 0;
    },
);

/** Facts from the cluster's stack, if it is known. */
async function stackOf({ access, state }: ReachedCluster): Promise<Fact<StackFacts> | undefined> {
    if (state === undefined) {
        return undefined;
    }
    try {
        return known(stackFactsIn(await state(), access.name));
    } catch (error) {
        return unknown((error as Error).message.trim().split("\n")[0]!);
    }
}
