import { isIP } from "node:net";

/** An address as four or sixteen bytes. */
export function ipBytes(address: string): Buffer {
    if (isIP(address) === 4) return Buffer.from(address.split(".").map(Number));
    if (isIP(address) !== 6 || address.includes("%"))
        throw new Error(`ipAddresses must be IP addresses, got ${address}`);
    const text = address.replace(/\d+\.[\d.]+$/, groupsOf);
    const [head, tail] = text.split("::").map((side) => (side ? side.split(":") : []));
    const zeros = tail ? Array(8 - head.length - tail.length).fill("0") : [];
    const groups = [...head, ...zeros, ...(tail ?? [])];
    return Buffer.from(groups.map((group) => group.padStart(4, "0")).join(""), "hex");
}

// `::ffff:192.0.2.1` and its like: the last two groups are written as an IPv4 address.
function groupsOf(dotted: string): string {
    const hex = ipBytes(dotted).toString("hex");
    return `${hex.slice(0, 4)}:${hex.slice(4)}`;
}
