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
import { invalid, requires } from "../../cluster/validate";
import type { CloudManifests } from "../in-cluster/addons";
import type { CreatedByCluster } from "../in-cluster/clean-up";
import type { RepairAccess } from "../in-cluster/nodes";
import type { DigitalOceanNetwork } from "./network";
import type { DigitalOceanTokens } from "./options";
import type { DigitalOcean } from "./resolve";

interface DigitalOceanAddonsArgs {
    readonly cluster: Cluster;
    readonly digitalOcean: DigitalOcean;
    readonly vpc: Pick<DigitalOceanNetwork["vpc"], "id">;
    /** @default none */
    readonly tokens?: pulumi.Input<DigitalOceanTokens>;
}

/** The DigitalOcean controllers that are enabled. */
export function digitalOceanAddons(args: DigitalOceanAddonsArgs): CloudManifests {
    const { cluster, digitalOcean, vpc, tokens } = args;
    const given = pulumi
        .all([tokens, vpc.id])
        .apply(([each, vpcId]) => ({ ...requireTokens(holdersOf(cluster, digitalOcean), each), vpcId }));
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
            ...(digitalOcean.cloudController ? digitalOceanCloudController(cluster) : []),
            ...(digitalOcean.csiDriver ? digitalOceanCsiDriver(cluster, digitalOcean) : []),
        ],
        secrets: [
            ...(digitalOcean.cloudController ? [cloudController] : []),
            ...(digitalOcean.csiDriver ? [csiDriver] : []),
        ],
    };
}

/** Where to open a droplet's console: DigitalOcean's API does not return its output. */
export function consoleOfDroplet(id: string): MachineConsole {
    return { byHand: `Access, Recovery Console at https://cloud.digitalocean.com/droplets/${id}` };
}

/** Resources that controllers in the cluster create in DigitalOcean. @default undefined without such controllers */
export function createdInDigitalOcean(
    cluster: Cluster,
    { cloudController, csiDriver }: DigitalOcean,
    { vpc }: DigitalOceanNetwork,
    after: readonly pulumi.Resource[],
): CreatedByCluster | undefined {
    if (!cloudController && !csiDriver) return undefined;
    return {
        hasLoadBalancers: cloudController,
        drivers: csiDriver ? [digitalOceanVolumeDriver] : [],
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

/** doctl commands that find resources in the cluster's VPC or with its tag, and delete them. */
export function findInDigitalOcean(cluster: string, vpcId: string): string[] {
    return [
        `doctl compute load-balancer list --no-header --format ID,Name,IP,VPCUUID | grep ${vpcId}    # except ${cluster}-api and ${cluster}-ingress`,
        "doctl compute load-balancer delete ID",
        `doctl compute volume list --no-header --format ID,Name,Tags | grep -E ' pvc-.*[ ,]${cluster}(,|$)'    # includes volumes to be retained`,
        "doctl compute volume delete ID",
    ];
}

/** The components that need a token. */
export type TokenHolders = Readonly<Record<keyof DigitalOceanTokens, boolean>>;

function holdersOf({ repair }: Cluster, { cloudController, csiDriver }: DigitalOcean): TokenHolders {
    return { cloudController, csiDriver, repair: repair !== undefined };
}

/** How the agent that repairs machines reaches them. */
export function repairAccess({ cluster, digitalOcean, tokens }: Omit<DigitalOceanAddonsArgs, "vpc">): RepairAccess {
    const holders = holdersOf(cluster, digitalOcean);
    const token = pulumi.output(tokens).apply((each) => requireTokens(holders, each).repair ?? "");
    return { name: "digitalocean", cloud: { api: "https://api.digitalocean.com", tag: cluster.name }, token };
}

/** Checks that exactly the needed tokens are set, without printing any. */
export function requireTokens(holders: TokenHolders, tokens: DigitalOceanTokens = {}): DigitalOceanTokens {
    for (const holder of ["cloudController", "csiDriver", "repair"] as const) requireToken(holder, holders, tokens);
    return tokens;
}

function requireToken(holder: keyof DigitalOceanTokens, holders: TokenHolders, tokens: DigitalOceanTokens): void {
    const { [holder]: token } = tokens;
    const option = `cloudTokens.${holder}`;
    if (holders[holder] && !token) throw requires(holder, option);
    if (!holders[holder] && token !== undefined) throw requires(option, holder);
    if (token !== undefined && !/^\S+$/.test(token)) throw invalid(option, "a token without spaces", "something else");
}
