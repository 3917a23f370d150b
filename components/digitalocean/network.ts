import { getVpc } from "@pulumi/digitalocean/getVpc";
import { Tag } from "@pulumi/digitalocean/tag";
import { Vpc } from "@pulumi/digitalocean/vpc";
import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../../cluster/model";
import { mustStay, plainError } from "../pulumi/errors";
import { log } from "../pulumi/log";
import { checkAccount, digitalOceanLookUps, findDroplets } from "./account";
import { type FoundDroplet, type FoundVpc, foreignWarning } from "./judge-names";
import { AccountNames } from "./names";
import { findProject } from "./project";
import type { DigitalOcean } from "./resolve";
import { ownTags } from "./tags";

export interface DigitalOceanNetwork {
    readonly vpc: Vpc;
    readonly names: AccountNames;
    /**
     * Project of load balancers: Pulumi's provider sets it again on every change.
     * @default the account's default project
     */
    readonly projectId?: pulumi.Output<string>;
    /** On all droplets of the cluster. */
    readonly nodeTag: Tag;
    /** On its controllers. */
    readonly controllerTag: Tag;
    /** On its workers, if a firewall rule is for them. @default none */
    readonly workerTag?: Tag;
    /** On workers that receive ingress traffic. @default none */
    readonly ingressTag?: Tag;
}

/**
 * The cluster's own private network, and the tags that its firewalls use.
 *
 * @param mayLack - settles before the account is looked up: whether it may lack what the cluster depends on
 */
export function createNetwork(
    cluster: Cluster,
    digitalOcean: DigitalOcean,
    mayLack: Promise<boolean>,
    opts: pulumi.CustomResourceOptions,
): DigitalOceanNetwork {
    const { name } = cluster;
    const { region, vpcCidr, ingress, project, firewallRules } = digitalOcean;
    const projectId = findProject(project, opts);
    const own = ownTags(name);
    const { parent } = opts;
    const asking = digitalOceanLookUps(parent);
    const droplets = mayLack.then(() => findDroplets(asking, { parent }));
    // Nothing is created before all have been looked up.
    const defaultVpc = findDefaultVpc(region, opts);
    const account = checkAccount(cluster, digitalOcean, { droplets, mayLack }, opts);
    const checked = pulumi.all([defaultVpc.region, account, projectId]);
    const found = { asking, droplets, defaultVpc: defaultVpc.found };
    const names = new AccountNames(cluster, digitalOcean, found, { parent });
    const vpc = new Vpc(
        name,
        {
            name,
            region: checked.apply(() => region),
            ipRange: vpcCidr.text,
            description: "of a Tradewind cluster",
        },
        // Another value of these would be another VPC, and so another cluster.
        pulumi.mergeOptions(
            { ...opts, ignoreChanges: ["region", "ipRange"], customTimeouts: deletionTimeouts },
            names.ofVpc(),
        ),
    );
    // Its name is unique: a stack that cannot create it never owns, and so never deletes, another cluster's tags.
    const afterVpc = { ...opts, dependsOn: vpc };
    const tag = (text: string) => new Tag(text, { name: text }, pulumi.mergeOptions(afterVpc, names.ofTag(text)));
    warnOfForeign(vpc, own.nodes, droplets);
    warnOfDefaultVpc(vpc, defaultVpc, region);
    mustStay("region", region, vpc.region.apply(String));
    mustStay("vpcCidr", vpcCidr.text, vpc.ipRange);
    return {
        vpc,
        names,
        ...(projectId && { projectId }),
        nodeTag: tag(own.nodes),
        controllerTag: tag(own.controllers),
        ...(firewallRules.some(({ role }) => role === "workers") && { workerTag: tag(own.workers) }),
        ...(ingress && { ingressTag: tag(own.ingress) }),
    };
}

/** A region's default VPC, as far as it can be determined. */
interface DefaultVpc {
    /** The region itself, once it is known to have one. Rejects if it has none. */
    readonly region: pulumi.Output<string>;
    /** @default "" if it could not be determined */
    readonly id: pulumi.Output<string>;
    /** @default undefined if it could not be determined */
    readonly found: Promise<FoundVpc | undefined>;
}

/**
 * Looks up a region's default VPC before the cluster's own VPC is created.
 *
 * The first VPC of a region becomes its default, which DigitalOcean never deletes: the cluster could not be destroyed,
 * and other droplets created without a VPC would end up in its network.
 */
function findDefaultVpc(region: string, { parent }: pulumi.CustomResourceOptions): DefaultVpc {
    const asked = getVpc({ region }, { parent }).catch((error: Error) => {
        if (error.message.includes("unable to find default VPC")) throw plainError(noDefaultVpc(region));
        // Without permission or network, a preview must still work.
        log.warn(`could not determine the default VPC of ${region}: ${error.message}`, parent);
        return undefined;
    });
    const id = pulumi.output(asked).apply((found) => found?.id ?? "");
    return { region: id.apply(() => region), id, found: asked.catch(() => undefined) };
}

/** Warns of droplets of others that have the cluster's tag, and so its firewalls. */
function warnOfForeign(vpc: Vpc, tag: string, droplets: Promise<readonly FoundDroplet[] | undefined>): void {
    pulumi.all([vpc.id, droplets]).apply(([id, found = []]) => {
        const warning = foreignWarning(tag, id, found);
        if (warning !== undefined) log.warn(warning, vpc);
    });
}

/** Warns if the cluster's VPC is its region's default. */
function warnOfDefaultVpc(vpc: Vpc, { id }: DefaultVpc, region: string): void {
    pulumi.all([vpc.id, id]).apply(([own, found]) => {
        if (own === found) log.warn(isDefaultVpc(region, own), vpc);
    });
}

function noDefaultVpc(region: string): string {
    const legal = "one with a default VPC";
    const why = "otherwise DigitalOcean would make the cluster's VPC the default, which cannot be deleted";
    return `region must be ${legal} (got ${region}): ${why}. To create one, free of charge: ${makeOne(region)}`;
}

function isDefaultVpc(region: string, id: string): string {
    const what = `the cluster's VPC is the default of ${region}, which DigitalOcean does not delete`;
    const how = `${makeOne(region)}, then doctl vpcs update ID --default=true, with the new one's id`;
    return `${what}. Before you destroy the cluster, make another one the default: ${how}. The cluster's is ${id}`;
}

const makeOne = (region: string) => `doctl vpcs create --name default-${region} --region ${region}`;

/**
 * How long the deletion of a droplet or VPC may take.
 *
 * The provider's default for a droplet is 60 seconds, 34 of which it spends waiting; a kubelet alone takes up to 50 to
 * stop its pods. A deletion that times out leaves a nonexistent droplet in the state, which the next destroy cannot
 * delete. The default for a VPC is 2 minutes, during which it may still count deleted members.
 */
export const deletionTimeouts: pulumi.CustomTimeouts = { delete: "15m" };
