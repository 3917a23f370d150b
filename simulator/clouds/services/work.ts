import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { CloudServices } from "./service";

const everyMilliseconds = 2000;

/**
 * How many times in a row the services may find no network before they end, as one being created does not exist at
 * once.
 */
const patience = 6;

/** Runs a cloud's background work repeatedly until the cloud is no longer needed. */
export async function work<Account>(
    cloud: CloudServices<Account>,
    path: string,
    {
        networksThere,
        log,
        every = everyMilliseconds,
    }: { networksThere: () => Promise<readonly string[]>; log: (line: string) => void; every?: number },
): Promise<void> {
    const account = cloud.account(path);
    for (let missed = 0; missed < patience; ) {
        const isNeeded = await needed(cloud, account, path, networksThere);
        missed = isNeeded ? 0 : missed + 1;
        for (const each of isNeeded ? cloud.work : []) {
            await each(account).catch((error: Error) => log(`background work failed: ${error.stack}`));
        }
        await sleep(every);
    }
}

/**
 * Whether the account and a network of it exist on this host. If the engine does not respond, the answer is unknown.
 */
async function needed<Account>(
    cloud: CloudServices<Account>,
    account: Account,
    path: string,
    networksThere: () => Promise<readonly string[]>,
): Promise<boolean> {
    try {
        if (!existsSync(path)) return false;
        const networks = cloud.networks(account);
        if (networks.length === 0) return false;
        const there = await networksThere();
        return networks.some((each) => there.includes(each));
    } catch {
        return existsSync(path);
    }
}
