import { setRecord } from "../shared/dns";
import type { Account } from "./account";
import { privateZones, publicZones } from "./offers";

/**
 * The hosted zone that answers for a name in a VPC: of the VPC's private zones that contain it, the one with the longest
 * name, even if it lacks the name; otherwise the public zone with the longest name.
 *
 * Source: "Considerations when working with a private hosted zone".
 */
function answering(account: Account, vpc: string, name: string): string | undefined {
    const own = Object.entries(privateZones(account)).filter(([, { vpcs }]) => vpcs.includes(vpc));
    return (
        longest(
            own.map(([id, zone]) => [id, zone.name]),
            name,
        ) ?? longest(Object.entries(publicZones(account)), name)
    );
}

function longest(zones: readonly (readonly [id: string, name: string])[], name: string): string | undefined {
    const around = zones.filter(([, zone]) => isIn(name, zone));
    return around.sort(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

/** Whether a zone contains a name, or is that name. */
export function isIn(name: string, zone: string): boolean {
    return name === zone || name.endsWith(`.${zone}`);
}

/** The id of a name's record of IPv4 addresses. */
export function recordId(zone: string, name: string): string {
    return `${zone}_${name}_A`;
}

/** What a name resolves to in a VPC. @default it does not exist there */
export function resolved(account: Account, vpc: string, name: string) {
    const zone = answering(account, vpc, name);
    return zone === undefined ? undefined : account.resources.records[recordId(zone, name)];
}

/** Updates what VPCs resolve a name to. */
export async function announce(account: Account, name: string): Promise<void> {
    for (const [vpc, { name: network }] of Object.entries(account.resources.vpcs)) {
        await setRecord([network], fileName(name), resolved(account, vpc, name));
    }
}

/** The same for every name in a zone, whose VPCs have changed. */
export async function announceZone(account: Account, zone: string): Promise<void> {
    const names = Object.keys(account.resources.records).map((id) => id.split("_")[1]!);
    for (const name of new Set(names)) if (isIn(name, zone)) await announce(account, name);
}

/** One name per file. */
const fileName = (name: string) => name.replaceAll(/[^A-Za-z0-9]/g, "-");
