import { destroyLoadBalancer, ensureLoadBalancer } from "../../machines";
import { listOf, oneOf, type Rule, text } from "../cloud/inputs";
import type { Simulated } from "../cloud/simulated";
import { isObject, type Properties } from "../plugin";
import type { Account } from "./account";
import { applyFirewalls } from "./filter";
import { regions } from "./offers";

const forwarding = { entryPort: 6443, entryProtocol: "tcp", targetPort: 6443, targetProtocol: "tcp" };
const check = { protocol: "https", port: 6443, path: "/readyz" };
const checkTimes: Readonly<Record<string, readonly [least: number, most: number]>> = {
    checkIntervalSeconds: [3, 300],
    responseTimeoutSeconds: [3, 300],
    unhealthyThreshold: [2, 10],
    healthyThreshold: [2, 10],
};

const has = (value: unknown, wanted: object) =>
    isObject(value) && Object.entries(wanted).every(([key, each]) => value[key] === each);

/** That of the machines: it looks each second, whatever it is told. */
const healthcheck: Rule = {
    legal: "of https on 6443 at /readyz, with times that the service takes",
    isLegal: (value: Properties) =>
        has(value, check) &&
        Object.entries(value).every(([key, each]) => {
            const [least, most] = checkTimes[key] ?? [];
            return key in check || (least !== undefined && Number(each) >= least && Number(each) <= most!);
        }),
    isRequired: true,
};

/** A load balancer: the machines' one, in the droplets' network. */
export const loadBalancer: Simulated<Account> = {
    inputs: {
        rules: {
            name: text("letters, digits, dashes and periods", /^[A-Za-z0-9][A-Za-z0-9.-]*$/, { isRequired: true }),
            region: oneOf(regions, { isRequired: true, isFixed: true }),
            vpcUuid: text("a VPC's id", /^[0-9a-f-]{36}$/, { isRequired: true, isFixed: true }),
            dropletIds: listOf("droplets' ids", (value: unknown) => Number.isInteger(value), { isRequired: true }),
            forwardingRules: listOf(
                "one rule of tcp, 6443 to 6443",
                (value: Properties) => has(value, forwarding) && Object.keys(value).length === 4,
                { isRequired: true },
            ),
            healthcheck,
        },
        notSimulated: [
            "algorithm",
            "disableLetsEncryptDnsRecords",
            "domains",
            "dropletTag",
            "enableBackendKeepalive",
            "enableProxyProtocol",
            "firewall",
            "glbSettings",
            "httpIdleTimeoutSeconds",
            "ip",
            "network",
            "networkStack",
            "projectId",
            "redirectHttpToHttps",
            "size",
            "sizeUnit",
            "stickySessions",
            "subnetUuid",
            "targetLoadBalancerIds",
            "tlsCipherPolicy",
            "type",
        ],
    },
    outputs: ["ip", "loadBalancerUrn", "status"],
    async create(account: Account, { name, vpcUuid, dropletIds }: Properties) {
        const { vpcs, loadBalancers } = account.resources;
        const home = vpcs[String(vpcUuid)];
        if (!home) throw new Error(`vpcUuid must be a VPC's, got ${vpcUuid}`);
        if (Object.values(loadBalancers).some(({ vpc }) => vpc === vpcUuid)) {
            throw new Error("a second load balancer in a VPC is not simulated");
        }
        const address = home.ipRange.replace(/\.\d+\/\d+$/, ".3");
        const made = { name: String(name), vpc: String(vpcUuid), address, droplets: known(account, dropletIds) };
        const id = account.newId("loadBalancers");
        account.put("loadBalancers", id, made);
        await balanceAnew(account);
        await applyFirewalls(account);
        return { id, outputs: { ip: address, loadBalancerUrn: `do:loadbalancer:${id}`, status: "active" } };
    },
    async update(account: Account, id: string, { dropletIds }: Properties) {
        const droplets = known(account, dropletIds);
        account.put("loadBalancers", id, { ...account.resources.loadBalancers[id]!, droplets });
        await balanceAnew(account);
        return undefined;
    },
    async delete(account: Account, id: string) {
        const { vpcs, loadBalancers } = account.resources;
        await destroyLoadBalancer(vpcs[loadBalancers[id]!.vpc]!.name);
        account.remove("loadBalancers", id);
        await applyFirewalls(account);
    },
};

/** Tells every load balancer the droplets that are there: one that is deleted leaves it. */
export async function balanceAnew(account: Account): Promise<void> {
    const { vpcs, droplets, loadBalancers } = account.resources;
    for (const { vpc, address, droplets: ids } of Object.values(loadBalancers)) {
        const backends = ids.flatMap((id) => droplets[id]?.address ?? []);
        await ensureLoadBalancer({ cluster: vpcs[vpc]!.name, address, backends });
    }
}

function known(account: Account, ids: unknown): number[] {
    const { droplets } = account.resources;
    const unknown = (ids as number[]).find((id) => !droplets[id]);
    if (unknown) throw new Error(`dropletIds must be of droplets that are there, got ${unknown}`);
    return ids as number[];
}
