import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:https";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isRefused } from "../../../clients/probe";
import type { Bundle } from "../../../ignition";
import { removeDurably, writeDurably } from "../../harness/durable";
import { BootstrapProgress, parseStage } from "../bootstrap/progress";
import { assetsHash, type ReportedProgress, unpack } from "../receiver/assets";
import { hashFile, unpackedFile } from "../receiver/plan";
import { assetServer, closeServer, listen } from "../receiver/server";
import { linesFile, linesRequestedFile, pivotedFile, type ReportPlan, replacedAssetsFile } from "./plan";

/** While it listens, a starting apiserver must find the port free once it is ready, seconds after it is detected. */
const everyMilliseconds = { listening: 100, else: 1_000 };

/** Clients poll twice a second; journals are read less often. */
const freshMilliseconds = 5_000;

interface ReportOptions {
    /** @default - all of this host except loopback */
    readonly addresses?: () => string[];
    /** @default - reads them on the host */
    readonly progress?: typeof progressOf;
}

/**
 * Reports the bootstrap's progress to an administrator while there is no API: on the API's port, until the control
 * plane has pivoted.
 *
 * It accepts new assets too, since the installed ones may be why there is no API.
 */
export async function report(
    plan: ReportPlan,
    { addresses, progress = progressOf }: ReportOptions = {},
): Promise<string> {
    const onHost = (path: string) => join(plan.root, path);
    const inState = (name: string) => onHost(join(plan.state, name));
    const read = (path: string) => readFileSync(onHost(path), "utf8");
    const tls = { ca: read(plan.ca), cert: read(plan.cert), key: read(plan.key) };
    let isTaken = existsSync(inState(replacedAssetsFile));
    const take = (assets: Bundle) => {
        if (isTaken || isThere(inState(hashFile), assets)) return;
        // Removed until everything is installed: if that fails, the administrator uploads it again.
        removeDurably(inState(unpackedFile));
        removeDurably(inState(hashFile));
        rmSync(onHost(plan.manifests), { recursive: true, force: true });
        unpack(assets, plan);
        writeDurably(inState(replacedAssetsFile), "");
        isTaken = true;
    };
    let cached: { readonly at: number; readonly progress: Promise<ReportedProgress> } | undefined;
    const cachedProgress = () => {
        const now = performance.now();
        if (cached === undefined || now - cached.at > freshMilliseconds) cached = { at: now, progress: progress(plan) };
        return cached.progress;
    };
    const standIn = new StandIn(plan, () => assetServer(tls, { take, progress: cachedProgress }), addresses);
    while (!isTaken && !existsSync(inState(pivotedFile))) {
        await standIn.reconcile();
        await sleep(standIn.isListening ? everyMilliseconds.listening : everyMilliseconds.else);
    }
    await standIn.leave();
    if (isTaken) return "other assets were unpacked";
    removeDurably(onHost(plan.key));
    return "the control plane is self-hosted; there is nothing left to report";
}

function isThere(hash: string, assets: Bundle): boolean {
    return existsSync(hash) && readFileSync(hash, "utf8") === assetsHash(assets);
}

/** Must be shorter than the client's timeout. */
const patienceMilliseconds = 15_000;

/** Progress of this host's bootstrap, and the last log lines of its units and containers. */
export async function progressOf(plan: ReportPlan, patience = patienceMilliseconds): Promise<ReportedProgress> {
    return { stage: stageOf(plan), lastLines: await lastLinesOf(plan, patience) };
}

function stageOf({ root, state }: ReportPlan): string {
    const log = join(root, state, "stages.jsonl");
    const progress = new BootstrapProgress(0);
    const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean) : [];
    for (const line of lines) progress.take(parseStage(line));
    return progress.describe().replace(/^, /, "") || "its bootstrap has not begun";
}

/** The host collects them: the container has no programs for its journal. */
async function lastLinesOf({ root, state }: ReportPlan, patience: number): Promise<string> {
    const lines = join(root, state, linesFile);
    rmSync(lines, { force: true });
    writeFileSync(join(root, state, linesRequestedFile), "");
    const deadline = performance.now() + patience;
    while (!existsSync(lines)) {
        if (performance.now() > deadline) return "its host did not collect the last lines of its units";
        await sleep(100);
    }
    return readFileSync(lines, "utf8");
}

/** Consecutive checks that must find no apiserver: a restarting listener of the API must find its port free. */
const requiredChecks = 3;

/** Listens on the API's port on this host's own addresses while no apiserver exists that could need it. */
export class StandIn {
    readonly #plan: ReportPlan;
    readonly #create: () => Server;
    readonly #addresses: () => string[];
    #servers: Server[] = [];
    #missed = 0;

    /** @param addresses - @default all of IPv4 except loopback, of which apiservers use some */
    constructor(plan: ReportPlan, create: () => Server, addresses = ownAddresses) {
        this.#plan = plan;
        this.#create = create;
        this.#addresses = addresses;
    }

    get isListening(): boolean {
        return this.#servers.length > 0;
    }

    /** Starts or stops listening, depending on what runs now. */
    async reconcile(): Promise<void> {
        const { apiservers, port } = this.#plan;
        const refused = await Promise.all(apiservers.map((address) => isRefused(address, port)));
        this.#missed = refused.includes(false) ? 0 : this.#missed + 1;
        if (this.#missed === 0) await this.leave();
        if (this.#missed >= requiredChecks && !this.isListening) await this.#listen();
    }

    async leave(): Promise<void> {
        const servers = this.#servers;
        this.#servers = [];
        await Promise.all(servers.map(closeServer));
    }

    async #listen(): Promise<void> {
        for (const address of this.#addresses()) {
            const server = this.#create();
            try {
                await listen(server, this.#plan.port, address);
                this.#servers.push(server);
            } catch {
                // An apiserver may have stopped while its listener still serves.
                this.#missed = 0;
                return this.leave();
            }
        }
    }
}

function ownAddresses(): string[] {
    return Object.values(networkInterfaces()).flatMap((all = []) =>
        all.flatMap(({ family, internal, address }) => (family === "IPv4" && !internal ? [address] : [])),
    );
}
