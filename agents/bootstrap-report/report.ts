import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bundle } from "../../ignition";
import { assetsHash, type ToldStanding } from "../bootstrap-receiver/assets";
import { hashFile, unpackedFile } from "../bootstrap-receiver/plan";
import { assetServer } from "../bootstrap-receiver/server";
import { unpack } from "../bootstrap-receiver/unpack";
import { removeDurably, writeDurably } from "../common/durable";
import { pivotedFile, type ReportPlan, takenAnewFile } from "./plan";
import { StandIn } from "./stand-in";
import { standingOf } from "./standing";

/** While it listens, an apiserver that starts must find the port free when it is ready: seconds after it can be seen. */
const everyMilliseconds = { listening: 100, else: 1_000 };

/** Who asks does so twice a second, and journals are not read for nothing. */
const freshMilliseconds = 5_000;

export interface ReportOptions {
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
