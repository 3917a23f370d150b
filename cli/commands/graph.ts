import { layOut } from "../graph/layout";
import { GRAPH_HELP, parseGraphOptions } from "../graph/options";
import { type StackFacts, stackFactsIn } from "../graph/stack-facts";
import { topologyOf } from "../graph/topology-of";
import { writePicture } from "../picture/file";
import { renderSvg } from "../picture/svg";
import { type ReachedCluster, reachCluster } from "../reach-cluster";
import { collect } from "../status/collect";
import { type Fact, known, unknown } from "../status/fact";
import { judge } from "../status/judge";

export { GRAPH_HELP as help } from "../graph/options";

/** `tradewind graph`: 0 when the picture is written, whatever it shows. */
export async function run(args: readonly string[]): Promise<number> {
    const options = parseGraphOptions(args);
    if (options.isHelp) {
        process.stdout.write(GRAPH_HELP);
        return 0;
    }
    const reached = await reachCluster(options);
    const { access: cluster, machines } = reached;
    const cloud = cluster.local === undefined ? machines : undefined;
    const [facts, stack] = await Promise.all([collect({ cluster, cloud, controllers: [] }), stackOf(reached)]);
    const topology = topologyOf(facts, judge(facts), stack);
    writePicture(options.output ?? `${topology.cluster}-graph.svg`, renderSvg(layOut(topology)));
    return 0;
}

/** What its stack tells, if it has one that is known here. */
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
