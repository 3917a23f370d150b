import type { Machine } from "../cluster/credentials";
import type { LocalNetwork } from "./network";

/** A machine with its addresses. */
export function machineOf({ machines, byIpv6 }: LocalNetwork, name: string): Machine {
    return { name, address: machines[name]!, ...(byIpv6 && { address6: byIpv6.machines[name]! }) };
}

export function addressesOf({ address, address6 }: Machine): string[] {
    return address6 ? [address, address6] : [address];
}
