import { type Cluster, possibleControllers } from "../../cluster/model";
import { resolveCluster } from "../../cluster/resolve";
import { invalidOption } from "../../command-line/parse";
import type { RecoveryRecord } from "../../components/bootstrap/bootstrap";
import { Stages } from "../../local/stages";
import type { ClusterAccess, ClusterMachines } from "../reach/cluster";
import type { Controller } from "../reach/controller";
import { isAnswer } from "../reach/ssh";
import { controllerFacts } from "./facts";
import { decideTakeOver, keepOut, requireLost, requireSnapshotFile, type Sighting, type TakeOver } from "./fence";
import { bringNewest, describeAge, snapshotTime } from "./newest";
import type { RecoverOptions } from "./options";
import { isServing, recover } from "./recover";

/** For each machine's answer. Unit: milliseconds. */
const answerMilliseconds = 15_000;

type Options = RecoverOptions & { readonly candidate: string };

/** `tradewind recover --candidate`: 0 if the candidate is the controller, with its own control plane. */
export async function takeOver(access: ClusterAccess, machines: ClusterMachines, options: Options): Promise<number> {
    const { candidate } = options;
    const stages = new Stages(3);
    const { record, cluster } = await stages.run("stack", "read the cluster's state", async () => {
        const found = await machines.record();
        const resolved = resolveCluster(found.options);
        const { candidates } = resolved.controllers;
        if (!candidates.includes(candidate)) {
            const legal = candidates.length > 0 ? `one of ${candidates.join(", ")}` : "in controllers.candidates";
            throw invalidOption("--candidate", legal, candidate);
        }
        return { record: found, cluster: resolved };
    });
    const scene = new Scene({ access, machines, cluster, record, options });
    const next = await stages.run("machines", "check that all controllers are lost", (say) => scene.check(say));
    if (next === "done") {
        console.log(`\nnothing to do: ${candidate} is a controller, and the API answers\n`);
        return 0;
    }
    await stages.run("take over", `on ${candidate}`, (say) => scene.run(next, say));
    console.log(`
${candidate} is the controller after ${stages.seconds.toFixed(1)} s; see tradewind status. Lost controllers that return become candidates.
`);
    return 0;
}

interface SceneArgs {
    readonly access: ClusterAccess;
    readonly machines: ClusterMachines;
    readonly cluster: Cluster;
    readonly record: RecoveryRecord;
    readonly options: Options;
}

class Scene {
    readonly #target: Controller;
    readonly #others: readonly string[];
    #sightings: ReadonlyMap<string, Sighting> = new Map();

    constructor(private readonly args: SceneArgs) {
        const { machines, cluster, options } = args;
        this.#target = machines.controller(options.candidate);
        this.#others = possibleControllers(cluster).filter((name) => name !== options.candidate);
    }

    /** @throws if this would start a second cluster */
    async check(say: (line: string) => void): Promise<TakeOver> {
        const { machines, cluster, options, access } = this.args;
        const confirmed = options.off?.split(",") ?? [];
        const unknown = confirmed.filter((name) => !this.#others.includes(name));
        requireSnapshotFile(options, cluster.etcdSnapshots);
        if (unknown.length > 0) throw invalidOption("--off", `some of ${this.#others.join(", ")}`, unknown.join(","));
        await machines.ready();
        const facts = await controllerFacts(this.#target, cluster.etcdSnapshots.directory);
        const next = decideTakeOver(options.candidate, facts, await isServing(access));
        if (next === "done") return next;
        const sightings = this.#others.map(async (name) => [name, await this.#observe(name)] as const);
        this.#sightings = new Map(await Promise.all(sightings));
        requireLost(this.#sightings, options.candidate, confirmed).forEach(say);
        return next;
    }

    async #observe(name: string): Promise<Sighting> {
        const { machines, cluster } = this.args;
        if (await machines.power?.isOff(name)) return { kind: "off" };
        try {
            const machine = machines.controller(name, answerMilliseconds);
            return { kind: "on", facts: await controllerFacts(machine, cluster.etcdSnapshots.directory) };
        } catch (error) {
            // Where machines' power is known, it is not off.
            const isOn = machines.power !== undefined || isAnswer(error);
            return { kind: "silent", why: (error as Error).message.trim(), ...(isOn && { isOn }) };
        }
    }

    async run(next: TakeOver, print: (line: string) => void): Promise<void> {
        const { cluster, record, machines, options } = this.args;
        const isStored = options.store || (options.snapshot === undefined && cluster.etcdSnapshots.s3 !== undefined);
        const isNewest = next === "begin" && !isStored && options.snapshot === undefined;
        const snapshot = isNewest ? await this.#newest(print) : options.snapshot;
        if (next === "begin" && snapshot !== undefined) print(`${snapshot} was ${describeAge(snapshotTime(snapshot))}`);
        await recover({
            ...{ cluster, record, controller: this.#target, hasOtherNodes: machines.hasOtherNodes, others: [] },
            ...{ from: "snapshot", isHeld: false, isPlain: options.plain, timeout: options.timeout },
            ...{ snapshot, isStored, snapshotKeys: options.snapshotKeys },
            replaces: this.#others,
            fence: async () => {
                const off = [...this.#sightings].filter(([, { kind }]) => kind === "off").map(([name]) => name);
                if (machines.power !== undefined) await keepOut(machines.power, off, options.candidate);
            },
            say: (line) => {
                print(line);
                const [, stored] = /fetched (\S+): /.exec(line) ?? [];
                if (stored !== undefined) print(`${stored} was ${describeAge(snapshotTime(stored))}`);
            },
        });
    }

    #newest(print: (line: string) => void): Promise<string> {
        const { machines, cluster } = this.args;
        const answering = [...this.#sightings].filter(([, { kind }]) => kind === "on");
        // They answer, and a copy may take longer than an answer.
        const others = answering.map(([name]) => machines.controller(name));
        return bringNewest(cluster, this.#target, others, print);
    }
}
