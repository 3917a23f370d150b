import { Address4, Address6 } from "ip-address";
import { invalid, mustNot } from "../validate";

/** A block whose host bits are zero, IPv4 or IPv6 (cidr6.ts). */
export interface Cidr {
    readonly text: string;
    readonly prefix: number;
    readonly first: bigint;
    readonly last: bigint;
}

/** Parses an IPv4 CIDR block; `option` names it in errors. */
export function parseCidr(option: string, text: string): Cidr {
    if (!/^\d+\.\d+\.\d+\.\d+\/\d+$/.test(text) || !Address4.isValid(text)) {
        throw new Error(`${option} must be an IPv4 block such as 10.0.0.0/16 (got ${JSON.stringify(text)})`);
    }
    const block = new Address4(text);
    const first = block.startAddress();
    if (first.correctForm() !== block.correctForm()) {
        const legal = `${first.correctForm()}/${block.subnetMask}`;
        throw new Error(`${option} must have no host bits set (got ${text}): did you mean ${legal}?`);
    }
    return { text, prefix: block.subnetMask, first: first.bigInt(), last: block.endAddress().bigInt() };
}

/** The address at `index` of the block: 0 is the network itself. */
export function hostAddress(block: Cidr, index: number): string {
    const address = block.first + BigInt(index);
    if (address > block.last) throw new Error(`${block.text} must hold at least ${index + 1} addresses`);
    return Address4.fromBigInt(address).correctForm();
}

/** Whether a block is inside another one. */
export function contains(outer: Cidr, inner: Cidr): boolean {
    return outer.first <= inner.first && inner.last <= outer.last;
}

export function overlaps(a: Cidr, b: Cidr): boolean {
    return a.first <= b.last && b.first <= a.last;
}

/** Checks that a list has at least one block and only IPv4 blocks. `option` names it in errors. */
export function requireBlocks(option: string, blocks: readonly string[] | undefined): void {
    blocks?.forEach((block, index) => {
        parseCidr(`${option}[${index}]`, block);
    });
    if (blocks?.length === 0) throw mustNot(option, "be empty");
}

/** Parses an IPv6 CIDR block of addresses that a cluster may use; `option` names it in errors. */
export function parseCidr6(option: string, text: string): Cidr {
    if (!/^[0-9a-f:]+\/\d+$/i.test(text) || !Address6.isValid(text)) {
        throw new Error(`${option} must be an IPv6 block such as fd00:10:2::/56 (got ${JSON.stringify(text)})`);
    }
    const block = parse(text);
    if (new Address6(text).bigInt() !== block.first) {
        throw new Error(`${option} must have no host bits set (got ${text}): did you mean ${block.text}?`);
    }
    if (!legalBlocks.some((outer) => contains(outer, block))) {
        throw invalid(option, "unique local (in fc00::/7) or global unicast (in 2000::/3)", text);
    }
    return block;
}

/** IPv6 block of local machines: unique local, and derived from their IPv4 block. */
export function machineBlock6(block: Cidr): Cidr {
    const [high, low] = [block.first >> 16n, block.first & 0xffffn].map((half) => half.toString(16));
    return parseCidr6("machineCidr", `fd74:7264:${high}:${low}::/64`);
}

/** The address at `index` of the block: 0 is the network itself. */
export function hostAddress6(block: Cidr, index: number): string {
    return Address6.fromBigInt(block.first + BigInt(index)).correctForm();
}

const legalBlocks = ["fc00::/7", "2000::/3"].map(parse);

function parse(text: string): Cidr {
    const block = new Address6(text);
    const first = block.startAddress();
    return {
        text: `${first.correctForm()}/${block.subnetMask}`,
        prefix: block.subnetMask,
        first: first.bigInt(),
        last: block.endAddress().bigInt(),
    };
}
