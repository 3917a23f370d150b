import { local } from "@pulumi/command";
import type * as pulumi from "@pulumi/pulumi";
import type { Cidr } from "../cluster/cidr";
import { hostAddress, overlaps, parseCidr } from "../cluster/cidr";
import type { Cluster } from "../cluster/model";
import { invalid } from "../cluster/validate";
import { type AddressesByIpv6, addressesByIpv6 } from "./addresses-by-ipv6";
import { machineCommand } from "./machine-command";

/** Where things are in the machines' network, counted from its first address. */
const offsets = { infra: 2, loadBalancer: 3, controllers: 11 } as const;

/** Addresses in the machines' own network: plain data. */
export interface LocalNetwork {
    readonly cidr: Cidr;
    readonly infra: string;
    readonly loadBalancer: string;
    /** By node name. */
    readonly machines: Readonly<Record<string, string>>;
    /** By IPv6, in a cluster whose pods have addresses of it too. @default - machines have none */
    readonly byIpv6?: AddressesByIpv6;
}

/** A network is cut into eight blocks: one for infrastructure and controllers, one for each of up to seven pools. */
const blocks = 8;

/** Gives every machine a fixed address, which it keeps while pools grow and shrink and others are added after them. */
export function localNetwork(cluster: Cluster, machineCidr: string): LocalNetwork {
    const cidr = parseCidr("machineCidr", machineCidr);
    const { podCidr, serviceCidr } = cluster.network;
    if (overlaps(cidr, podCidr) || overlaps(cidr, serviceCidr)) {
        const others = `network.podCidr ${podCidr.text} and network.serviceCidr ${serviceCidr.text}`;
        throw invalid("machineCidr", `apart from ${others}`, machineCidr);
    }
    if (cidr.prefix > 24) {
        throw invalid("machineCidr", "a /24 or larger", machineCidr);
    }
    const block = Number(cidr.last - cidr.first + 1n) / blocks;
    checkPools(cluster, block, machineCidr);
    const at = (first: number) => (name: string, index: number) => [name, hostAddress(cidr, first + index)] as const;
    const machines = Object.fromEntries([
        ...cluster.controllers.names.map(at(offsets.controllers)),
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
    if (workerPools.length >= blocks) {
        throw invalid("workerPools", `at most ${blocks - 1} pools`, workerPools.length);
    }
    for (const [index, { nodes }] of workerPools.entries()) {
        // The last address of the network is its broadcast address.
        if (nodes.length >= block) {
            const legal = `at most ${block - 1} in a machineCidr of ${machineCidr}`;
            throw invalid(`workerPools[${index}].count`, legal, nodes.length);
        }
    }
}

/** The Docker network of the machines, with its DNS and its mirror of images and files. */
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
