import type { LoadBalancer } from "@pulumi/aws/lb/loadBalancer";
import { type GetZoneResult, getZone } from "@pulumi/aws/route53/getZone";
import { Record } from "@pulumi/aws/route53/record";
import { Zone } from "@pulumi/aws/route53/zone";
import { ZoneAssociation } from "@pulumi/aws/route53/zoneAssociation";
import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../../../cluster/model";
import { ingressName } from "../../../cluster/network/ingress";
import { delegationProblem, nameServersOf } from "../../delegation";
import { knownValue, takesHooks } from "../../pulumi/engine";
import { checked, lookUp } from "../../pulumi/errors";
import { inProgram, withUrn } from "../../pulumi/hooks";
import { lookUpLate } from "../../pulumi/late";
import { log } from "../../pulumi/log";
import type { AwsAccount } from "../account";
import type { Aws, AwsNetwork } from "../model";
import type { Tags } from "../tags";
import { requireFoundZone } from "./hosted-zones";

interface DnsArgs {
    readonly account: AwsAccount;
    readonly zone: HostedZone;
    readonly balancer: LoadBalancer;
    readonly hasIngress: boolean;
    readonly ipv6: boolean;
}

/** DNS names of the load balancer: the API's and that of ingress. They must exist before nodes look up the API. */
export function createDns(
    cluster: Cluster,
    { account, zone, balancer, hasIngress, ipv6 }: DnsArgs,
    opts: pulumi.CustomResourceOptions,
): pulumi.Resource[] {
    const { name, apiName } = cluster;
    const aliases = [{ name: balancer.dnsName, zoneId: balancer.zoneId, evaluateTargetHealth: false }];
    const create = (resource: string, dnsName: string) => {
        const isNew = pulumi.mergeOptions(opts, account.ofRecord(resource, dnsName, zone.found));
        const warns = pulumi.mergeOptions(isNew, warnsOfDelegation(resource, domainOf(cluster), zone));
        return [{ suffix: "", type: "A" }, ...(ipv6 ? [{ suffix: "-ipv6", type: "AAAA" }] : [])].map(
            ({ suffix, type }) =>
                new Record(
                    `${resource}${suffix}`,
                    { zoneId: zone.id, type, aliases, name: dnsName },
                    type === "A" ? warns : opts,
                ),
        );
    };
    if (hasIngress) create(`${name}-ingress`, ingressName(cluster));
    return [...create(`${name}-api`, apiName), ...zone.dependencies];
}

/**
 * Options that warn, before a record is created, if the public DNS does not have the zone's name servers: then nodes do
 * not find the API, because the VPC's resolver uses it.
 */
function warnsOfDelegation(resource: string, domain: string, { found }: HostedZone): pulumi.CustomResourceOptions {
    if (!found || !takesHooks()) return {};
    const warn = async ({ urn }: pulumi.ResourceHookArgs) => {
        const { zoneId, privateZone, nameServers } = (await knownValue(found)) ?? {};
        if (zoneId === undefined || privateZone || nameServers === undefined) return;
        const title = `the hosted zone ${zoneId} of Route 53`;
        const problem = delegationProblem(domain, { title, nameServers }, await nameServersOf(domain));
        if (problem !== undefined) await log.warn(problem, withUrn(urn));
    };
    const hook = new pulumi.ResourceHook(`${resource}-is-delegated`, inProgram(warn), { onDryRun: true });
    return { hooks: { beforeCreate: [hook] } };
}

/** Hosted zone of the cluster's names. */
interface HostedZone {
    readonly id: pulumi.Input<string>;
    /** A zone that the cluster does not create. Unknown in a preview of a program that does. */
    readonly found?: pulumi.Output<GetZoneResult>;
    /** What must exist before the cluster's VPC can resolve them. */
    readonly dependencies: readonly pulumi.Resource[];
}

interface HostedZoneArgs {
    readonly cluster: Cluster;
    readonly aws: Aws;
    readonly network: AwsNetwork;
    readonly tags: Tags;
}

/** The user's public hosted zone, or a private one: existing or created by the stack. */
export function hostedZone(args: HostedZoneArgs, opts: pulumi.CustomResourceOptions): HostedZone {
    const { cluster, aws, network, tags } = args;
    const { privateZone, publicZone } = aws;
    const parent = { parent: opts.parent };
    const domain = domainOf(cluster);
    if (privateZone === undefined) {
        const found = publicZone === undefined ? zoneByName(domain, parent) : zoneById(publicZone, domain, parent);
        return { id: found.zoneId, found, dependencies: [] };
    }
    if (privateZone === "own") {
        const zone = new Zone(
            cluster.name,
            {
                // Limited to the cluster's names: in the VPC it hides a public zone of the same name.
                name: cluster.zone,
                comment: `The API of the cluster ${cluster.name}`,
                vpcs: [{ vpcId: network.vpc.id }],
                // Others may have added records.
                forceDestroy: true,
                tags: tags(cluster.name),
            },
            // Users may associate other VPCs with it.
            { ...opts, ignoreChanges: ["vpcs"] },
        );
        return { id: zone.zoneId, dependencies: [zone] };
    }
    const vpcId = aws.existing?.vpcId;
    const found = pulumi.all([privateZone.id, vpcId]).apply(([id, vpc]) => {
        const zone = vpc === undefined ? getZone({ zoneId: id }, parent) : findIn(id, vpc, parent);
        return lookUp(zone, "privateZone", "the id of a private hosted zone", id);
    }) as pulumi.Output<GetZoneResult>;
    const zoneId = found.apply((zone) => checked(() => requireFoundZone("privateZone", zone, [domain, cluster.zone])));
    // An existing VPC must already be associated.
    const dependencies = aws.existing
        ? []
        : [new ZoneAssociation(cluster.name, { zoneId, vpcId: network.vpc.id }, opts)];
    return { id: zoneId, found, dependencies };
}

function zoneByName(domain: string, parent: pulumi.InvokeOptions): pulumi.Output<GetZoneResult> {
    const found = getZone({ name: domain, privateZone: false }, parent);
    return lookUp(found, "domain", "a public hosted zone in Route 53", domain);
}

function zoneById(
    id: pulumi.Input<string>,
    domain: string,
    parent: pulumi.InvokeOptions,
): pulumi.Output<GetZoneResult> {
    const ask = (zoneId: string) => getZone({ zoneId }, parent);
    const found = lookUpLate(id, ask, "publicZone", "the id of a public hosted zone in Route 53");
    return found.apply((zone) => checked(() => ({ ...zone, zoneId: requireFoundZone("publicZone", zone, [domain]) })));
}

/** A zone, if the VPC resolves it. */
async function findIn(id: string, vpcId: string, parent: pulumi.InvokeOptions): Promise<GetZoneResult> {
    const zone = await getZone({ zoneId: id }, parent);
    const resolved = await getZone({ name: zone.name, vpcId }, parent);
    if (resolved.zoneId !== id) throw new Error(`${vpcId} resolves ${zone.name} with another zone, ${resolved.zoneId}`);
    return zone;
}

function domainOf({ name, zone }: Cluster): string {
    return zone.slice(name.length + 1);
}
