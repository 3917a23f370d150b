import { met } from "../shared/behaviours";
import { oneOf, required, text } from "../shared/inputs";
import type { Simulated } from "../shared/simulated";
import { type Account, nameOf } from "./account";
import { tagsAlone } from "./network";
import { id, tags } from "./rules";
import { reachesInternet } from "./ways-out";

/** An elastic IP address, from a block for documentation that nothing here answers to. */
export const eip: Simulated<Account> = {
    inputs: { domain: oneOf(["vpc"], required), tags },
    outputs: ["allocationId", "arn", "publicIp"],
    async create(account, { tags: given }) {
        const used = account.all("addresses").map(({ address }) => address);
        const free = Array.from({ length: 254 }, (_, index) => `203.0.113.${index + 1}`).filter(
            (each) => !used.includes(each),
        );
        // The default quota per region of a new account.
        if (used.length === 5) {
            met("quota");
            throw new Error("AddressLimitExceeded: The maximum number of addresses has been reached");
        }
        const created = account.newId("eipalloc");
        account.put("addresses", created, { name: nameOf(given, created), address: free[0]! });
        return { id: created, outputs: { allocationId: created, publicIp: free[0]! } };
    },
    update: tagsAlone,
    async delete(account, addressId) {
        account.refuseWhileUsed(
            `The address ${addressId}`,
            account.all("natGateways").filter(({ address }) => address === addressId),
        );
        account.remove("addresses", addressId);
    },
};

/** A NAT gateway: behind it is the network's mirror, which a private subnet reaches even without. */
export const natGateway: Simulated<Account> = {
    inputs: {
        allocationId: id("eipalloc", required),
        subnetId: id("subnet", required),
        connectivityType: text("public", /^public$/),
        tags,
    },
    outputs: ["associationId", "networkInterfaceId", "publicIp"],
    async create(account, { allocationId, subnetId, tags: given }) {
        const { address } = account.find("addresses", allocationId);
        const { vpc } = account.find("subnets", subnetId);
        if (account.all("natGateways").some((other) => other.address === allocationId)) {
            throw new Error(`Resource.AlreadyAssociated: Elastic IP address [${allocationId}] is already associated`);
        }
        if (!reachesInternet(account, String(subnetId))) {
            throw new Error(`Gateway.NotAttached: ${subnetId} has no route to an internet gateway`);
        }
        const created = account.newId("nat");
        const where = { vpc, subnet: String(subnetId), address: String(allocationId) };
        account.put("natGateways", created, { name: nameOf(given, created), ...where });
        return { id: created, outputs: { publicIp: address } };
    },
    update: tagsAlone,
    async delete(account, natId) {
        account.remove("natGateways", natId);
    },
};
