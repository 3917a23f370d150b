import { performance } from "node:perf_hooks";
import { readPivotRecord } from "../bootstrap/pivot-record";
import { assetsPath } from "../bootstrap-receiver/assets";
import { ApiClient } from "../common/api-client";
import { describeError } from "../common/api-error";
import { waitFor } from "../common/wait";
import type { Delivery } from "./delivery";
import { progress } from "./progress";
import { type Reached, whereItStands } from "./where-it-stands";

/**
 * Brings the first controller what starts a cluster, and waits until the cluster says that it pivoted.
 *
 * Through the API's load balancer or from the controller itself, where at first the receiver answers and then the API, told
 * apart by the names on their certificates. Nothing here is remembered: whoever was stopped asks again who is there, and the receiver takes
 * assets once.
 */
export async function send(delivery: Delivery, print: (line: string) => void): Promise<void> {
    const { server, apiName, node, receiver, ca, cert, key, assets, timeoutSeconds } = delivery;
    let reached: Reached = "nobody";
    const api = new ApiClient(server, () => ({ ca, cert, key, ...(apiName && { servername: apiName }) }));
    const brought = new ApiClient(server, () => ({ ca, cert, key, servername: receiver }));
    let last = "";
    const tell = (line: string) => {
        if (line !== last) print(line);
        last = line;
    };
    const bring = async () => {
        await brought.call(assetsPath, { method: "POST", body: assets, isFresh: true, timeoutMilliseconds: 60_000 });
        reached = "receiver";
        return "the first controller has what starts the cluster";
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
            reached = "API";
            tell(line);
            return line;
        } catch (error) {
            const noApi = describeError(error);
            const result = await bring().catch(
                (refusal) => `no API (${noApi}), no receiver (${describeError(refusal)})`,
            );
            if (!result.startsWith("no API")) tell(result);
            return result;
        }
    };
    try {
        await waitFor(patience, "the control plane to run in the cluster", look, { everyMilliseconds: 500 });
    } catch (error) {
        throw new Error(`${describeError(error)}\n${await whereItStands(api, node, reached)}`);
    }
}

/** Seconds by step, the quick ones left out. */
function durations(json = "{}"): string {
    return Object.entries(JSON.parse(json) as Record<string, number>)
        .filter(([, seconds]) => seconds >= 0.1)
        .map(([step, seconds]) => `${step} ${seconds.toFixed(1)}s`)
        .join(", ");
}
