import { readFileSync } from "node:fs";
import { simulatedAccount } from "../../../clients/simulated-account";
import type { CloudName } from "../cost/prices";
import type { Account } from "./account";
import { awsAccount } from "./aws";
import { digitalOceanAccount } from "./digitalocean";

/** @throws Error without credentials, or if the account cannot be identified */
export function openAccount(
    cloud: CloudName,
    cluster: string,
    region: string | undefined,
    env: NodeJS.ProcessEnv = process.env,
): Promise<Account> {
    const simulated = simulatedAccount(env);
    if (simulated !== undefined) return Promise.resolve(accountInFile(simulated));
    return cloud === "aws" ? awsAccount(cluster, region, env) : digitalOceanAccount(cluster, env);
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
