import { local } from "@pulumi/command";
import type * as pulumi from "@pulumi/pulumi";
import type { Cidr } from "../cluster/cidr";
import { hostAddress, overlaps, parseCidr } from "../cluster/cidr";
import type { Cluster } from "../cluster/model";
import { invalid } from "../cluster/validate";
import { machineCommand } from "./machine-command";

/** Where things are in the machines' network, counted from its first address. */
const offsets = { infra: 2, loadBalancer: 3, controllers: 11, workers: 21 } as const;

/** Addresses in the machines' own network: plain data. */
export interface LocalNetwork {
    readonly cidr: Cidr;
    readonly infra: string;
    readonly loadBalancer: string;
    /** By node name. */
    readonly machines: Readonly<Record<string, string>>;
}

/** Gives every machine a fixed address; a worker keeps its own while its pool and those before it only grow at the end. */
export function localNetwork(cluster: Cluster, machineCidr: string): LocalNetwork {
    const cidr = parseCidr("machineCidr", machineCidr);
    const { podCidr, serviceCidr } = cluster.network;
    if (overlaps(cidr, podCidr) || overlaps(cidr, serviceCidr)) {
        throw invalid(
            "machineCidr",
            `apart from network.podCidr ${podCidr.text} and network.serviceCidr ${serviceCidr.text}`,
            machineCidr,
        );
    }
    const workers = cluster.workerPools.flatMap((pool) => pool.nodes);
    if (cidr.prefix > 24 || cidr.last - cidr.first < BigInt(offsets.workers + workers.length)) {
        throw invalid("machineCidr", `a /24 or larger with room for ${workers.length} workers`, machineCidr);
    }
    const at = (first: number) => (name: string, index: number) => [name, hostAddress(cidr, first + index)] as const;
    return {
        cidr,
        infra: hostAddress(cidr, offsets.infra),
        loadBalancer: hostAddress(cidr, offsets.loadBalancer),
        machines: Object.fromEntries([
            ...cluster.controllers.names.map(at(offsets.controllers)),
            ...workers.map(at(offsets.workers)),
        ]),
    };
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
            create: machineCommand("network create", { cluster: cluster.name, subnet: network.cidr.text, domain }),
            delete: machineCommand("network destroy", { cluster: cluster.name }),
            triggers: [network.cidr.text, domain],
        },
        { ...opts, deleteBeforeReplace: true },
    );
}
