import { existsSync } from "node:fs";
import type { Way } from "../artifacts/item";
import { programPath } from "../artifacts/programs";
import { withPrintableOutput } from "../clients/printable";
import { command } from "../command-line/command";
import { explainInterrupts } from "../command-line/interrupt";
import { writePrivate } from "../command-line/private-file";
import {
    containerName,
    ensureEngine,
    ensureImage,
    lastLines,
    list,
    type MachineOs,
    type OsLike,
    pickSubnet,
} from "../machines";
import { versions } from "../versions";
import { artifactsOf, fetchArtifacts } from "./artifacts";
import { warnOfCgroups } from "./cgroups";
import { type ChangeObservations, follow, type WatchedChange } from "./change/follow";
import { probeSummary } from "./change/probe";
import { destroy } from "./destroy";
import { directTo } from "./direct";
import { joinProblem } from "./join-problem";
import { type ClusterChoices, startOptions } from "./options";
import { installOwnPlugins } from "./own-plugins";
import { preflight } from "./preflight";
import { type ReadyNodes, requireMachines, waitUntilReady } from "./ready";
import { writeRun } from "./record";
import { askApi } from "./require-api";
import { requireConfig, requireOwnName, stackOutputs } from "./stack";
import { checkConfig, machineCounts, mergeConfig, readConfig, type StackConfig, writeConfig } from "./stack-config";
import { Stages } from "./stages";
import { type ClusterState, clusterState, createState } from "./state";
import { renderTimeline, rollouts, whatNext, withLogs } from "./summary";
import { type UpResult, up } from "./up";
import { wakeCluster } from "./wake";

/** `npm start`: creates or updates a local cluster, resumes an interrupted run, or destroys the cluster. */
export const program = command(
    {
        name: "npm start --",
        about: "Creates or updates a local self-hosted Kubernetes cluster, or resumes an interrupted run.",
        options: startOptions,
        notes: `Options that are not given keep their current values in an existing cluster. For more settings, run
  npm run pulumi -- config set ...   then   npm start

Examples:
  npm start -- --controllers 3 --workers 2     a cluster that survives the loss of a controller
  npm start -- --kubernetes ${versions.kubernetes}             upgrade it
  npm start -- --destroy                       remove it

Environment variables:
  TRADEWIND_CACHE   downloads and builds (default: ~/.cache/tradewind)
  TRADEWIND_STATE   state, kubeconfig and passphrase of each cluster (default: ~/.local/share/tradewind)`,
    },
    ({ name, destroy: isDestroy, yes, discardLocalData, offline, ...cluster }) => {
        explainInterrupts();
        return isDestroy ? destroy(name, yes) : start(name, cluster, discardLocalData, offline ? "offline" : undefined);
    },
);

export const main = (args: readonly string[]): Promise<number> => withPrintableOutput(() => program.run(args));

async function start(
    name: string,
    cluster: ClusterChoices,
    discardsData: boolean,
    asked: Way | undefined,
): Promise<number> {
    const chosen = mergeConfig(name, readConfig(clusterState(name).config), cluster);
    checkConfig(name, chosen);
    const artifacts = artifactsOf(chosen)!;
    requireOwnName(clusterState(name));
    requireConfig(clusterState(name));
    const stages = new Stages(7);
    const way = await stages.run("preflight", "check this machine", (say) =>
        preflight({ name, ...artifacts, way: asked, ...machineCounts(chosen) }, say),
    );
    const config = await stages.run("engine", "Docker", (say) => prepareEngine(name, chosen, say));
    await stages.run("artifacts", "download or build once, then cached", (say) => fetchArtifacts(artifacts, say, way));
    const state = createState(name);
    await stages.run("plugins", "install Pulumi plugins", (say) => installOwnPlugins(state, say, way));
    await stages.run("machine image", "operating system of the machines", async (say) =>
        say(await ensureImage(config["tradewind:os"] as MachineOs, config["tradewind:osLike"] as OsLike | undefined)),
    );
    writeConfig(state.config, config);
    const kubectl = programPath("kubectl", artifacts.kubernetes);
    const { changes, timings, operations, before, observed, nodes, withoutCni } = await withLogs(state, async () => {
        const result = await stages.run("pulumi up", "network, machines, cluster", (say) =>
            change(state, discardsData, say),
        );
        const hasOwnCni = config["tradewind:cni"] === "none";
        const what = hasOwnCni ? "wait for every node and for pods that need no CNI" : "wait for every node and pod";
        const { times, withoutCni } = await stages.run("ready", what, (say) => finish(state, hasOwnCni, say));
        return { ...result, nodes: times, withoutCni };
    });
    const parts = { "pulumi up": [...timings] };
    console.log(`\n${renderTimeline(stages.timings, { "pulumi up": [...timings, ...rollouts(operations)] })}\n`);
    if (changes === 0) {
        console.log("no changes: the cluster is up to date\n");
    } else {
        const done = { stages: stages.timings, parts, operations: [...operations], nodes };
        writeRun(state.timeline, { ...done, ...observed });
    }
    const { NO_PROXY: noProxy } = directTo(process.env, config["tradewind:machineCidr"] as string);
    console.log(whatNext({ name, config, before, withoutCni, kubeconfig: state.kubeconfig, kubectl, noProxy }));
    return 0;
}

