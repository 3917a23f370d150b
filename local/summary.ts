import { rmSync } from "node:fs";
import { join } from "node:path";
import { Interrupted } from "../command-line/interrupt";
import { collectLogs } from "../machines";
import { defaultWorkers, machineCounts, type StackConfig } from "./stack-config";
import type { ClusterState } from "./state";
import type { Operation, Timing } from "./up-output";

interface Summary {
    readonly name: string;
    readonly config: StackConfig;
    /** The Kubernetes version before this run. @default the cluster did not answer */
    readonly before?: string;
    /** Names of nodes that wait for the CNI that users install. @default none */
    readonly withoutCni?: readonly string[];
    readonly kubeconfig: string;
    readonly kubectl: string;
    /** For a proxy that cannot reach the machines. @default the environment has no proxy */
    readonly noProxy?: string;
}

/** The state of the cluster, and next steps. */
export function whatNext({ name, config, before, withoutCni = [], kubeconfig, kubectl, noProxy }: Summary): string {
    const option = name === "local" ? "" : ` --name ${name}`;
    const { controllers, workers } = machineCounts(config);
    const version = config["tradewind:kubernetesVersion"];
    const was = before === undefined || before === version ? "" : `, ${before} before`;
    const things = `${counted(controllers, "controller")} and ${counted(workers, "worker")}`;
    const next = [
        [`npm run tradewind -- status${option}`, "show what runs where, and any problems"],
        [`npm run pulumi -- preview${option}`, "preview a change of the configuration"],
        [`npm start --${option} --workers ${defaultWorkers(config) + 1}`, "add a worker"],
        [`npm start --${option} --destroy`, "remove the cluster"],
    ];
    const width = Math.max(...next.map(([command]) => command!.length));
    const waiting =
        withoutCni.length === 0
            ? ""
            : ` Not Ready until you install a CNI (docs/cni.md#your-own): ${withoutCni.join(", ")}.`;
    return `The cluster ${name} is up: Kubernetes ${version}${was}, ${things}.${waiting} Next steps:

  export KUBECONFIG=${kubeconfig}${noProxy ? `\n  export NO_PROXY=${noProxy}` : ""}
  ${kubectl} get nodes
  ${kubectl} --namespace kube-system get pods

${next.map(([command, what]) => `  ${command!.padEnd(width)}   ${what}`).join("\n")}

Step by step: docs/tutorial-local.md
`;
}

function counted(count: number, what: string): string {
    return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** Runs work on a cluster; if it fails, saves the logs of the machines and reports where. */
export async function withLogs<T>({ name, dir }: ClusterState, work: () => Promise<T>): Promise<T> {
    try {
        return await work();
    } catch (error) {
        if (error instanceof Interrupted) {
            throw error;
        }
        const folder = join(dir, "logs");
        rmSync(folder, { recursive: true, force: true });
        // The engine itself may be the problem: the first error is more important.
        const machines = await collectLogs(name, folder).catch(() => []);
        const where = machines.length > 0 ? `\nthe logs of every machine are in ${folder}` : "";
        throw new Error(`${(error as Error).message}${where}`, { cause: error });
    }
}

/** A readable boot timeline: each stage, with its parts below. */
export function renderTimeline(stages: readonly Timing[], parts: Readonly<Record<string, readonly Timing[]>>): string {
    const rows = stages.flatMap(({ stage, seconds }) => [
        { label: stage, seconds },
        ...(parts[stage] ?? []).map((part) => ({ label: `  ${part.stage}`, seconds: part.seconds })),
    ]);
    const total = stages.reduce((sum, { seconds }) => sum + seconds, 0);
    const all = [{ label: "stage", seconds: undefined }, ...rows, { label: "total", seconds: total }];
    const width = Math.max(...all.map(({ label }) => label.length));
    return all
        .map(({ label, seconds }) => `${label.padEnd(width)}  ${(seconds?.toFixed(1) ?? "seconds").padStart(7)}`)
        .join("\n");
}

/** The slow parts of a change: rollouts of pods. */
export function rollouts(operations: readonly Operation[]): Timing[] {
    return operations
        .filter(({ kind, seconds }) => ["DaemonSet", "Deployment"].includes(kind) && seconds >= 1)
        .map(({ name, kind, seconds }) => ({ stage: `${kind} ${name.split("/").at(-1)}`, seconds }));
}
