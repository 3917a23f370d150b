import { oneOf } from "../cloud/inputs";
import type { Simulated } from "../cloud/simulated";
import { type Account, nameOf } from "./account";
import { tagsAlone } from "./network";
import { id, tags } from "./rules";

/** An internet gateway: what lies behind it is the network's mirror. */
export const internetGateway: Simulated<Account> = {
    inputs: { rules: { vpcId: id("vpc", { isRequired: true, isFixed: true }), tags }, notSimulated: ["region"] },
    outputs: ["arn", "ownerId"],
    async create(account, { vpcId, tags: given }) {
        account.find("vpcs", vpcId);
        if (account.all("gateways").some((other) => other.vpc === vpcId)) {
            throw new Error(`Resource.AlreadyAssociated: the vpc '${vpcId}' has an internet gateway already`);
        }
        const made = account.newId("igw");
        account.put("gateways", made, { name: nameOf(given, made), vpc: String(vpcId) });
        return { id: made, outputs: { arn: account.arn("ec2", `internet-gateway/${made}`) } };
    },
    update: tagsAlone,
    async delete(account, gatewayId) {
        const { vpc } = account.find("gateways", gatewayId);
        const users = [...account.all("instances"), ...account.all("loadBalancers"), ...account.all("natGateways")];
        account.refuseWhileUsed(
            `Network ${vpc} has some mapped public address(es): the internet gateway`,
            users.filter((each) => each.vpc === vpc),
        );
        account.remove("gateways", gatewayId);
    },
};

export const routeTable: Simulated<Account> = {
    inputs: {
        rules: { vpcId: id("vpc", { isRequired: true, isFixed: true }), tags },
        notSimulated: ["propagatingVgws", "region", "routes"],
    },
    outputs: ["arn", "ownerId"],
    async create(account, { vpcId, tags: given }) {
        account.find("vpcs", vpcId);
        const made = account.newId("rtb");
        account.put("routeTables", made, { name: nameOf(given, made), vpc: String(vpcId) });
        return { id: made, outputs: { arn: account.arn("ec2", `route-table/${made}`) } };
    },
    update: tagsAlone,
    async delete(account, tableId) {
        account.refuseWhileUsed(
            `The routeTable '${tableId}'`,
            account.all("associations").filter((each) => each.table === tableId),
        );
        account.remove("routeTables", tableId);
    },
};

/** A route: everything else goes to the internet gateway. */
export const route: Simulated<Account> = {
    inputs: {
        rules: {
            routeTableId: id("rtb", { isRequired: true, isFixed: true }),
            destinationCidrBlock: oneOf(["0.0.0.0/0"], { isRequired: true, isFixed: true }),
            gatewayId: id("igw", { isFixed: true }),
            natGatewayId: id("nat", { isFixed: true }),
        },
        notSimulated: [
            "carrierGatewayId",
            "coreNetworkArn",
            "destinationIpv6CidrBlock",
            "destinationPrefixListId",
            "egressOnlyGatewayId",
            "localGatewayId",
            "networkInterfaceId",
            "odbNetworkArn",
            "region",
            "transitGatewayId",
            "vpcEndpointId",
            "vpcPeeringConnectionId",
        ],
    },
    outputs: ["origin", "state"],
    async create(account, { routeTableId, gatewayId, natGatewayId }) {
        const table = account.find("routeTables", routeTableId);
        if (Boolean(gatewayId) === Boolean(natGatewayId)) {
            throw new Error("InvalidParameterCombination: a route leads to one gateway");
        }
        const gateway = gatewayId ? account.find("gateways", gatewayId) : account.find("natGateways", natGatewayId);
        const target = String(gatewayId ?? natGatewayId);
        if (table.vpc !== gateway.vpc) {
            throw new Error(`InvalidParameterValue: route table ${routeTableId} and ${target} belong to two networks`);
        }
        const made = `r-${routeTableId}`;
        account.put("routes", made, { name: made, table: String(routeTableId), gateway: target });
        return { id: made, outputs: { origin: "CreateRoute", state: "active" } };
    },
    async delete(account, routeId) {
        account.remove("routes", routeId);
    },
};

export const routeTableAssociation: Simulated<Account> = {
    inputs: {
        rules: {
            routeTableId: id("rtb", { isRequired: true, isFixed: true }),
            subnetId: id("subnet", { isRequired: true, isFixed: true }),
        },
        notSimulated: ["gatewayId", "region"],
    },
    outputs: [],
    async create(account, { routeTableId, subnetId }) {
        account.find("routeTables", routeTableId);
        account.find("subnets", subnetId);
        if (account.all("associations").some((other) => other.subnet === subnetId)) {
            throw new Error(`Resource.AlreadyAssociated: subnet ${subnetId} has a route table already`);
        }
        const made = account.newId("rtbassoc");
        account.put("associations", made, { name: made, table: String(routeTableId), subnet: String(subnetId) });
        return { id: made };
    },
    async delete(account, associationId) {
        account.remove("associations", associationId);
    },
};

/** Whether what is in a subnet finds its way to the internet. */
export function reachesInternet(account: Account, subnetId: string): boolean {
    const { associations, routes } = account.resources;
    const table = Object.values(associations).find(({ subnet }) => subnet === subnetId)?.table;
    return Object.values(routes).some((each) => each.table === table);
}
