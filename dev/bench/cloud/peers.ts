import { type Bill, count } from "./bill";
import type { CloudName } from "./prices";

/** A peer's cluster of the same machines, with all else as it makes it. */
export interface Peer {
    readonly name: string;
    bill(cloud: CloudName, ours: Bill): Bill;
}

/** Zones of a region where Typhoon makes a subnet in each. Assumed: most have three. */
const zones = 3;

/**
 * Typhoon, v1.36's files: disks of 30 GB, everything in public subnets behind one network load balancer on AWS; on
 * DigitalOcean no load balancer, but records of the controllers.
 */
const typhoon: Peer = {
    name: "Typhoon",
    bill(cloud, ours) {
        const machines = withWorkers(ours);
        const total = count(machines.controllers) + count(machines.workers);
        if (cloud === "digitalocean") return { ...machines, ...nothing };
        return { ...machines, ...nothing, storage: 30 * total, publicAddresses: total + zones, loadBalancers: 1 };
    },
};

/**
 * kops, asked for the same load balancers, gateways and topology (assumed), with disks of its defaults: 64 GB for a
 * control plane's machine and 128 GB for another (pkg/defaults), two volumes of 20 GB for each etcd member
 * (DefaultEtcdVolumeSize in pkg/model/master_volumes.go). Droplets come with their own disks.
 */
const kops: Peer = {
    name: "kops",
    bill(cloud, ours) {
        const machines = withWorkers(ours);
        const [controllers, workers] = [count(machines.controllers), count(machines.workers)];
        const etcd = 2 * 20 * controllers;
        if (cloud === "digitalocean") return { ...ours, ...machines, storage: etcd };
        const added = workers - count(ours.workers);
        const publicAddresses = ours.publicAddresses + (ours.natGateways === 0 ? added : 0);
        return { ...ours, ...machines, storage: 64 * controllers + 128 * workers + etcd, publicAddresses };
    },
};

export const peers: readonly Peer[] = [typhoon, kops];

/** Neither runs pods on controllers unless told to: the smallest cluster of theirs has a worker, here of the same type. */
function withWorkers({ controllers, workers }: Bill): Pick<Bill, "controllers" | "workers"> {
    const [type = ""] = Object.keys(controllers);
    return { controllers, workers: count(workers) === 0 ? { [type]: 1 } : workers };
}

const nothing = {
    storage: 0,
    publicAddresses: 0,
    natGateways: 0,
    loadBalancers: 0,
    endpoints: 0,
    hostedZones: 0,
};

/**
 * What Typhoon's documentation (docs/flatcar-linux/aws.md and docs/fedora-coreos/digitalocean.md of v1.28) says that a
 * plan of one controller and two workers adds; kops' says nothing of the kind.
 */
export const typhoonsPlan: Readonly<Record<CloudName, number>> = { aws: 109, digitalocean: 54 };
