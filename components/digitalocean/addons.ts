import * as pulumi from "@pulumi/pulumi";
import {
    digitalOceanCloudController,
    digitalOceanCloudControllerSecret,
} from "../addons/digitalocean-cloud-controller";
import type { CloudAddonsArgs } from "../cloud-addons";
import type { Manifest } from "../cluster/manifest";
import type { Cluster } from "../cluster/model";
import type { DigitalOceanNetwork } from "./network";
import type { DigitalOcean } from "./resolve";
import { type DigitalOceanTokens, requireTokens } from "./tokens";

export interface DigitalOceanAddonsArgs {
    readonly cluster: Cluster;
    readonly digitalOcean: DigitalOcean;
    readonly vpc: Pick<DigitalOceanNetwork["vpc"], "id">;
    /** @default none */
    readonly tokens?: pulumi.Input<DigitalOceanTokens>;
}

/** What the cluster runs of DigitalOcean's own, where it is asked for. */
export function digitalOceanAddons(args: DigitalOceanAddonsArgs): Pick<CloudAddonsArgs, "manifests" | "secrets"> {
    const { cluster, digitalOcean, vpc, tokens } = args;
    const { region, hasCloudController } = digitalOcean;
    const given = pulumi.all([tokens, vpc.id]).apply(([each, vpcId]) => ({
        ...requireTokens(digitalOcean, each),
        vpcId,
    }));
    if (!hasCloudController) return { manifests: [] };
    const secret = digitalOceanCloudControllerSecret({ token: "", vpcId: "" });
    const data = given.apply(({ cloudController: token = "", vpcId }) =>
        dataOf(digitalOceanCloudControllerSecret({ token, vpcId })),
    );
    return { manifests: digitalOceanCloudController(cluster, { region }), secrets: [{ secret, data }] };
}

function dataOf({ data }: Manifest): Record<string, string> {
    return data as Record<string, string>;
}
