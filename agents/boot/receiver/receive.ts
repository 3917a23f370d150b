import { lookup } from "node:dns/promises";
import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiClient } from "../../../clients/kubernetes/api-client";
import { ApiError } from "../../../clients/kubernetes/api-error";
import type { Bundle } from "../../../ignition";
import { writeDurably } from "../../harness/durable";
import { preflightFile, preflightProgram, readFindings } from "../preflight";
import { unpack } from "./assets";
import { type ReceiverPlan, settledFile, unpackedFile } from "./plan";
import { assetServer, closeServer, listen } from "./server";

const pollMilliseconds = 3_000;

/**
 * Accepts the bootstrap's assets from an administrator, and returns the outcome.
 *
 * A machine whose cluster exists accepts none, since it joins that cluster. The check is repeated, since the cluster
 * may have been unreachable for a moment only.
 */
export async function receive(plan: ReceiverPlan): Promise<string> {
    const onHost = (path: string) => join(plan.root, path);
    const read = (path: string) => readFileSync(onHost(path), "utf8");
    // Empty, as after a power cut, it names no unit to start.
    if ((statSync(onHost(join(plan.state, unpackedFile)), { throwIfNoEntry: false })?.size ?? 0) > 0) {
        return "the assets were already unpacked";
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
    const findings = () => readFindings(readIfExists(onHost(preflightFile)));
    if (existsSync(onHost(preflightProgram))) await preflightEnd(onHost(preflightFile));
    const server = assetServer(tls, { take, findings });
    await listen(server, plan.port, "0.0.0.0");
    console.log("waiting for the assets of the bootstrap");
    for (let isJoined = false; !isUnpacked && !isJoined; ) {
        await Promise.race([sleep(pollMilliseconds), unpacked]);
        isJoined = !isUnpacked && (await hasCluster(plan.apiServer, tls.ca));
    }
    await closeServer(server);
    return isUnpacked ? "the assets are unpacked" : leaveIt(onHost(plan.state));
}

/** Seconds for a preflight to end. Assets are taken without one that does not: it is there to help. */
const preflightSeconds = 60;

async function preflightEnd(findings: string): Promise<void> {
    const deadline = performance.now() + preflightSeconds * 1000;
    while (!existsSync(findings) && performance.now() < deadline) await sleep(200);
}

function readIfExists(path: string): string {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, "utf8") : "";
}

/** From now on this machine accepts no assets, even if the API is down: its own apiserver needs the port. */
function leaveIt(state: string): string {
    mkdirSync(state, { recursive: true, mode: 0o700 });
    writeDurably(join(state, settledFile), "");
    return "the cluster exists: this machine joins it";
}

const timeoutMilliseconds = 3_000;

/**
 * Whether an API answers, even with a rejection: nothing else has a certificate of the CA for its name.
 *
 * Tries every address of the name. If it resolves to the controllers themselves, one of them is this machine, where a
 * receiver answers, and a resolver may always return that one first.
 */
export async function hasCluster(apiServer: string, ca: string, addressesOf = lookUp): Promise<boolean> {
    const { hostname, port } = new URL(apiServer);
    const addresses = await addressesOf(hostname).catch(() => []);
    const servername = isIP(hostname) ? undefined : hostname;
    const isApi = async (address: string) => {
        const url = `https://${isIP(address) === 6 ? `[${address}]` : address}:${port}`;
        try {
            await new ApiClient(url, () => ({ ca, servername })).call("/readyz", {
                isFresh: true,
                timeoutMilliseconds,
            });
            return true;
        } catch (error) {
            return error instanceof ApiError;
        }
    };
    return (await Promise.all(addresses.map(isApi))).includes(true);
}

async function lookUp(name: string): Promise<string[]> {
    return (await lookup(name, { all: true })).map(({ address }) => address);
}
