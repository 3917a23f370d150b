import { createHash } from "node:crypto";

/**
 * A loopback address that belongs to one generation of a component.
 *
 * Two generations of a host-network pod overlap during a rollout. Each binds an address derived from its own pod template,
 * so they never compete for a port, and a probe never reaches the other process.
 */
export function loopbackAddress(content: unknown): string {
    const digest = createHash("sha256").update(JSON.stringify(content)).digest();
    // 127.64.0.0/10 avoids 127.0.0.1 and the resolvers at 127.0.0.53 and 127.0.1.1.
    return `127.${64 + (digest.readUInt8(0) % 64)}.${digest.readUInt8(1)}.${1 + (digest.readUInt8(2) % 254)}`;
}

/** The address of a checkpoint's copy, which may run next to the pod with that address. */
export function copyAddress(address: string): string {
    return loopbackAddress({ copyOf: address });
}

/** Whether this is such an address, in canonical form: four numbers without leading zeros. */
export function isLoopbackAddress(text: string): boolean {
    const parts = text.split(".");
    const numbers = parts.map((part) => (/^(0|[1-9]\d{0,2})$/.test(part) ? Number(part) : 256));
    const [a, b] = numbers;
    return numbers.length === 4 && numbers.every((number) => number < 256) && a === 127 && b! >= 64 && b! < 128;
}

/** Replaces an address in all strings of a value, wherever it occurs as a whole. */
export function replaceAddress<T>(value: T, from: string, to: string): T {
    const replaced = (part: unknown): unknown => {
        if (typeof part === "string") return replaceInText(part, from, to);
        if (Array.isArray(part)) return part.map(replaced);
        if (part === null || typeof part !== "object") return part;
        return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, replaced(inner)]));
    };
    return replaced(value) as T;
}

function replaceInText(text: string, from: string, to: string): string {
    // The first piece precedes the first address; each other piece follows one.
    const [first = "", ...rest] = text.split(from);
    return rest.reduce((before, after) => {
        const isPart = /[0-9.]$/.test(before) || /^(\.?[0-9])/.test(after);
        return `${before}${isPart ? from : to}${after}`;
    }, first);
}

/** On the pod template: the loopback address of its generation. */
export const addressAnnotation = "tradewind.dev/loopback-address";
