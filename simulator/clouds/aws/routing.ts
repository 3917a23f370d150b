import type { Properties } from "../../plugins/protocol/serve";
import { oneOf, required } from "../shared/inputs";
import type { Simulated } from "../shared/simulated";
import { type Account, nameOf, type Resources } from "./account";
import { balancersOf } from "./balancing";
import { waitForInterfaces } from "./interfaces";
import { tagsAlone } from "./network";
import { id, tags } from "./rules";

/** An internet gateway: behind it is the network's mirror. */
export const internetGateway: Simulated<Account> = {
    inputs: { vpcId: id("vpc", required), tags },
    outputs: ["arn", "ownerId"],
    async create(account, { vpcId, tags: given }) {
        account.find("vpcs", vpcId);
        if (account.all("gateways").some((other) => other.vpc === vpcId)) {
            throw new Error(`Resource.AlreadyAssociated: the vpc '${vpcId}' has an internet gateway already`);
        }
        const created = account.newId("igw");
        account.put("gateways", created, { name: nameOf(given, created), vpc: String(vpcId) });
        return { id: created, outputs: { arn: account.arn("ec2", `internet-gateway/${created}`) } };
    },
    async update(account, gatewayId, { vpcId }) {
        account.find("vpcs", vpcId);
        account.change("gateways", gatewayId, (now) => ({ ...now, vpc: String(vpcId) }));
        return undefined;
    },
    async delete(account, gatewayId, operation) {
        const { vpc } = account.find("gateways", gatewayId);
        await waitForInterfaces(account, `Network ${vpc}`, (each) => each.vpc === vpc, operation);
        const users = [...account.all("instances"), ...balancersOf(account.resources), ...account.all("natGateways")];
        account.refuseWhileUsed(
            `Network ${vpc} has some mapped public address(es): the internet gateway`,
            users.filter((each) => each.vpc === vpc),
        );
        account.remove("gateways", gatewayId);
    },
};

/** A gateway for outgoing IPv6 traffic: only an entry in the account. */
export const egressOnlyInternetGateway: Simulated<Account> = {
    inputs: { vpcId: id("vpc", required), tags },
    outputs: [],
    async create(account, { vpcId, tags: given }) {
        account.find("vpcs", vpcId);
        const created = account.newId("eigw");
        account.put("egressGateways", created, { name: nameOf(given, created), vpc: String(vpcId) });
        return { id: created };
    },
    update: tagsAlone,
    async delete(account, gatewayId) {
        account.find("egressGateways", gatewayId);
        account.remove("egressGateways", gatewayId);
    },
};

export const routeTable: Simulated<Account> = {
    inputs: { vpcId: id("vpc", required), tags },
    outputs: ["arn", "ownerId"],
    async create(account, { vpcId, tags: given }) {
        account.find("vpcs", vpcId);
        const created = account.newId("rtb");
        account.put("routeTables", created, { name: nameOf(given, created), vpc: String(vpcId) });
        return { id: created, outputs: { arn: account.arn("ec2", `route-table/${created}`) } };
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
        routeTableId: id("rtb", required),
        destinationCidrBlock: oneOf(["0.0.0.0/0"]),
        destinationIpv6CidrBlock: oneOf(["::/0"]),
        egressOnlyGatewayId: id("eigw"),
        gatewayId: id("igw"),
        natGatewayId: id("nat"),
    },
    outputs: ["origin", "state"],
    async create(account, inputs) {
        const created = `r-${inputs.routeTableId}${inputs.destinationIpv6CidrBlock === undefined ? "" : "-ipv6"}`;
        account.put("routes", created, { name: created, ...wayOf(account, inputs) });
        return { id: created, outputs: { origin: "CreateRoute", state: "active" } };
    },
    async update(account, routeId, inputs) {
        account.put("routes", routeId, { name: routeId, ...wayOf(account, inputs) });
        return undefined;
    },
    async delete(account, routeId) {
        account.remove("routes", routeId);
    },
};

/** Where a route leads; throws what the service refuses. */
function wayOf(account: Account, inputs: Properties): Omit<Resources["routes"][string], "name"> {
    const { routeTableId, destinationCidrBlock, destinationIpv6CidrBlock } = inputs;
    const table = account.find("routeTables", routeTableId);
    const targets = (
        [
            ["gateways", inputs.gatewayId],
            ["natGateways", inputs.natGatewayId],
            ["egressGateways", inputs.egressOnlyGatewayId],
        ] as const
    ).filter(([, each]) => each !== undefined);
    if (targets.length !== 1) throw new Error("InvalidParameterCombination: a route leads to one gateway");
    const [kind, target] = targets[0]!;
    const isIpv6 = destinationIpv6CidrBlock !== undefined;
    if (isIpv6 === (destinationCidrBlock !== undefined)) {
        throw new Error("InvalidParameterCombination: a route is of IPv4 or of IPv6");
    }
    if (kind === (isIpv6 ? "natGateways" : "egressGateways")) {
        throw new Error(`InvalidParameterValue: ${target} takes no ${isIpv6 ? "IPv6" : "IPv4"}`);
    }
    const gateway = account.find(kind, target);
    if (table.vpc !== gateway.vpc) {
        throw new Error(`InvalidParameterValue: route table ${routeTableId} and ${target} belong to two networks`);
    }
    return { table: String(routeTableId), gateway: String(target), ...(isIpv6 && { isIpv6 }) };
}

export const routeTableAssociation: Simulated<Account> = {
    inputs: {
        routeTableId: id("rtb", required),
        subnetId: id("subnet", required),
    },
    outputs: [],
    async create(account, { routeTableId, subnetId }) {
        account.find("routeTables", routeTableId);
        account.find("subnets", subnetId);
        if (account.all("associations").some((other) => other.subnet === subnetId)) {
            throw new Error(`Resource.AlreadyAssociated: subnet ${subnetId} has a route table already`);
        }
        const created = account.newId("rtbassoc");
        account.put("associations", created, { name: created, table: String(routeTableId), subnet: String(subnetId) });
        return { id: created };
    },
    async update(account, associationId, { routeTableId }) {
        account.find("routeTables", routeTableId);
        account.change("associations", associationId, (now) => ({ ...now, table: String(routeTableId) }));
        return undefined;
    },
    async delete(account, associationId) {
        account.remove("associations", associationId);
    },
};
