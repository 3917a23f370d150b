import type { ClusterSteps, OwnedStep } from "./clusters";
import { at } from "./workloads";

/** A machine of a cluster, or a group of those that a cloud makes. */
export interface Machine {
    readonly step: OwnedStep;
    readonly name: string;
    /** `controller` is one. */
    readonly pool: string;
    readonly isController: boolean;
}

const machineTypes = ["aws:ec2/instance:Instance", "digitalocean:index/droplet:Droplet"];

/** The machines that a stack has each as a resource of its own. */
export function machinesOf({ name: cluster, steps }: ClusterSteps): Machine[] {
    return steps.flatMap((step) => {
        const [, pool] = new RegExp(`^${escaped(cluster)}-(.+)-\\d+$`).exec(step.name) ?? [];
        if (pool === undefined || !isMachine(step)) return [];
        return [{ step, name: step.name, pool, isController: pool === "controller" }];
    });
}

/** Pools whose machines the cloud makes. */
export function groupsOf({ steps }: ClusterSteps): OwnedStep[] {
    return steps
        .filter(({ type }) => type === "aws:autoscaling/group:Group")
        .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The volumes of etcd by the names of their controllers. */
export function etcdDisksOf({ steps }: ClusterSteps): OwnedStep[] {
    return steps.filter(
        ({ type, name }) =>
            ["aws:ebs/volume:Volume", "digitalocean:index/volume:Volume"].includes(type) && name.endsWith("-etcd"),
    );
}

/** A local machine is what a command makes. */
function isMachine({ type, old, new: coming }: OwnedStep): boolean {
    const command = String(at(coming ?? old, "create") ?? "");
    return machineTypes.includes(type) || (type === "command:local:Command" && command.includes(" machine create "));
}

function escaped(name: string): string {
    return name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
