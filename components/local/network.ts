import { local } from "@pulumi/command";
import type * as pulumi from "@pulumi/pulumi";
import { mapValues } from "../../cluster/manifest";
import { type Cluster, possibleControllers } from "../../cluster/model";
import { type Cidr, hostAddress, hostAddress6, machineBlock6, overlaps, parseCidr } from "../../cluster/network/cidr";
import { invalid, mustNot } from "../../cluster/validate";
import { ownProgram } from "../pulumi/own-program";

/** Offsets of addresses in the machines' network. */
const offsets = { infra: 2, loadBalancer: 3, arbiter: 10, controllers: 11 } as const;

/** Addresses in the machines' own network: plain data. */
export interface LocalNetwork {
    readonly cidr: Cidr;
    readonly infra: string;
    readonly loadBalancer: string;
    /** By node name. */
    readonly machines: Readonly<Record<string, string>>;
    /** IPv6 addresses, in a cluster with IPv6 pods. @default - none */
    readonly byIpv6?: AddressesByIpv6;
}

/**
 * The network is divided into eight blocks: one for infrastructure and controllers, one for each of up to seven pools.
 */
const blocks = 8;

/** Gives every machine a fixed address, which does not change when pools are resized or added at the end. */
export function localNetwork(cluster: Cluster, machineCidr: string): LocalNetwork {
    const cidr = parseCidr("machineCidr", machineCidr);
    const { podCidr, serviceCidr } = cluster.network;
    if (overlaps(cidr, podCidr) || overlaps(cidr, serviceCidr)) {
        const others = `network.podCidr ${podCidr.text} and network.serviceCidr ${serviceCidr.text}`;
        throw mustNot("machineCidr", `overlap ${others}`, machineCidr);
    }
    if (cidr.prefix > 24) throw invalid("machineCidr", "a /24 or larger", machineCidr);
    const block = Number(cidr.last - cidr.first + 1n) / blocks;
    checkPools(cluster, block, machineCidr);
    const at = (first: number) => (name: string, index: number) => [name, hostAddress(cidr, first + index)] as const;
    const machines = Object.fromEntries([
        ...cluster.controllers.names.map(at(offsets.controllers)),
        ...(cluster.controllers.arbiter?.nodes ?? []).map(at(offsets.arbiter)),
        ...cluster.workerPools.flatMap(({ nodes }, index) => nodes.map(at((index + 1) * block))),
    ]);
    return {
        cidr,
        infra: hostAddress(cidr, offsets.infra),
        loadBalancer: hostAddress(cidr, offsets.loadBalancer),
        machines,
        ...(cluster.network.podCidr6 && { byIpv6: addressesByIpv6(cluster, cidr, machines) }),
    };
}

function checkPools({ workerPools }: Cluster, block: number, machineCidr: string): void {
    if (workerPools.length >= blocks) throw invalid("workerPools", `at most ${blocks - 1} pools`, workerPools.length);
    for (const [index, { nodes }] of workerPools.entries()) {
        // The last address of the network is its broadcast address.
        if (nodes.length >= block) {
            const legal = `at most ${block - 1} in a machineCidr of ${machineCidr}`;
            throw invalid(`workerPools[${index}].count`, legal, nodes.length);
        }
    }
}

/** Docker network of the machines, with its DNS server and its mirror of images and files. */
export function createNetwork(
    name: string,
    cluster: Cluster,
    network: LocalNetwork,
    opts: pulumi.CustomResourceOptions,
): local.Command {
    const domain = cluster.zone.slice(cluster.name.length + 1);
    return new local.Command(
        `${name}-network`,
        {
            create: machineCommand("network create", {
                cluster: cluster.name,
                subnet: network.cidr.text,
                ...(network.byIpv6 && { subnet6: network.byIpv6.cidr.text }),
                domain,
            }),
            delete: machineCommand("network destroy", { cluster: cluster.name }),
            triggers: [network.cidr.text, domain],
        },
        { ...opts, deleteBeforeReplace: true },
    );
}

/** IPv6 addresses in the machines' own network: plain data. */
interface AddressesByIpv6 {
    readonly cidr: Cidr;
    /** By node name. */
    readonly machines: Readonly<Record<string, string>>;
}

/**
 * IPv6 block and addresses of the machines. Each machine has the same offset in it as in the IPv4 block `cidr`.
 */
export function addressesByIpv6(
    { network }: Cluster,
    cidr: Cidr,
    addresses: Readonly<Record<string, string>>,
): AddressesByIpv6 {
    const block = machineBlock6(cidr);
    for (const option of ["podCidr6", "serviceCidr6"] as const) {
        const other = network[option];
        if (other && overlaps(block, other)) {
            throw mustNot(`network.${option}`, `overlap the machines' ${block.text}`, other.text);
        }
    }
    const place = (address: string) => Number(parseCidr("machineCidr", `${address}/32`).first - cidr.first);
    return { cidr: block, machines: mapValues(addresses, (address) => hostAddress6(block, place(address))) };
}

/** Load balancer of the API: one address in front of all ready controllers. */
export function createLoadBalancer(
    name: string,
    cluster: Cluster,
    network: LocalNetwork,
    opts: pulumi.CustomResourceOptions,
): local.Command {
    const backends = possibleControllers(cluster)
        .map((controller) => network.machines[controller])
        .join(",");
    return new local.Command(
        `${name}-load-balancer`,
        {
            create: machineCommand("load-balancer create", {
                cluster: cluster.name,
                address: network.loadBalancer,
                backends,
            }),
            delete: machineCommand("load-balancer destroy", { cluster: cluster.name }),
        },
        opts,
    );
}

/** Shell command for a verb of the machines CLI. */
export function machineCommand(verb: string, options: Record<string, string>): string {
    const flags = Object.entries(options).map(([name, value]) => ` --${name} ${value}`);
    return `${ownProgram("machines/cli")} ${verb}${flags.join("")}`;
}
