import type { CloudName } from "./place";
import type { CloudServices } from "./service";
import { startServices } from "./start";

/** Starts an account's services anew if they ended though networks of it are there: they were killed, or this computer was off. */
export async function keepServices<Account extends { readonly path: string }>(
    cloud: CloudName,
    account: Account,
    { networks }: CloudServices<Account>,
): Promise<void> {
    if (networks(account).length > 0) await startServices(cloud, account.path).ready;
}
