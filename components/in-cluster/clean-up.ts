import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type { CloudPlace } from "../../agents/clean-up/clouds";
import type { CleanUpRequest } from "../../agents/clean-up/request";
import { readKubeconfig } from "../../clients/kubernetes/api-client";
import { cleanUpMarkerConfig } from "../../cluster/manifests/nodes/clean-up";
import { ownProgram } from "../pulumi/own-program";
import { type InCluster, inCluster } from "./kubernetes-object";

/** Cloud resources created by controllers in the cluster, which the stack does not know. */
export interface CreatedByCluster {
    /** Whether load balancers of Services are created. */
    readonly hasLoadBalancers: boolean;
    /** CSI drivers, by their Kubernetes names. */
    readonly drivers: readonly string[];
    /** Commands that find all of them without the cluster. */
    readonly findByHand: pulumi.Input<readonly string[]>;
    /** Where to query the cloud for them when the cluster is down. */
    readonly cloud: pulumi.Input<CloudPlace>;
    /** What deleting them requires: machines, their route to the cloud and their permissions there. */
    readonly after: readonly pulumi.Resource[];
}

interface CleanUpArgs extends InCluster {
    readonly createdByCluster: CreatedByCluster;
    /** Administrator's kubeconfig. */
    readonly kubeconfig: pulumi.Input<string>;
}

/**
 * Makes a cluster that is destroyed delete the cloud resources it created, before anything else is deleted.
 *
 * Deleting only this resource must never delete a volume: the marker depends on it and is deleted first. If the network
 * is deleted too, the marker is not deleted on its own and still exists, and only then is the cluster being destroyed.
 * It contains the resource's id, so that a replacement does not count either.
 */
export const CleanUp = inCluster(
    "tradewind:index:CleanUp",
    ({ cluster, createdByCluster, kubeconfig }: CleanUpArgs, put, parent, name) => {
        const { after, findByHand, cloud: place, ...scope } = createdByCluster;
        const stdin = pulumi.all([kubeconfig, findByHand, place]).apply(([config, commands, cloud]) => {
            const { server, credentials } = readKubeconfig(config);
            const own = { cluster: cluster.name, server, ...credentials, ...scope };
            const request = { ...own, findByHand: [...commands], cloud };
            return JSON.stringify(request satisfies CleanUpRequest);
        });
        const program = ownProgram("agents/clean-up/main");
        const command = new local.Command(
            `${name}-clean-up`,
            {
                create: `${program} create`,
                // It keeps its identity.
                update: `printf '%s' "$PULUMI_COMMAND_STDOUT"`,
                delete: `${program} delete`,
                stdin: pulumi.secret(stdin),
            },
            { parent, dependsOn: [...after] },
        );
        put(cleanUpMarkerConfig(""), {}, { data: { id: pulumi.unsecret(command.stdout) } });
    },
);
