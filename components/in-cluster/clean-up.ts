import { local } from "@pulumi/command";
import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import type { CloudPlace } from "../../agents/clean-up/leftover";
import type { CleanUpRequest } from "../../agents/clean-up/request";
import { readKubeconfig } from "../../cluster/kubeconfig";
import { cleanUpMarkerConfig } from "../../cluster/manifests/nodes/clean-up";
import type { Cluster } from "../../cluster/model";
import { ownProgram } from "../pulumi/own-program";
import { kubernetesObject } from "./kubernetes-object";

/** What controllers in the cluster make in its cloud, of which the stack knows nothing. */
export interface MadeByCluster {
    /** Whether load balancers of Services are made. */
    readonly hasLoadBalancers: boolean;
    /** Drivers of volumes, as Kubernetes knows them. */
    readonly drivers: readonly string[];
    /** Commands that find all of it without the cluster. */
    readonly findByHand: pulumi.Input<readonly string[]>;
    /** Where the cloud itself is asked for it, when the cluster is dead. */
    readonly cloud: pulumi.Input<CloudPlace>;
    /** What it takes to delete it: machines, their way to the cloud and their rights there. */
    readonly after: readonly pulumi.Resource[];
}

export interface CleanUpArgs {
    readonly cluster: Cluster;
    readonly made: MadeByCluster;
    /** Administrator's kubeconfig. */
    readonly kubeconfig: pulumi.Input<string>;
    readonly provider: Provider;
    /** The resource whose loss kills the cluster, and so everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/**
 * Has a cluster that is destroyed delete what it made in its cloud, before anything of it goes.
 *
 * Deleting this resource alone must not cost anybody a volume: the marker depends on it, and so goes before it. But
 * when the network goes too, the marker is not deleted: then, and only then, it is still there. It has the resource's
 * id, so that one which was made anew is no reason either.
 */
export class CleanUp extends pulumi.ComponentResource {
    constructor(name: string, args: CleanUpArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:CleanUp", name, {}, opts);
        const { cluster, made, kubeconfig, provider, deletedWith } = args;
        const { after, findByHand, cloud: place, ...scope } = made;
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
                // It stays who it is.
                update: `printf '%s' "$PULUMI_COMMAND_STDOUT"`,
                delete: `${program} delete`,
                stdin: pulumi.secret(stdin),
            },
            { parent: this, dependsOn: [...after] },
        );
        const data = { id: pulumi.unsecret(command.stdout) };
        kubernetesObject(name, cleanUpMarkerConfig(""), { parent: this, provider, deletedWith }, { data });
        this.registerOutputs({});
    }
}
