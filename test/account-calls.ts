import { readFileSync } from "node:fs";
import type { Account } from "../simulator/clouds/aws/account";
import { callsPath } from "../simulator/clouds/aws/services/query/protocol";

/** Permissions that roles used in a simulated account, and those they lacked. */
export function callsOf({ path }: Account): string[] {
    return readFileSync(callsPath(path), "utf8").trim().split("\n");
}

/** Those they lacked. */
export function deniedTo(account: Account): string[] {
    return callsOf(account).filter((line) => line.includes("is not authorized"));
}
