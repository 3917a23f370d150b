import { performance } from "node:perf_hooks";
import { readPivotRecord } from "../bootstrap/pivot-record";
import { assetsPath, standingPath, type ToldStanding } from "../bootstrap-receiver/assets";
import { ApiClient } from "../common/api-client";
import { describeError, isNotFound } from "../common/api-error";
import { waitFor } from "../common/wait";
import type { Delivery } from "./delivery";
import { progress } from "./progress";
import { type Reached, whereItStands } from "./where-it-stands";

/** After this time without an API the machine's last lines are shown, and not at the end alone: it may be in vain. */
const slowMilliseconds = 180_000;

/**
 * Brings the first controller what starts a cluster, and waits until the cluster says that it pivoted.
 *
 * Through the API's load balancer or from the controller itself, where at first the receiver answers and then the API, told
 * apart by the names on their certificates; in between, as long as it does not come, who tells how far things are. Nothing here
 * is remembered: whoever was stopped asks again who is there, and the same assets are taken once.
 */
export async function send(delivery: Delivery, print: (line: string) => void, slow = slowMilliseconds): Promise<void> {
    const { server, apiName, node, receiver, ca, cert, key, assets, timeoutSeconds } = delivery;
    let reached: Reached = { who: "nobody" };
    let broughtAt = Number.POSITIVE_INFINITY;
    const api = new ApiClient(server, () => ({ ca, cert, key, ...(apiName && { servername: apiName }) }));
    const receiving = new ApiClient(server, () => ({ ca, cert, key, servername: receiver }));
    let last = "";
    const tell = (line: string) => {
        if (line !== last) print(line);
        last = line;
    };
    const bring = async () => {
        await receiving.call(assetsPath, { method: "POST", body: assets, isFresh: true, timeoutMilliseconds: 60_000 });
        reached = { who: "receiver" };
        broughtAt = performance.now();
        return "the first controller has what starts the cluster";
    };
    const ask = async () => {
        const told = await receiving.call<ToldStanding>(standingPath, { isFresh: true, timeoutMilliseconds: 20_000 });
        reached = { who: "receiver", told };
        if (performance.now() - broughtAt < slow) return `${node}: ${told.stage}`;
        broughtAt = Number.POSITIVE_INFINITY;
        return `${node}: ${told.stage}\n${told.lastLines.trimEnd()}`;
    };
    let isBrought = false;
    const askReceiver = async () => {
        try {
            const line = isBrought ? await ask() : await bring();
            isBrought = true;
            return line;
        } catch (error) {
            // Another machine is there, which waits for assets.
            if (isNotFound(error)) isBrought = false;
            throw error;
        }
    };
    const patience = { deadline: performance.now() + timeoutSeconds * 1000, report: print };
    const look = async () => {
        try {
            const record = await readPivotRecord(api);
            if (record !== undefined) {
                tell(`pivoted at ${record.pivotedAt}: ${durations(record.durations)}`);
                return undefined;
            }
            const line = await progress(api);
            reached = { who: "API" };
            tell(line);
            return line;
        } catch (error) {
            const noApi = describeError(error);
            const result = await askReceiver().catch(
                (refusal) => `no API (${noApi}), no receiver (${describeError(refusal)})`,
            );
            if (!result.startsWith("no API")) tell(result);
            return result;
        }
    };
    try {
        await waitFor(patience, "the control plane to run in the cluster", look, { everyMilliseconds: 500 });
    } catch (error) {
        throw new Error(`${describeError(error)}\n${await whereItStands(api, node, reached, delivery.console)}`);
    }
}

/** Seconds by step, the quick ones left out. */
function durations(json = "{}"): string {
    return Object.entries(JSON.parse(json) as Record<string, number>)
        .filter(([, seconds]) => seconds >= 0.1)
        .map(([step, seconds]) => `${step} ${seconds.toFixed(1)}s`)
        .join(", ");
}
