import { setTimeout as sleep } from "node:timers/promises";
import type { Fact } from "../fact";
import type { EtcdFacts } from "../facts";
import type { Machines } from "./machines";

/** Milliseconds that machines have to tell of etcd, from when the API has answered. */
const SOON_MS = 1_000;

/**
 * What machines that are asked anyway tell of etcd, if they soon tell of every member: by the API, each question
 * costs a machine a process.
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
    return told !== undefined && "value" in told && told.value.members.every(({ status }) => "value" in status);
}
