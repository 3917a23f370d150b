import { local } from "@pulumi/command";
import type * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../cluster/model";
import { machineCommand } from "./machine-command";
import type { LocalNetwork } from "./network";

/** The API's load balancer: one address in front of every controller that is ready. */
export function createLoadBalancer(
    name: string,
    cluster: Cluster,
    network: LocalNetwork,
    opts: pulumi.CustomResourceOptions,
): local.Command {
    const backends = cluster.controllers.names.map((controller) => network.machines[controller]).join(",");
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
