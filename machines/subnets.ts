import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { docker } from "./docker";
import { findNetwork } from "./network";

/** Local clusters' subnets are /24s of this range: private, and rarely used by companies and engines. */
const POOL = [10, 117] as const;

/**
 * The subnet of the cluster's network, or a free one: not used by another Docker network or a route of the host. The
 * same cluster gets the same subnet where possible.
 *
 * @param avoid - other CIDRs not to overlap, such as those of pods and services
 */
export async function pickSubnet(cluster: string, avoid: readonly string[] = []): Promise<string> {
    const existing = await findNetwork(cluster);
    if (existing) {
        return existing.subnet;
    }
    return freeSubnet(cluster, [...(await dockerSubnets()), ...(await hostRoutes()), ...avoid]);
}

/** The first subnet that overlaps none of `taken`, counting from one derived from the cluster's name. */
export function freeSubnet(cluster: string, taken: readonly string[]): string {
    const first = [...cluster].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 256, 0);
    for (let i = 0; i < 256; i++) {
        const subnet = `${POOL.join(".")}.${(first + i) % 256}.0/24`;
        if (!taken.some((cidr) => overlaps(cidr, subnet))) {
            return subnet;
        }
    }
    throw new Error(`no subnet of ${POOL.join(".")}.0.0/16 is free: destroy an unused cluster`);
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

/** None on systems without `ip`: there, the engine runs in its own virtual machine with its own routes. */
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
