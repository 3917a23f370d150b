import { type Action, readAction } from "../query/action";
import { textsOf } from "../query/params";
import { filtered, tagSet, tagValues } from "./filters";

const describeSubnets = readAction("ec2:DescribeSubnets", ({ account, params }) => {
    const { subnets } = account.resources;
    const ids = textsOf(params, "SubnetId");
    const unknown = ids.find((id) => !subnets[id]);
    if (unknown !== undefined) throw new Error(`InvalidSubnetID.NotFound: The subnet ID '${unknown}' does not exist`);
    const found = filtered(params, Object.entries(subnets), ([id, { vpc, zone, tags }]) => ({
        "subnet-id": id,
        "vpc-id": vpc,
        "availability-zone": zone,
        ...tagValues(tags),
    }));
    return {
        subnetSet: found
            .filter(([id]) => ids.length === 0 || ids.includes(id))
            .map(([subnetId, { vpc, cidr, zone, isPublic, tags }]) => ({
                subnetId,
                state: "available",
                vpcId: vpc,
                cidrBlock: cidr,
                availabilityZone: zone,
                mapPublicIpOnLaunch: isPublic === true,
                tagSet: tagSet(tags),
            })),
    };
});

const describeRouteTables = readAction("ec2:DescribeRouteTables", ({ account, params }) => {
    const { routeTables, vpcs } = account.resources;
    const tables = Object.entries(routeTables).map(([id, { vpc, tags }]) => ({ id, vpc, tags, isMain: false }));
    // The default group, which each VPC has without creating it.
    const main = Object.keys(vpcs).map((vpc) => ({ id: vpc.replace("vpc-", "rtb-"), vpc, tags: {}, isMain: true }));
    const found = filtered(params, [...tables, ...main], ({ id, vpc, tags }) => ({
        "route-table-id": id,
        "vpc-id": vpc,
        ...tagValues(tags),
    }));
    return {
        routeTableSet: found.map(({ id, vpc, tags, isMain }) => ({
            routeTableId: id,
            vpcId: vpc,
            routeSet: [
                { destinationCidrBlock: vpcs[vpc]?.cidr, gatewayId: "local", state: "active" },
                ...account
                    .all("routes")
                    .filter(({ table }) => table === id)
                    .map(({ gateway, isIpv6 }) => ({
                        ...(isIpv6 ? { destinationIpv6CidrBlock: "::/0" } : { destinationCidrBlock: "0.0.0.0/0" }),
                        [targetName(gateway)]: gateway,
                        state: "active",
                    })),
            ],
            associationSet: isMain
                ? [{ routeTableAssociationId: id.replace("rtb-", "rtbassoc-"), routeTableId: id, main: true }]
                : Object.entries(account.resources.associations)
                      .filter(([, { table }]) => table === id)
                      .map(([association, { subnet }]) => ({
                          routeTableAssociationId: association,
                          routeTableId: id,
                          subnetId: subnet,
                          main: false,
                      })),
            tagSet: tagSet(tags),
        })),
    };
});

function targetName(gateway: string): string {
    const names = { nat: "natGatewayId", eigw: "egressOnlyInternetGatewayId" };
    return names[gateway.split("-")[0] as keyof typeof names] ?? "gatewayId";
}

const describeAvailabilityZones = readAction("ec2:DescribeAvailabilityZones", ({ account, params }) => {
    const { region } = account.state;
    const zones = ["a", "b", "c"].map((letter, index) => ({ name: region + letter, id: `${region}-az${index + 1}` }));
    const names = textsOf(params, "ZoneName");
    const found = filtered(params, zones, ({ name, id }) => ({ "zone-name": name, "zone-id": id }));
    return {
        availabilityZoneInfo: found
            .filter(({ name }) => names.length === 0 || names.includes(name))
            .map(({ name, id }) => ({
                zoneName: name,
                zoneId: id,
                zoneState: "available",
                zoneType: "availability-zone",
                regionName: region,
            })),
    };
});

export const networkActions: Readonly<Record<string, Action>> = {
    DescribeSubnets: describeSubnets,
    DescribeRouteTables: describeRouteTables,
    DescribeAvailabilityZones: describeAvailabilityZones,
};
