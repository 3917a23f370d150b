import { readFile } from "node:fs/promises";
import { isLoopbackAddress } from "../../clients/kubernetes/loopback";
import type { Generations } from "./plan";

/** State of a listening socket in `/proc/net/tcp`. */
const listening = "0A";

/**
 * Loopback addresses at which generations of a component listen, read from the kernel's table of sockets.
 *
 * Unlike pods' annotations it needs no API, contains copies run by the checkpointer, and names the user of the process:
 * no other pod on the host's network can pose as the component.
 */
export function addressesOf({ port, user }: Generations, table: string): string[] {
    return table.split("\n").flatMap((line) => {
        const [, local = "", , state, , , , uid] = line.trim().split(/\s+/);
        const [address = "", hexPort = ""] = local.split(":");
        const isOurs = state === listening && Number.parseInt(hexPort, 16) === port && Number(uid) === user;
        const text = isOurs ? dotted(address) : "";
        return isLoopbackAddress(text) ? [text] : [];
    });
}

/** The kernel prints an address as a number in the machine's byte order, which is little-endian. */
function dotted(hex: string): string {
    const bytes = hex.match(/../g) ?? [];
    return bytes
        .reverse()
        .map((byte) => Number.parseInt(byte, 16))
        .join(".");
}

/** Finds the generation that serves. While two run, the known one is used until it ends, so that counters reset once. */
export class Listeners {
    readonly #known = new Map<number, string>();

    constructor(private readonly readTable = () => readFile("/proc/net/tcp", "utf8")) {}

    /** @returns undefined if no generation runs on this node */
    async find(generations: Generations): Promise<string | undefined> {
        const addresses = addressesOf(generations, await this.readTable());
        const known = this.#known.get(generations.port);
        const address = addresses.find((each) => each === known) ?? addresses[0];
        if (address === undefined) this.#known.delete(generations.port);
        else this.#known.set(generations.port, address);
        return address;
    }
}
