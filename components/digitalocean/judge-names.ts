import { type Cidr, overlaps, parseCidr } from "../../cluster/network/cidr";

/** A droplet of the account. */
export interface FoundDroplet {
    /** Unit: GB. */
    readonly disk: number;
    readonly name: string;
    readonly size: string;
    readonly tags: readonly string[];
    /** Id of its VPC. */
    readonly vpcUuid: string;
}

export interface FoundVpc {
    readonly name: string;
    readonly ipRange: string;
}

/** Droplets with a tag. Tags are case-insensitive. */
export function withTag(tag: string, droplets: readonly FoundDroplet[]): FoundDroplet[] {
    return droplets.filter(({ tags }) => tags.some((each) => each.toLowerCase() === tag));
}

/** Droplets with a tag, as an error names them. */
export function tagged(tag: string, droplets: readonly FoundDroplet[]): string[] {
    const names = withTag(tag, droplets).map(({ name }) => name);
    return names.length > 0 ? [`droplets with the tag ${tag} (${listOf(names)})`] : [];
}

/** Why a cluster cannot have its name. @param found - what has it: `the VPC c` */
export function nameProblem(cluster: string, found: readonly string[]): string | undefined {
    if (found.length === 0) return undefined;
    const why = `the account already has ${found.join(", ")}`;
    return `the cluster's name must be one that nothing in the account has (got ${cluster}): ${why}. Choose another name. What is left of an earlier cluster, or of an interrupted \`up\`, must be deleted, or imported into this stack with \`pulumi import\``;
}

/** Why a cluster must not create a tag: its firewalls would apply to droplets that are not its own. */
export function tagProblem(cluster: string, tag: string, droplets: readonly FoundDroplet[]): string | undefined {
    return nameProblem(cluster, tagged(tag, droplets));
}

/** Warns of droplets in other VPCs that were given a running cluster's tag. */
export function foreignWarning(tag: string, vpcId: string, droplets: readonly FoundDroplet[]): string | undefined {
    const foreign = withTag(tag, droplets).filter(({ vpcUuid }) => vpcUuid !== undefined && vpcUuid !== vpcId);
    if (foreign.length === 0) return undefined;
    const names = listOf(foreign.map(({ name }) => name));
    return `the tag ${tag} must only be on this cluster's droplets, because its firewalls apply to all that have it: remove it from ${names}`;
}

/** Blocks that a cluster's VPC must not overlap with. */
interface Taken {
    readonly vpcs: readonly FoundVpc[];
    /** Of pods and Services. */
    readonly own: readonly Cidr[];
}

/** Why a VPC cannot have its block: blocks are unique in an account. */
export function blockProblem(block: Cidr, { vpcs, own }: Taken): string | undefined {
    const blocks = vpcs.map((each) => ({ ...each, cidr: parseCidr("ipRange", each.ipRange) }));
    const other = blocks.find(({ cidr }) => overlaps(cidr, block));
    if (!other) return undefined;
    const taken = [...blocks.map(({ cidr }) => cidr), ...own];
    const free = candidates.find((each) => !taken.some((one) => overlaps(one, each)));
    const such = free ? `; ${free.text} is free` : "";
    return `vpcCidr must not overlap ${other.ipRange} of the VPC ${other.name} (got ${block.text})${such}`;
}

/** Blocks of the default's size that an error may suggest, of 172.24.0.0/13. */
const candidates = Array.from({ length: 128 }, (_, index) =>
    parseCidr("vpcCidr", `172.${24 + Math.floor(index / 16)}.${(index % 16) * 16}.0/20`),
);

/** The first five of them. */
function listOf(names: readonly string[]): string {
    const more = names.length > 5 ? ` and ${names.length - 5} more` : "";
    return `${names.slice(0, 5).join(", ")}${more}`;
}
