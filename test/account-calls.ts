import { readFileSync } from "node:fs";
import type { Account } from "../simulator/clouds/aws/account";
import { callsPath } from "../simulator/clouds/aws/services/query/protocol";

/** Which rights roles used of a simulated account, and which they lacked. */
export function callsOf({ path }: Account): string[] {
    return readFileSync(callsPath(path), "utf8").trim().split("\n");
}

/** Those that they lacked. */
export function deniedTo(account: Account): string[] {
    return callsOf(account).filter((line) => line.includes("is not authorized"));
}
