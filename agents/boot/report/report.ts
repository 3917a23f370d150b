import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:https";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isRefused } from "../../../clients/probe";
import type { Bundle } from "../../../ignition";
import { removeDurably, writeDurably } from "../../harness/durable";
import { parseStage, Standing } from "../bootstrap/progress";
import { assetsHash, type ToldStanding, unpack } from "../receiver/assets";
import { hashFile, unpackedFile } from "../receiver/plan";
import { assetServer, closeServer, listen } from "../receiver/server";
import { linesFile, linesWantedFile, pivotedFile, type ReportPlan, takenAnewFile } from "./plan";

/** While it listens, an apiserver that starts must find the port free when it is ready: seconds after it can be seen. */
const everyMilliseconds = { listening: 100, else: 1_000 };

/** Who asks does so twice a second, and journals are not read for nothing. */
const freshMilliseconds = 5_000;

interface ReportOptions {
    /** @default - all of this host but those of the loopback */
    readonly addresses?: () => string[];
    /** @default - by the host's own programs */
    readonly standing?: typeof standingOf;
}

/**
 * Tells an administrator how far the bootstrap is, as long as no API can: at its port, until the control plane pivoted.
 *
 * It takes other assets too, since those that are here may be why there is no API.
 */
export async function report(
    plan: ReportPlan,
    { addresses, standing = standingOf }: ReportOptions = {},
): Promise<string> {
    const onHost = (path: string) => join(plan.root, path);
    const inState = (name: string) => onHost(join(plan.state, name));
    const read = (path: string) => readFileSync(onHost(path), "utf8");
    const tls = { ca: read(plan.ca), cert: read(plan.cert), key: read(plan.key) };
    let isTaken = existsSync(inState(takenAnewFile));
    const take = (assets: Bundle) => {
        if (isTaken || isThere(inState(hashFile), assets)) return;
        // Until all of it is there, nothing is: whoever brings it comes again.
        removeDurably(inState(unpackedFile));
        removeDurably(inState(hashFile));
        rmSync(onHost(plan.manifests), { recursive: true, force: true });
        unpack(assets, plan);
        writeDurably(inState(takenAnewFile), "");
        isTaken = true;
    };
    let told: { readonly at: number; readonly standing: Promise<ToldStanding> } | undefined;
    const toldStanding = () => {
        const now = performance.now();
        if (told === undefined || now - told.at > freshMilliseconds) told = { at: now, standing: standing(plan) };
        return told.standing;
    };
    const standIn = new StandIn(plan, () => assetServer(tls, { take, standing: toldStanding }), addresses);
    while (!isTaken && !existsSync(inState(pivotedFile))) {
        await standIn.look();
        await sleep(standIn.isListening ? everyMilliseconds.listening : everyMilliseconds.else);
    }
    await standIn.leave();
    if (isTaken) return "other assets are unpacked";
    removeDurably(onHost(plan.key));
    return "the control plane is self-hosted: nobody needs to be told";
}

function isThere(hash: string, assets: Bundle): boolean {
    return existsSync(hash) && readFileSync(hash, "utf8") === assetsHash(assets);
}

/** Within who asks has patience. */
const patienceMilliseconds = 15_000;

/** How far the bootstrap of this host is, and what its units and containers said last. */
export async function standingOf(plan: ReportPlan, patience = patienceMilliseconds): Promise<ToldStanding> {
    return { stage: stageOf(plan), lastLines: await lastLinesOf(plan, patience) };
}

function stageOf({ root, state }: ReportPlan): string {
    const log = join(root, state, "stages.jsonl");
    const standing = new Standing(0);
    const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean) : [];
    for (const line of lines) standing.take(parseStage(line));
    return standing.describe().replace(/^, /, "") || "its bootstrap has not begun";
}

/** The host is asked for them: there are no programs for its journal here. */
async function lastLinesOf({ root, state }: ReportPlan, patience: number): Promise<string> {
    const lines = join(root, state, linesFile);
    rmSync(lines, { force: true });
    writeFileSync(join(root, state, linesWantedFile), "");
    const deadline = performance.now() + patience;
    while (!existsSync(lines)) {
        if (performance.now() > deadline) return "its host does not tell the last lines of its units";
        await sleep(100);
    }
    return readFileSync(lines, "utf8");
}

/** Looks in a row that must find no apiserver: a listener of the API that starts again must find its port free. */
const looks = 3;

/** A listener at the API's port of this host's own addresses, as long as no apiserver is there that could need it. */
export class StandIn {
    readonly #plan: ReportPlan;
    readonly #create: () => Server;
    readonly #addresses: () => string[];
    #servers: Server[] = [];
    #missed = 0;

    /** @param addresses - @default all of IPv4 but those of the loopback, of which apiservers take some */
    constructor(plan: ReportPlan, create: () => Server, addresses = ownAddresses) {
        this.#plan = plan;
        this.#create = create;
        this.#addresses = addresses;
    }

    get isListening(): boolean {
        return this.#servers.length > 0;
    }

    /** Listens or leaves, by what is there now. */
    async look(): Promise<void> {
        const { apiservers, port } = this.#plan;
        const refused = await Promise.all(apiservers.map((address) => isRefused(address, port)));
        this.#missed = refused.includes(false) ? 0 : this.#missed + 1;
        if (this.#missed === 0) await this.leave();
        if (this.#missed >= looks && !this.isListening) await this.#listen();
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
                // Somebody serves there: a listener of the API outlives its apiserver.
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
