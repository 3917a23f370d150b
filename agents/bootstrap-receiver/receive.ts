import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bundle } from "../../ignition";
import { writeDurably } from "../common/durable";
import { closeServer, listen } from "./listen";
import { hasCluster } from "./look";
import { type ReceiverPlan, settledFile, unpackedFile } from "./plan";
import { assetServer } from "./server";
import { unpack } from "./unpack";

const lookMilliseconds = 3_000;

/**
 * Takes the bootstrap's assets from who may bring them, and says what came of it.
 *
 * A machine whose cluster is there gets none: it joins that one. Whether it is there is asked again and again, since
 * it may have been away for a moment only.
 */
export async function receive(plan: ReceiverPlan): Promise<string> {
    const onHost = (path: string) => join(plan.root, path);
    const read = (path: string) => readFileSync(onHost(path), "utf8");
    if (existsSync(onHost(join(plan.state, unpackedFile)))) {
        return "the assets were unpacked already";
    }
    const tls = { ca: read(plan.ca), cert: read(plan.cert), key: read(plan.key) };
    if (await hasCluster(plan.apiServer, tls.ca)) {
        return leaveIt(onHost(plan.state));
    }
    let isUnpacked = false;
    let wake: () => void = () => undefined;
    const unpacked = new Promise<void>((resolve) => {
        wake = resolve;
    });
    const take = (assets: Bundle) => {
        if (!isUnpacked) {
            unpack(assets, plan);
        }
        isUnpacked = true;
        wake();
    };
    const server = assetServer(tls, { take });
    await listen(server, plan.port, "0.0.0.0");
    console.log("waiting for the assets of the bootstrap");
    for (let isJoined = false; !isUnpacked && !isJoined; ) {
        await Promise.race([sleep(lookMilliseconds), unpacked]);
        isJoined = !isUnpacked && (await hasCluster(plan.apiServer, tls.ca));
    }
    await closeServer(server);
    return isUnpacked ? "the assets are unpacked" : leaveIt(onHost(plan.state));
}

/** From now on this machine takes no assets, be the API away: its own apiserver needs the port. */
function leaveIt(state: string): string {
    mkdirSync(state, { recursive: true, mode: 0o700 });
    writeDurably(join(state, settledFile), "");
    return "the cluster is there: this machine joins it";
}
