import { setTimeout as sleep } from "node:timers/promises";
import { destroyLoadBalancer, ensureLoadBalancer, exec } from "../../../machines";
import { isObject, type Properties } from "../../plugins/protocol/serve";
import { met } from "../shared/behaviours";
import { inTurn } from "../shared/in-turn";
import { listOf, oneOf, type Rule, required, text } from "../shared/inputs";
import type { Simulated } from "../shared/simulated";
import type { Account, LoadBalancer, Resources, Vpc } from "./account";
import { applyFirewalls } from "./firewall";
import { regions } from "./offers";
import { requireProject, tagPattern } from "./project-resources";

const isPort = (value: unknown) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65_535;
const forwarding: Readonly<Record<string, (value: unknown) => boolean>> = {
    entryPort: isPort,
    entryProtocol: (value) => value === "tcp",
    targetPort: isPort,
    targetProtocol: (value) => value === "tcp",
};
const checkTimes: Readonly<Record<string, readonly [least: number, most: number]>> = {
    checkIntervalSeconds: [3, 300],
    responseTimeoutSeconds: [3, 300],
    unhealthyThreshold: [2, 10],
    healthyThreshold: [2, 10],
};

const healthcheck: Rule = {
    legal: "of https on 6443 at /readyz, of http at a path, or of tcp, with times that the service accepts",
    isLegal: ({ protocol, port, path, ...times }: Properties) => {
        const isAsked = {
            https: port === 6443 && path === "/readyz",
            http: isPort(port) && /^\//.test(String(path)),
            tcp: isPort(port) && path === undefined,
        }[String(protocol)];
        return (
            isAsked === true &&
            Object.entries(times).every(([key, each]) => {
                const [least, most] = checkTimes[key] ?? [];
                return least !== undefined && Number(each) >= least && Number(each) <= most!;
            })
        );
    },
    isRequired: true,
};

/** The clients it allows: blocks and addresses, only IPv4 here. */
const firewall: Rule = {
    legal: "allows of cidr:<IPv4 block> and ip:<IPv4 address>",
    isLegal: (value: Properties) =>
        Object.keys(value).join() === "allows" &&
        Array.isArray(value.allows) &&
        value.allows.every((each) => /^(cidr:\d+(\.\d+){3}\/\d+|ip:\d+(\.\d+){3})$/.test(String(each))),
};

/** A load balancer: a HAProxy in the droplets' network. */
export const loadBalancer: Simulated<Account> = {
    inputs: {
        name: text("letters, digits, dashes and periods", /^[A-Za-z0-9][A-Za-z0-9.-]*$/, required),
        region: oneOf(regions, required),
        vpcUuid: text("a VPC's id", /^[0-9a-f-]{36}$/, required),
        dropletIds: listOf("droplets' ids", (value: unknown) => Number.isInteger(value)),
        dropletTag: text("a tag", tagPattern),
        forwardingRules: listOf(
            "rules of tcp",
            (value: Properties) =>
                isObject(value) &&
                Object.keys(value).length === 4 &&
                Object.entries(forwarding).every(([key, isLegal]) => isLegal(value[key])),
            required,
        ),
        healthcheck,
        firewall,
        type: oneOf(["REGIONAL"]),
        sizeUnit: {
            legal: "a number of nodes from 1 to 200",
            isLegal: (value: unknown) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 200,
        },
        projectId: text("a project's id", /^[0-9a-f-]{36}$/),
    },
    outputs: ["ip", "loadBalancerUrn", "status"],
    async create(account: Account, inputs: Properties) {
        const { vpcs, loadBalancers } = account.resources;
        const home = vpcs[String(inputs.vpcUuid)];
        if (!home) throw new Error(`vpcUuid must be a VPC's (got ${inputs.vpcUuid})`);
        const others = Object.values(loadBalancers).filter(({ vpc }) => vpc === inputs.vpcUuid);
        if (others.some(({ name }) => name === inputs.name)) {
            throw new Error(`two load balancers with the same name are not simulated (got ${inputs.name})`);
        }
        const address = freeBalancerAddress(
            home,
            others.map((each) => each.address),
        );
        const created = balancerOf(account, address, inputs);
        const id = account.newId("loadBalancers");
        account.put("loadBalancers", id, created);
        if (account.state.slowness !== 0) met("late load balancer");
        met("paced health checks");
        await sleep((account.state.slowness ?? 1) * activationSeconds * 1000);
        await rebalance(account);
        await applyFirewalls(account);
        return { id, outputs: { ip: address, loadBalancerUrn: `do:loadbalancer:${id}`, status: "active" } };
    },
    async update(account: Account, id: string, inputs: Properties) {
        const before = account.resources.loadBalancers[id]!;
        if (before.name !== inputs.name) throw new Error("changing the name is not simulated");
        account.put("loadBalancers", id, balancerOf(account, before.address, inputs));
        await rebalance(account);
        return undefined;
    },
    async delete(account: Account, id: string) {
        const { vpcs, loadBalancers } = account.resources;
        const removed = loadBalancers[id]!;
        await inTurn(async () => {
            await destroyLoadBalancer(vpcs[removed.vpc]!.name, containerOf(removed));
            account.remove("loadBalancers", id);
        });
        await applyFirewalls(account);
    },
};

