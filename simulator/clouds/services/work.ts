import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { CloudServices } from "./service";

const everyMilliseconds = 2000;

/** How often the services may find nothing that they are there for: what is being made is not there at once. */
const patience = 6;

/** Does a cloud's own work, again and again, until nobody needs the cloud any more. */
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
            await each(account).catch((error: Error) => log(`own work failed: ${error.stack}`));
        }
        await sleep(every);
    }
}

/** Whether the account is there, and a network of it on this computer. An engine that does not answer says nothing. */
async function needed<Account>(
    cloud: CloudServices<Account>,
    account: Account,
    path: string,
    networksThere: () => Promise<readonly string[]>,
): Promise<boolean> {
    try {
        if (!existsSync(path)) return false;
        const wanted = cloud.networks(account);
        if (wanted.length === 0) return false;
        const there = await networksThere();
        return wanted.some((each) => there.includes(each));
    } catch {
        return existsSync(path);
    }
}