interface Change extends Pick<UpResult, "changes" | "timings" | "operations"> {
    /** The Kubernetes version before the change. @default the cluster did not answer */
    readonly before?: string;
    /** Observations of nodes and API during the change. @default the cluster did not answer before */
    readonly observed?: ChangeObservations;
}

/** `pulumi up`; for an existing cluster also watches its nodes and API, even if it fails. */
async function change(state: ClusterState, discardsData: boolean, say: (line: string) => void): Promise<Change> {
    const followed: WatchedChange | undefined = await follow(state.kubeconfig, say);
    try {
        const { changes, timings, operations } = await up(state, say, discardsData);
        const observed = await followed?.stop();
        if (observed?.requests && changes > 0) say(probeSummary(observed.requests));
        return { changes, timings, operations, before: followed?.before, ...(observed && { observed }) };
    } catch (error) {
        const observed = await followed?.stop();
        if (observed?.requests) say(probeSummary(observed.requests));
        throw error;
    }
}

/** A control plane takes up to a minute to restart after a power cut, longer on a busy machine. */
const wakeSeconds = 180;

/** Makes sure that the engine and stopped machines are running, and that the cluster has a permanent subnet. */
async function prepareEngine(name: string, config: StackConfig, say: (line: string) => void): Promise<StackConfig> {
    const { version, isOurs } = await ensureEngine();
    say(`Docker engine ${version}${isOurs ? ", started by npm start" : ""}`);
    await warnOfCgroups(say);
    const { kubeconfig } = clusterState(name);
    if ((await wakeCluster(name, say)) && existsSync(kubeconfig)) {
        say(`waiting up to ${wakeSeconds} s for the API, because machines were off`);
        const why = await askApi(kubeconfig, { seconds: wakeSeconds });
        if (why !== undefined) say(`the API does not answer: ${why}`);
    }
    const avoid = [config["tradewind:podCidr"], config["tradewind:serviceCidr"]] as string[];
    const machineCidr = config["tradewind:machineCidr"] ?? (await pickSubnet(name, avoid));
    say(`machine network: ${machineCidr}`);
    return { ...config, "tradewind:machineCidr": machineCidr };
}

async function finish(state: ClusterState, hasOwnCni: boolean, say: (line: string) => void): Promise<ReadyNodes> {
    const { kubeconfig, nodes } = await stackOutputs(state);
    writePrivate(state.kubeconfig, kubeconfig as string);
    const machines = (await list(state.name)).map(({ name }) => name);
    requireMachines(state.name, nodes as string[], machines);
    const lastLinesOf = async (node: string) => {
        const lines = [await joinProblem(state.name, node), await lastLines(containerName(state.name, node))];
        return lines.filter(Boolean).join("\n");
    };
    return waitUntilReady({ kubeconfig: state.kubeconfig, lastLinesOf, hasOwnCni }, nodes as string[], say);
}