/** A health check, with the provider's defaults. */
interface Check {
    readonly protocol: string;
    readonly port: number;
    readonly path?: string;
    readonly checkIntervalSeconds?: number;
    readonly healthyThreshold?: number;
    readonly unhealthyThreshold?: number;
}

/** Seconds until a load balancer is active: the service takes two minutes or more. */
export const activationSeconds = 3;

function balancerOf(account: Account, address: string, inputs: Properties): LoadBalancer {
    const { name, vpcUuid, dropletIds, dropletTag, forwardingRules, healthcheck: asked, firewall: who } = inputs;
    const { projectId } = inputs;
    const { droplets, tags } = account.resources;
    if (projectId !== undefined) requireProject(account, projectId);
    if ((dropletIds === undefined) === (dropletTag === undefined)) {
        throw new Error("a load balancer must have either dropletIds or a dropletTag");
    }
    const ids = (dropletIds ?? []) as number[];
    const unknown = ids.find((id) => !droplets[id]);
    if (unknown) throw new Error(`dropletIds must be of existing droplets (got ${unknown})`);
    if (dropletTag !== undefined && !tags[String(dropletTag)]) {
        throw new Error(`dropletTag must be an existing tag (got ${dropletTag})`);
    }
    const { protocol, port, path, ...times } = asked as Check;
    const { allows } = (who ?? {}) as { allows?: string[] };
    return {
        name: String(name),
        vpc: String(vpcUuid),
        address,
        droplets: ids,
        // The provider sends it with each change; if missing, the first project applies, which is the default one.
        ...(projectId !== undefined && { project: String(projectId) }),
        ...(dropletTag !== undefined && { tag: String(dropletTag) }),
        ports: (forwardingRules as { entryPort: number; targetPort: number }[]).map(({ entryPort, targetPort }) => ({
            port: entryPort,
            targetPort,
        })),
        ...(protocol === "http" && { check: { port, path: path! } }),
        pace: {
            interval: times.checkIntervalSeconds ?? 10,
            healthy: times.healthyThreshold ?? 5,
            unhealthy: times.unhealthyThreshold ?? 3,
        },
        ...(allows && { allowed: allows.map((each) => each.replace(/^(cidr|ip):/, "")) }),
    };
}

/**
 * Host numbers of a VPC's first /24, the only part that the host can reach: the lower half is private, the upper one
 * stands for the internet. The first ones belong to the host and the mirror.
 */
const droplets = { first: 10, count: 118 };
const firstPublic = 128;
const balancers = { first: firstPublic + droplets.count, count: 7 };

