import * as pulumi from "@pulumi/pulumi";
import type { MachineConsole } from "../../agents/bootstrap-sender/delivery";
import type { Manifest } from "../../cluster/manifest";
import {
    digitalOceanCloudController,
    digitalOceanCloudControllerSecret,
    digitalOceanCsiDriver,
    digitalOceanCsiDriverSecret,
    digitalOceanVolumeDriver,
} from "../../cluster/manifests/addons/digitalocean";
import type { Cluster } from "../../cluster/model";
import { invalid } from "../../cluster/validate";
import type { CloudAddonsArgs } from "../in-cluster/addons";
import type { MadeByCluster } from "../in-cluster/clean-up";
import type { DigitalOceanNetwork } from "./network";
import type { DigitalOcean } from "./resolve";

interface DigitalOceanAddonsArgs {
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

/** Where the console of a droplet is shown: DigitalOcean's API tells nothing of it. */
export function consoleOfDroplet(id: string): MachineConsole {
    return { byHand: `Access, Recovery Console at https://cloud.digitalocean.com/droplets/${id}` };
}

/** What the cluster's own controllers make in DigitalOcean. @default undefined without any of them */
export function madeInDigitalOcean(
    cluster: Cluster,
    { hasCloudController, hasCsiDriver }: DigitalOcean,
    { vpc }: DigitalOceanNetwork,
    after: readonly pulumi.Resource[],
): MadeByCluster | undefined {
    if (!hasCloudController && !hasCsiDriver) return undefined;
    return {
        hasLoadBalancers: hasCloudController,
        drivers: hasCsiDriver ? [digitalOceanVolumeDriver] : [],
        findByHand: pulumi.output(vpc.id).apply((id) => findInDigitalOcean(cluster.name, id)),
        cloud: pulumi.output(vpc.id).apply((vpcId) => ({
            kind: "digitalocean" as const,
            vpcId,
            tag: cluster.name,
            ownLoadBalancers: [`${cluster.name}-api`, `${cluster.name}-ingress`],
            volumePrefix: "pvc-",
        })),
        after,
    };
}

/** Commands of doctl that find what is in the cluster's VPC or has its tag, and delete it. */
export function findInDigitalOcean(cluster: string, vpcId: string): string[] {
    return [
        `doctl compute load-balancer list --no-header --format ID,Name,IP,VPCUUID | grep ${vpcId}    # but ${cluster}-api and ${cluster}-ingress`,
        "doctl compute load-balancer delete ID",
        `doctl compute volume list --no-header --format ID,Name,Tags | grep -E ' pvc-.*[ ,]${cluster}(,|$)'    # those that were to be retained are among them`,
        "doctl compute volume delete ID",
    ];
}

/** Tokens of DigitalOcean's API for what runs in the cluster: each may be of as few scopes as it needs. */
export interface DigitalOceanTokens {
    /** With `hasCloudController`: its token. A secret. */
    cloudController?: string;
    /** With `hasCsiDriver`: its token. A secret. */
    csiDriver?: string;
}

/** What is asked for, and comes with a token. */
export type TokenHolders = Pick<DigitalOcean, "hasCloudController" | "hasCsiDriver">;

/** Checks that each is there which is needed, and no other, and tells none of them. */
export function requireTokens(holders: TokenHolders, tokens: DigitalOceanTokens = {}): DigitalOceanTokens {
    requireToken("cloudController", holders, "hasCloudController", tokens);
    requireToken("csiDriver", holders, "hasCsiDriver", tokens);
    return tokens;
}

function requireToken(
    name: keyof DigitalOceanTokens,
    holders: TokenHolders,
    holder: keyof TokenHolders,
    { [name]: token }: DigitalOceanTokens,
): void {
    const option = `cloudTokens.${name}`;
    if (holders[holder] && !token) throw invalid(option, `given with ${holder}`, "nothing");
    if (!holders[holder] && token !== undefined) throw invalid(option, `left out without ${holder}`, "one");
    if (token !== undefined && !/^\S+$/.test(token)) {
        throw invalid(option, "a token without spaces", "another text");
    }
}
