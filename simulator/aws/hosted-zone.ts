import { listOf, oneOf, text } from "../cloud/inputs";
import type { Simulated } from "../cloud/simulated";
import type { Account } from "./account";
import { announce, forget, record } from "./record";
import { has, id, tags, yesOrNo } from "./rules";
import { privateZones, zoneOf } from "./zones";

/** A private hosted zone: its records are in the DNS of its VPCs alone. */
export const hostedZone: Simulated<Account> = {
    inputs: {
        rules: {
            name: text("a DNS name", /^[a-z0-9.-]+$/, { isRequired: true, isFixed: true }),
            comment: text("at most 256 characters", /^.{0,256}$/s),
            forceDestroy: yesOrNo,
            // One without would be public.
            vpcs: listOf(
                "VPCs by their ids, one or more",
                (value: unknown) => has(value, { vpcId: (each) => /^vpc-[0-9a-f]{8,17}$/.test(String(each)) }),
                { isRequired: true },
            ),
            tags,
        },
        notSimulated: ["delegationSetId", "enableAcceleratedRecovery"],
    },
    outputs: ["arn", "nameServers", "primaryNameServer", "zoneId"],
    async create(account, { name, vpcs, forceDestroy }) {
        const homes = (vpcs as { vpcId: string }[]).map(({ vpcId }) => vpcId);
        for (const home of homes) requireUnresolved(account, home, String(name));
        const made = `Z${account.newId("z").slice(2).toUpperCase()}`;
        account.put("hostedZones", made, { name: String(name), vpcs: homes, isForced: forceDestroy === true });
        return { id: made, outputs: { arn: `arn:aws:route53:::hostedzone/${made}`, zoneId: made } };
    },
    async update(account, zoneId, { forceDestroy }) {
        account.put("hostedZones", zoneId, {
            ...account.find("hostedZones", zoneId),
            isForced: forceDestroy === true,
        });
        return undefined;
    },
    async delete(account, zoneId) {
        const { name, isForced } = account.find("hostedZones", zoneId);
        const left = Object.keys(account.resources.records).filter((each) => each.startsWith(`${zoneId}_`));
        if (left.length > 0 && !isForced) throw new Error(`HostedZoneNotEmpty: ${name} has ${left.join(", ")}`);
        for (const each of left) await record.delete(account, each);
        account.remove("hostedZones", zoneId);
    },
};

/** Lets another VPC resolve a private hosted zone. */
export const zoneAssociation: Simulated<Account> = {
    inputs: {
        rules: {
            zoneId: text("a hosted zone's id", /^Z[A-Z0-9]+$/, { isRequired: true, isFixed: true }),
            vpcId: id("vpc", { isRequired: true, isFixed: true }),
            vpcRegion: oneOf([]),
        },
        notSimulated: [],
    },
    outputs: ["owningAccount"],
    async create(account, { zoneId, vpcId }) {
        const { name, vpcs } = zoneOf(account, String(zoneId));
        if (!vpcs) throw new Error(`PublicZoneVPCAssociation: the hosted zone ${zoneId} is public`);
        requireUnresolved(account, String(vpcId), name);
        const made = `${zoneId}:${vpcId}`;
        account.put("zoneAssociations", made, { name: made, zone: String(zoneId), vpc: String(vpcId) });
        await announce(account, String(zoneId), String(vpcId));
        return { id: made };
    },
    async delete(account, associationId) {
        const { zone, vpc } = account.find("zoneAssociations", associationId);
        await forget(account, zone, vpc);
        account.remove("zoneAssociations", associationId);
    },
};

/** A VPC resolves one private hosted zone of a name. */
function requireUnresolved(account: Account, vpc: string, name: string): void {
    account.find("vpcs", vpc);
    const other = Object.entries(privateZones(account)).find(
        ([, each]) => each.name === name && each.vpcs.includes(vpc),
    );
    if (other) throw new Error(`ConflictingDomainExists: ${vpc} is associated with ${other[0]} of ${name} already`);
}
