import type { Bill } from "../../../cli/verify-cloud/clouds/facts";
import { count } from "../../../cli/verify-cloud/cost/bill";

/** A peer's cluster with the same machines and otherwise its defaults. */
export interface Peer {
    readonly name: string;
    readonly bill: Readonly<Record<MeasuredCloud, (ours: Bill) => Bill>>;
}

/** Zones per region, as Typhoon creates a subnet in each. Assumed: most regions have three. */
const zones = 3;

/**
 * Typhoon v1.36: 30 GB disks, and on AWS everything in public subnets behind one network load balancer; on DigitalOcean DNS
 * records of the controllers instead of a load balancer.
 */
const typhoon: Peer = {
    name: "Typhoon",
    bill: {
        aws(ours) {
            const machines = withWorkers(ours);
            const total = count(machines.controllers) + count(machines.workers);
            return { ...machines, ...nothing, storage: 30 * total, publicAddresses: total + zones, loadBalancers: 1 };
        },
        digitalocean: (ours) => ({ ...withWorkers(ours), ...nothing }),
    },
};

/**
 * kops with the same load balancers, gateways and topology (assumed), and default disks: 64 GB for control plane machines and
 * 128 GB for others (pkg/defaults), two 20 GB volumes for each etcd member (DefaultEtcdVolumeSize in
 * pkg/model/master_volumes.go). Droplets include their disks.
 */
const kops: Peer = {
    name: "kops",
    bill: {
        aws(ours) {
            const machines = withWorkers(ours);
            const [controllers, workers] = [count(machines.controllers), count(machines.workers)];
            const added = workers - count(ours.workers);
            const publicAddresses = ours.publicAddresses + (ours.natGateways === 0 ? added : 0);
            // Its nodes use the load balancer of all clients, or controllers' addresses.
            const shared = { loadBalancers: Math.min(ours.loadBalancers, 1), hostedZones: 0 };
            const storage = 64 * controllers + 128 * workers + etcdStorage(ours);
            return { ...ours, ...machines, ...shared, storage, publicAddresses };
        },
        digitalocean: (ours) => ({ ...ours, ...withWorkers(ours), storage: etcdStorage(ours) }),
    },
};

export const peers: readonly Peer[] = [typhoon, kops];

const etcdStorage = ({ controllers }: Bill) => 2 * 20 * count(controllers);

/** By default, neither runs pods on controllers: their smallest cluster has a worker, here of the same type. */
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
 * Number of resources that Typhoon's documentation (docs/flatcar-linux/aws.md and docs/fedora-coreos/digitalocean.md of v1.28)
 * reports for a plan with one controller and two workers; kops documents no such number.
 */
export const typhoonsPlan = { aws: 109, digitalocean: 54 };

/** A cloud that the peers have, too. */
export type MeasuredCloud = keyof typeof typhoonsPlan;
