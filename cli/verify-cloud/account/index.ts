import { readFileSync } from "node:fs";
import { simulatedAccount } from "../../../clients/simulated-account";
import type { CloudName } from "../../../cluster/clouds";
import { verified } from "../clouds";
import type { Account } from "./account";

/** @throws Error without credentials, or if the account cannot be identified */
export function openAccount(
    cloud: CloudName,
    cluster: string,
    region: string | undefined,
    env: NodeJS.ProcessEnv = process.env,
): Promise<Account> {
    const simulated = simulatedAccount(env);
    if (simulated !== undefined) return Promise.resolve(accountInFile(simulated));
    return verified[cloud].account(cluster, region, env);
}

/** Kinds that cost nothing and disappear on their own. */
const vanishing = ["terminatedInstances", "interfaces"];

/** A simulated account has the resources of one cluster. */
function accountInFile(path: string): Account {
    const existing = async () => {
        const { resources }: { resources: Record<string, Record<string, { name: string }>> } = JSON.parse(
            readFileSync(path, "utf8"),
        );
        return Object.entries(resources).flatMap(([kind, all]) =>
            vanishing.includes(kind) ? [] : Object.values(all).map(({ name }) => `${kind} ${name}`),
        );
    };
    return { id: path, existing };
}
