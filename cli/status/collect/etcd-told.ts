import { setTimeout as sleep } from "node:timers/promises";
import { type Fact, ifKnown } from "../fact";
import type { EtcdFacts } from "../facts";
import type { Machines } from "./machines";

/** Milliseconds that machines have to tell of etcd, from when the API has answered. */
const SOON_MS = 1_000;

/**
 * What machines that are asked anyway tell of etcd, if they soon tell of every member and all agree: by the API, each
 * question costs a machine a process. A member that is cut off tells of itself by its machine all the same, so whoever does
 * not agree is asked by the way that others take.
 */
export async function wholeSoon(
    machines: Promise<Pick<Machines, "etcd">>,
    milliseconds = SOON_MS,
): Promise<EtcdFacts | undefined> {
    const told = await Promise.race([
        machines.then(({ etcd }) => etcd),
        sleep(milliseconds, undefined, { ref: false }),
    ]);
    return isWhole(told) ? told.value : undefined;
}

function isWhole(told: Fact<EtcdFacts> | undefined): told is { readonly value: EtcdFacts } {
    if (told === undefined || "unknown" in told) {
        return false;
    }
    const leaders = told.value.members.map(({ status }) => ifKnown(status)?.leader);
    return !leaders.includes(undefined) && new Set(leaders).size === 1;
}
