import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { docker } from "./docker";
import { findNetwork } from "./network";

/** Local clusters' subnets are /24s of it: private, and rarely what companies and engines take. */
const POOL = [10, 117] as const;

/**
 * The subnet of the cluster's network, or a free one for it: none that another Docker network
 * or a route of this computer has. The same cluster gets the same one where it can.
 *
 * @param avoid - other CIDRs to keep clear of, such as those of pods and services
 */
export async function pickSubnet(cluster: string, avoid: readonly string[] = []): Promise<string> {
    const existing = await findNetwork(cluster);
    if (existing) {
        return existing.subnet;
    }
    return freeSubnet(cluster, [...(await dockerSubnets()), ...(await hostRoutes()), ...avoid]);
}

/** The first subnet, counted from one that the cluster's name decides, that overlaps none of `taken`. */
export function freeSubnet(cluster: string, taken: readonly string[]): string {
    const first = [...cluster].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 256, 0);
    for (let i = 0; i < 256; i++) {
        const subnet = `${POOL.join(".")}.${(first + i) % 256}.0/24`;
        if (!taken.some((cidr) => overlaps(cidr, subnet))) {
            return subnet;
        }
    }
    throw new Error(`no subnet of ${POOL.join(".")}.0.0/16 is free: destroy a cluster that is not needed`);
}

/** True if two IPv4 ranges in CIDR notation share an address; false for anything else, such as IPv6. */
export function overlaps(a: string, b: string): boolean {
    const [first, second] = [parse(a), parse(b)];
    if (!first || !second) {
        return false;
    }
    const shift = BigInt(32 - Math.min(first.prefix, second.prefix));
    return first.bits >> shift === second.bits >> shift;
}

function parse(cidr: string): { bits: bigint; prefix: number } | undefined {
    const match = /^(\d+)\.(\d+)\.(\d+)\.(\d+)(?:\/(\d+))?$/.exec(cidr);
    if (!match) {
        return undefined;
    }
    const bits = match.slice(1, 5).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
    return { bits, prefix: Number(match[5] ?? 32) };
}

async function dockerSubnets(): Promise<string[]> {
    const ids = (await docker(["network", "ls", "--quiet"])).split("\n").filter(Boolean);
    const format = "{{range .IPAM.Config}}{{.Subnet}} {{end}}";
    return (await docker(["network", "inspect", "--format", format, ...ids])).split(/\s+/).filter(Boolean);
}

/** None where there is no `ip`: there, the engine has its own machine and its own routes. */
async function hostRoutes(): Promise<string[]> {
    try {
        const { stdout } = await promisify(execFile)("ip", ["-4", "-json", "route"]);
        return JSON.parse(stdout)
            .map((route: { dst: string }) => route.dst)
            .filter((dst: string) => dst !== "default");
    } catch {
        return [];
    }
}