/** Addresses of a droplet, in its VPC and on the internet. */
interface Addresses {
    readonly address: string;
    readonly publicAddress: string;
}

/** @param taken - addresses in VPCs that droplets have */
export function freeAddresses({ ipRange, given = 0 }: Vpc, taken: readonly string[]): Addresses {
    const { first, count } = droplets;
    const hosts = Array.from({ length: count }, (_, index) => (given + index) % count);
    const free = hosts.find((each) => !taken.includes(at(ipRange, first + each)));
    if (free === undefined) throw new Error(`more than ${count} droplets in a VPC are not simulated`);
    return { address: at(ipRange, first + free), publicAddress: at(ipRange, firstPublic + free) };
}

/** Address of a load balancer, on the internet. */
export function freeBalancerAddress({ ipRange }: Vpc, taken: readonly string[]): string {
    const { first, count } = balancers;
    const all = Array.from({ length: count }, (_, index) => at(ipRange, first + index));
    const free = all.find((address) => !taken.includes(address));
    if (!free) throw new Error("more than seven load balancers in a VPC are not simulated");
    return free;
}

const unitName = "simulated-public-address.service";

/** Adds a machine's public address, from which it reaches the internet, now and at every boot. */
export async function makePublic({ name, ipRange }: Vpc, machine: string, { publicAddress }: Addresses): Promise<void> {
    const route = `${at(ipRange, firstPublic)}/25 dev eth0 src ${publicAddress}`;
    const script = `ip address replace ${publicAddress}/32 dev eth0 && ip route replace ${route}`;
    const unit = `[Unit]
Description=The public address of a simulated droplet
[Service]
Type=oneshot
ExecStart=/bin/sh -c '${script}'
`;
    const units = "/etc/systemd/system";
    const lasting = `printf '%s' "$1" >${units}/${unitName} && mkdir -p ${units}/multi-user.target.wants && ln -sf ../${unitName} ${units}/multi-user.target.wants/`;
    await exec(name, machine, ["sh", "-c", `${script} && ${lasting}`, "sh", unit]);
}

function at(ipRange: string, host: number): string {
    return ipRange.replace(/\.\d+\/\d+$/, `.${host}`);
}

const apiPort = 6443;

/** Updates the droplets of every load balancer to those that exist: deleted ones are removed. */
export function rebalance(account: Account): Promise<void> {
    return inTurn(() => balanceAll(account));
}

async function balanceAll(account: Account): Promise<void> {
    const { resources, state } = account;
    const { idleSeconds } = state;
    if (idleSeconds !== undefined && Object.keys(resources.loadBalancers).length > 0) met("closed idle connections");
    for (const balancer of Object.values(resources.loadBalancers)) {
        const { vpc, address, ports, check, allowed, pace } = balancer;
        const backends = backendsOf(resources, balancer);
        const others = ports.filter(({ port }) => port !== apiPort);
        await ensureLoadBalancer({
            cluster: resources.vpcs[vpc]!.name,
            name: containerOf(balancer),
            address,
            ...(others.length < ports.length && { backends, allowed, pace }),
            ...(idleSeconds !== undefined && { idleSeconds }),
            // Unlike AWS': its documentation has 503 for HTTP, and closed connections for TCP.
            failsClosed: true,
            ports: others.map((each) => ({ ...each, backends, check, allowed, pace, failsClosed: true })),
        });
    }
}

/** Addresses of its droplets, given by id or by tag. */
export function backendsOf({ droplets }: Resources, { vpc, droplets: ids, tag }: LoadBalancer): string[] {
    const existing = ids.flatMap((id) => droplets[id] ?? []);
    const tagged = Object.values(droplets).filter((each) => each.vpc === vpc && tag && each.tags.includes(tag));
    return [...existing, ...tagged].map(({ address }) => address);
}

/** Name of its container: the default is that of the machines' own API. */
export function containerOf({ name, ports }: LoadBalancer): string | undefined {
    return ports.some(({ port }) => port === apiPort) ? undefined : `${name}.service`;
}
