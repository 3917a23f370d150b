import type { CloudName } from "..";
import type { CloudServices } from "./service";
import { startServices } from "./start";

/**
 * Restarts an account's services if they ended although networks of it exist: they were killed, or the host was off.
 */
export async function keepServices<Account extends { readonly path: string }>(
    cloud: CloudName,
    account: Account,
    { networks }: CloudServices<Account>,
): Promise<void> {
    if (networks(account).length > 0) await startServices(cloud, account.path).ready;
}
