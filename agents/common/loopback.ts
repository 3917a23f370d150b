import { createHash } from "node:crypto";

/**
 * A loopback address that belongs to one generation of a component.
 *
 * Two generations of a host-network pod overlap during a rollout. Each binds an address derived from
 * its own pod template, so they never fight for a port and a probe can never reach the other process.
 */
export function loopbackAddress(content: unknown): string {
    const [a, b, c] = createHash("sha256").update(JSON.stringify(content)).digest();
    // 127.64.0.0/10 keeps clear of 127.0.0.1 and of the resolvers that live at 127.0.0.53 and 127.0.1.1.
    return `127.${64 + (a % 64)}.${b}.${1 + (c % 254)}`;
}
