import { Address4 } from "ip-address";
import { invalid } from "./validate";

/** A block whose host bits are zero: of IPv4, or of IPv6 (cidr6.ts). */
export interface Cidr {
    readonly text: string;
    readonly prefix: number;
    readonly first: bigint;
    readonly last: bigint;
}

/** Parses an IPv4 CIDR block; `option` names it in the error. */
export function parseCidr(option: string, text: string): Cidr {
    if (!/^\d+\.\d+\.\d+\.\d+\/\d+$/.test(text) || !Address4.isValid(text)) {
        throw new Error(`${option} must be an IPv4 block such as 10.0.0.0/16, got ${JSON.stringify(text)}`);
    }
    const block = new Address4(text);
    const first = block.startAddress();
    if (first.correctForm() !== block.correctForm()) {
        const legal = `${first.correctForm()}/${block.subnetMask}`;
        throw new Error(`${option} must have no host bits set (did you mean ${legal}?), got ${text}`);
    }
    return { text, prefix: block.subnetMask, first: first.bigInt(), last: block.endAddress().bigInt() };
}

/** The address at `index` of the block: 0 is the network itself. */
export function hostAddress(block: Cidr, index: number): string {
    const address = block.first + BigInt(index);
    if (address > block.last) {
        throw new Error(`${block.text} must hold at least ${index + 1} addresses`);
    }
    return Address4.fromBigInt(address).correctForm();
}

/** Whether a block lies in another one. */
export function contains(outer: Cidr, inner: Cidr): boolean {
    return outer.first <= inner.first && inner.last <= outer.last;
}

export function overlaps(a: Cidr, b: Cidr): boolean {
    return a.first <= b.last && b.first <= a.last;
}

/** Checks blocks that were given: one or more, each an IPv4 block. `option` names them in the error. */
export function requireBlocks(option: string, blocks: readonly string[] | undefined): void {
    blocks?.forEach((block, index) => {
        parseCidr(`${option}[${index}]`, block);
    });
    if (blocks?.length === 0) {
        throw invalid(option, "one block or more", "none");
    }
}
