import type { Account, PrivateZone } from "./account";

/** Name of a hosted zone, and ids of the VPCs that resolve it, `undefined` if everybody does. Throws if it is not there. */
export function zoneOf(account: Account, id: string): { readonly name: string; readonly vpcs?: readonly string[] } {
    const { zones } = account.state;
    const zone = privateZones(account)[id] ?? (zones[id] === undefined ? undefined : { name: zones[id] });
    if (!zone) throw new Error(`NoSuchHostedZone: No hosted zone found with ID: ${id}`);
    return zone;
}

/** The account's private hosted zones, by id, each with every VPC that resolves it. */
export function privateZones(account: Account): Record<string, PrivateZone> {
    const { privateZones: brought, resources } = account.state;
    const all = Object.entries({ ...brought, ...resources.hostedZones });
    return Object.fromEntries(
        all.map(([id, { name, vpcs }]) => {
            const more = Object.values(resources.zoneAssociations).filter(({ zone }) => zone === id);
            return [id, { name, vpcs: [...vpcs, ...more.map(({ vpc }) => vpc)] }];
        }),
    );
}
