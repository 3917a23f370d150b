import { resolveCluster } from "../../../cluster/resolve";
import { askMachine, type Listed, listMachines } from "../../../machines";
import type { ClusterMachines } from "../../reach/cluster";
import { type EtcdFacts, type Fact, known, type MachineFacts, type MachineInside, unknown } from "../facts";
import { etcdFromReports } from "./etcd";
import { type MachineReport, parseReport, reportScript } from "./machine-report";

/** Timeout in milliseconds for the Docker engine and for a machine. */
const MACHINE_MS = 4_000;

export interface Machines {
    readonly machines: Fact<readonly MachineFacts[]>;
    /** By name. */
    readonly reports: ReadonlyMap<string, MachineReport>;
    /** As reported by its members, queried on the machines. */
    readonly etcd: Fact<EtcdFacts>;
}

/**
 * Queries the machines of a local cluster, without the API. Does not start the Docker engine.
 *
 * @param onListed - called as soon as the machines are known
 */
export async function askMachines(cluster: string, onListed: (machines: readonly Listed[]) => void): Promise<Machines> {
    let listed: Listed[];
    try {
        listed = await inTime(listMachines(cluster, MACHINE_MS));
    } catch (error) {
        const why = `the Docker engine does not answer (${firstLine(error)})`;
        return { machines: unknown(why), reports: new Map(), etcd: unknown(why) };
    }
    onListed(listed);
    const asked = await Promise.all(
        listed.map(async ({ name, address, state }) => {
            const report =
                state === "running" ? await readReport(cluster, name) : unknown<MachineReport>(`it is ${state}`);
            return { name, address, state, report };
        }),
    );
    return factsOf(asked);
}

/**
 * Queries the controllers of a cloud over SSH: the stack's, and the candidates that were controllers when the API last
 * answered.
 *
 * @param onListed - called as soon as the controllers are known
 */
export async function askControllers(
    cloud: ClusterMachines,
    lastSeen: readonly Pick<Listed, "name">[],
    onListed: (machines: readonly Pick<Listed, "name" | "address">[]) => void,
): Promise<Machines> {
    const { options, machines: addresses } = await cloud.record();
    const { names, candidates } = resolveCluster(options).controllers;
    const promoted = candidates.filter((candidate) => lastSeen.some(({ name }) => name === candidate));
    const listed = [...names, ...promoted].map((name) => ({ name, address: addresses[name] ?? "" }));
    onListed(listed.filter(({ address }) => address !== ""));
    const asked = await Promise.all(
        listed.map(async ({ name, address }) => {
            try {
                const text = await cloud.controller(name, MACHINE_MS).run(reportScript);
                return { name, address, state: "running", report: known(parseReport(text)) };
            } catch (error) {
                return { name, address, state: "unreached", report: unknown<MachineReport>(firstLine(error)) };
            }
        }),
    );
    return factsOf(asked);
}

interface Asked {
    readonly name: string;
    readonly address: string;
    readonly state: string;
    readonly report: Fact<MachineReport>;
}

function factsOf(asked: readonly Asked[]): Machines {
    const reports = new Map(asked.flatMap(({ name, report }) => ("value" in report ? [[name, report.value]] : [])));
    const machines = asked.map(({ report, ...machine }): MachineFacts => ({ ...machine, inside: insideOf(report) }));
    return { machines: known(machines), reports, etcd: etcdFromReports(reports) };
}

async function readReport(cluster: string, name: string): Promise<Fact<MachineReport>> {
    try {
        return known(parseReport(await askMachine(cluster, name, ["sh", "-c", reportScript], MACHINE_MS)));
    } catch (error) {
        return unknown(firstLine(error));
    }
}

function insideOf(report: Fact<MachineReport>): Fact<MachineInside> {
    if ("unknown" in report) {
        return report;
    }
    const { kubelet, containerd, checkpointer, saved, lastWords, strayManifests, damaged, certificates } = report.value;
    return known({
        ...{ kubelet, containerd, checkpointer, saved },
        ...(Object.keys(lastWords).length > 0 && { lastWords }),
        ...(damaged.length > 0 && { damaged }),
        ...(!("kubelet client" in certificates) && { hasCertificate: false }),
        ...(strayManifests.length > 0 && { strayManifests }),
    });
}

function inTime<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout;
    const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error("no answer in time")), MACHINE_MS);
    });
    return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function firstLine(error: unknown): string {
    return (error as Error).message.trim().split("\n")[0]!;
}
