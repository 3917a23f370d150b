import { Address6 } from "ip-address";
import { type Cidr, contains } from "./cidr";
import { invalid } from "./validate";

/** Parses an IPv6 CIDR block of addresses that a cluster may have; `option` names it in the error. */
export function parseCidr6(option: string, text: string): Cidr {
    if (!/^[0-9a-f:]+\/\d+$/i.test(text) || !Address6.isValid(text)) {
        throw new Error(`${option} must be an IPv6 block such as fd00:10:2::/56, got ${JSON.stringify(text)}`);
    }
    const block = parse(text);
    if (new Address6(text).bigInt() !== block.first) {
        throw new Error(`${option} must have no host bits set (did you mean ${block.text}?), got ${text}`);
    }
    if (!legalBlocks.some((outer) => contains(outer, block))) {
        throw invalid(option, "unique local (in fc00::/7) or global unicast (in 2000::/3)", text);
    }
    return block;
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
