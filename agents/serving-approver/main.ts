import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { accountClient } from "../common/account-client";
import { InvalidPlan } from "../common/read-plan";
import { endOnSignals } from "../common/signals";
import { approveServing } from "./approve";
import { readPlan } from "./read-plan";

const everyMilliseconds = 3000;

endOnSignals("the next start goes on from here");

async function main(path: string): Promise<void> {
    const plan = readPlan(path);
    const api = accountClient(plan.apiServer, "tradewind-serving-approver");
    const told = new Map<string, string>();
    for (;;) {
        await approveServing(api, JSON.parse(readFileSync(plan.machines, "utf8")), told);
        await sleep(everyMilliseconds);
    }
}

main(process.argv[2] ?? "").catch((error: Error) => {
    console.error(error instanceof InvalidPlan ? error.message : error);
    process.exit(1);
});
