import * as pulumi from "@pulumi/pulumi";
import {
    digitalOceanCloudController,
    digitalOceanCloudControllerSecret,
} from "../addons/digitalocean-cloud-controller";
import { digitalOceanCsiDriver, digitalOceanCsiDriverSecret } from "../addons/digitalocean-csi-driver";
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
    const { hasCloudController, hasCsiDriver } = digitalOcean;
    const given = pulumi
        .all([tokens, vpc.id])
        .apply(([each, vpcId]) => ({ ...requireTokens(digitalOcean, each), vpcId }));
    const sealed = (build: (all: DigitalOceanTokens & { vpcId: string }) => Manifest) => ({
        secret: build({ vpcId: "" }),
        data: given.apply((all) => build(all).data as Record<string, string>),
    });
    const cloudController = sealed(({ cloudController: token = "", vpcId }) =>
        digitalOceanCloudControllerSecret({ token, vpcId }),
    );
    const csiDriver = sealed(({ csiDriver: token = "" }) => digitalOceanCsiDriverSecret(token));
    return {
        manifests: [
            ...(hasCloudController ? digitalOceanCloudController(cluster) : []),
            ...(hasCsiDriver ? digitalOceanCsiDriver(cluster) : []),
        ],
        secrets: [...(hasCloudController ? [cloudController] : []), ...(hasCsiDriver ? [csiDriver] : [])],
    };
}
