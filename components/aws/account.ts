import { getAmiIds } from "@pulumi/aws/autoscaling/getAmiIds";
import { getDefaultKmsKey } from "@pulumi/aws/ebs/getDefaultKmsKey";
import { getEips } from "@pulumi/aws/ec2/getEips";
import { getInstanceTypeOfferings } from "@pulumi/aws/ec2/getInstanceTypeOfferings";
import { getLaunchTemplate } from "@pulumi/aws/ec2/getLaunchTemplate";
import { getVpcs } from "@pulumi/aws/ec2/getVpcs";
import { getLbs } from "@pulumi/aws/lb/getLbs";
import { getLoadBalancer } from "@pulumi/aws/lb/getLoadBalancer";
import { getTargetGroup } from "@pulumi/aws/lb/getTargetGroup";
import { getRecords } from "@pulumi/aws/route53/getRecords";
import { getBucket } from "@pulumi/aws/s3/getBucket";
import { getServiceQuota } from "@pulumi/aws/servicequotas/getServiceQuota";
import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../../cluster/model";
import { knownValue, takesHooks } from "../pulumi/engine";
import { log } from "../pulumi/log";
import { LookUps } from "../pulumi/look-ups";
import { mustBeNew } from "../pulumi/must-be-new";
import {
    bucketProblem,
    groupProblem,
    keyProblem,
    nameProblem,
    type Offers,
    poolProblem,
    poolWarning,
    type Quota,
    quotaProblem,
} from "./judge-account";
import { groupName } from "./machines/pools";
import type { Aws, NetworkSubnet } from "./model";
import { clusterTag } from "./tags";

/** A load balancer of the account. */
export interface FoundBalancer {
    readonly name: string;
    readonly vpcId: string;
    readonly subnets: readonly string[];
}

/**
 * What the stack looks up before it creates anything: names that are taken, quotas, and where instance types are
 * offered. Nothing in unit tests of programs, which have no hooks.
 *
 * If the load balancer of the API exists, the cluster does: then nothing is looked up but groups and offers.
 */
export class AwsAccount {
    readonly #name: string;
    readonly #region: string;
    readonly #options: pulumi.InvokeOptions;
    readonly #lookUps: LookUps;
    readonly #groups: Promise<readonly string[] | undefined>;
    /** The API's load balancer, of this cluster or of another one of its name. */
    readonly balancer: Promise<FoundBalancer | "missing" | undefined>;
    readonly offers: Promise<Offers | undefined>;
    /** Why volumes without a key of their own would be encrypted with a key that the stack knows nothing about. */
    readonly #key: Promise<string | undefined>;

    constructor(
        cluster: Pick<Cluster, "name">,
        private readonly aws: Aws,
        private readonly parent: pulumi.Resource,
    ) {
        this.#name = cluster.name;
        this.#region = aws.region;
        this.#options = { parent };
        const missing = /couldn't find resource|no matching .* found|returned 0 results/i;
        this.#lookUps = new LookUps({ missing }, (text) => log.warn(text, parent));
        const isAsking = takesHooks();
        const nothing = Promise.resolve(undefined);
        this.balancer = isAsking ? this.#findBalancer(`${cluster.name}-api`) : nothing;
        this.offers = isAsking ? this.#findOffers() : nothing;
        this.#key = isAsking && aws.kmsKeyId === undefined ? this.#findKey() : nothing;
        const names = Object.keys(aws.pools).map((pool) => groupName({ cluster: cluster.name, pool }));
        const asked = () => getAmiIds({ names }, this.#options).then((found) => found.names);
        this.#groups =
            isAsking && names.length > 0 ? this.#lookUps.for(["names of Auto Scaling groups"], asked()) : nothing;
    }

    /** Options of a new VPC and what is created with it. */
    ofVpc(): pulumi.CustomResourceOptions {
        const { zones, topology, natGateways } = this.aws;
        const gateways = { "one-per-zone": zones.length, one: 1, none: 0 }[natGateways];
        return this.#ofNew("vpc", true, async () => {
            const tag = clusterTag(this.#name);
            const filters = [{ name: "tag-key", values: [tag] }];
            const tagged = this.#lookUps.for(["tags of VPCs"], getVpcs({ filters }, this.#options));
            const instead = "use an existing VPC with vpcId";
            const [others, ...problems] = await Promise.all([
                tagged,
                this.#quota("VPCs", "vpc/L-F678F1CE", 1, async () => (await getVpcs({}, this.#options)).ids, instead),
                this.#quota(
                    "Elastic IP addresses",
                    "ec2/L-0263D0A3",
                    topology === "private" ? gateways : 0,
                    async () => (await getEips({}, this.#options)).allocationIds,
                    "set natGateways to one",
                ),
            ]);
            const other = others?.ids[0];
            const taken = other && nameProblem(this.#name, this.#region, `the VPC ${other} with the tag ${tag}`);
            return [await this.#key, taken, ...problems];
        });
    }

    /** Options of the API's load balancer. @param vpc - that the stack creates: a load balancer in it is its own */
    ofBalancer(vpc: Pick<pulumi.CustomResource, "id"> | undefined): pulumi.CustomResourceOptions {
        const count = this.aws.nodeApiAccess === "internal" ? 2 : 1;
        const isOne = (arn: string) => arn.includes(":loadbalancer/net/");
        const all = async () => (await getLbs({}, this.#options)).arns.filter(isOne);
        const problems = async () => [
            // In a VPC of the stack, which is created first, it has been reported.
            vpc === undefined ? await this.#key : undefined,
            await this.#quota("Network Load Balancers", "elasticloadbalancing/L-69A177A2", count, all),
        ];
        return this.#ofNew("balancer", true, problems, vpc?.id);
    }

    ofTargets(name: string): pulumi.CustomResourceOptions {
        return this.#ofNew(`${name}-targets`, false, async () => {
            const found = await this.#lookUps.forOne(
                ["names of target groups"],
                getTargetGroup({ name }, this.#options),
            );
            const isTaken = found !== undefined && found !== "missing";
            return [isTaken ? nameProblem(this.#name, this.#region, `the target group ${name}`) : undefined];
        });
    }

    /**
     * Options of a bucket, which an existing cluster may get too: another stack's would be found in the middle of `up`.
     *
     * @param option - that names it
     */
    ofBucket(option: string, name: string): pulumi.CustomResourceOptions {
        if (!takesHooks()) return {};
        const problem = async () => {
            const asked = getBucket({ bucket: name }, this.#options).then(
                () => "of this account",
                (error: Error) => {
                    // S3 has one namespace for all accounts and regions.
                    if (/StatusCode: 30[17]\b/.test(error.message)) return "of another region";
                    if (/StatusCode: 403\b/.test(error.message)) return "of another account";
                    throw error;
                },
            );
            const found = await this.#lookUps.forOne(["names of buckets"], asked);
            if (found !== undefined && found !== "missing") return bucketProblem(option, name, found);
            return undefined;
        };
        return mustBeNew(`${this.#name}-${name}-bucket-is-new`, problem());
    }

    /** Options of a record. @param zone - undefined if the stack creates it */
    ofRecord(
        resource: string,
        name: string,
        zone: pulumi.Output<{ readonly zoneId: string }> | undefined,
    ): pulumi.CustomResourceOptions {
        if (zone === undefined) return {};
        return this.#ofNew(`${resource}-record`, false, async () => {
            // Its absence is reported where it is looked up. One that the program has yet to create has no records.
            const { zoneId: id } = (await knownValue(zone)) ?? {};
            if (id === undefined) return [];
            const nameRegex = `^${name.replaceAll(".", "\\.")}\\.?$`;
            const found = await this.#lookUps.for(
                ["DNS records"],
                getRecords({ zoneId: id, nameRegex }, this.#options),
            );
            const other = found?.resourceRecordSets.find(({ type }) => /^(A|AAAA|CNAME)$/.test(type));
            if (!other) return [];
            return [nameProblem(this.#name, "the hosted zone", `the ${other.type} record ${name} in ${id}`)];
        });
    }

    /** Options of a pool's launch template, the first of what it has. */
    ofPool(pool: string): pulumi.CustomResourceOptions {
        if (!takesHooks()) return {};
        const name = groupName({ cluster: this.#name, pool });
        const problem = async () => {
            const taken = (what: string) => groupProblem(this.#name, pool, this.#region, what);
            if ((await this.#groups)?.includes(name)) return taken("the Auto Scaling group");
            const template = this.#lookUps.forOne(
                ["names of launch templates"],
                getLaunchTemplate({ name }, this.#options),
            );
            const [found, offers] = await Promise.all([template, this.offers]);
            if (found !== undefined && found !== "missing") return taken("the launch template");
            const zones = this.aws.zones.map((letter) => this.#region + letter);
            return offers && poolProblem({ pool, types: this.aws.pools[pool]!.instanceTypes, zones }, offers);
        };
        return mustBeNew(`${name}-pool-is-new`, problem());
    }

    /** Warns in every preview of pools that some or all zones have no type for. */
    warnOfPools(subnets: readonly Pick<NetworkSubnet, "availabilityZone">[]): void {
        if (!takesHooks()) return;
        pulumi
            .all([this.offers, subnets.map(({ availabilityZone }) => availabilityZone)])
            .apply(async ([offers, all]) => {
                for (const [pool, { instanceTypes: types }] of Object.entries(this.aws.pools)) {
                    const warning = offers && poolWarning({ pool, types, zones: [...new Set(all)] }, offers);
                    if (warning !== undefined) await log.warn(warning, this.parent);
                }
            });
    }

    /** Warns in every preview of an existing cluster that new volumes get a key of the account's. */
    warnOfKey(): void {
        pulumi.all([this.balancer, this.#key]).apply(async ([balancer, problem]) => {
            const isThere = balancer !== undefined && balancer !== "missing";
            if (isThere && problem !== undefined) await log.warn(problem, this.parent);
        });
    }

    /**
     * Options of a resource that only a new cluster creates.
     *
     * @param isFirst - whether every cluster has it, so that the name is taken if the API's load balancer exists
     */
    #ofNew(
        name: string,
        isFirst: boolean,
        problems: () => Promise<readonly (string | undefined)[]>,
        vpcId?: pulumi.Output<string>,
    ): pulumi.CustomResourceOptions {
        if (!takesHooks()) return {};
        const problem = async () => {
            const balancer = await this.balancer;
            if (balancer !== undefined && balancer !== "missing") {
                const what = `the load balancer ${balancer.name} in ${balancer.vpcId}`;
                const isOwn = vpcId !== undefined && (await knownValue(vpcId)) === balancer.vpcId;
                return isFirst && !isOwn ? nameProblem(this.#name, this.#region, what) : undefined;
            }
            const all = (await problems()).filter((each) => each !== undefined);
            return all.length > 0 ? all.join("\n") : undefined;
        };
        return mustBeNew(`${this.#name}-${name}-is-new`, problem());
    }

    async #findBalancer(name: string): Promise<FoundBalancer | "missing" | undefined> {
        return this.#lookUps.forOne(["names of load balancers"], getLoadBalancer({ name }, this.#options));
    }

    async #findKey(): Promise<string | undefined> {
        const found = await this.#lookUps.for(
            ["the account's default key for EBS"],
            getDefaultKmsKey({}, this.#options),
        );
        return found && keyProblem(this.#region, found.keyArn);
    }

    async #findOffers(): Promise<Offers | undefined> {
        const { instances, pools } = this.aws;
        const single = Object.values(instances).map(({ instanceType }) => instanceType);
        const ofGroups = Object.values(pools).flatMap(({ instanceTypes }) => instanceTypes);
        const types = [...new Set([...single, ...ofGroups])].sort();
        const filters = [{ name: "instance-type", values: types }];
        const asked = getInstanceTypeOfferings({ filters, locationType: "availability-zone" }, this.#options);
        const found = await this.#lookUps.for(["which zones offer instance types"], asked);
        if (!found) return undefined;
        const zonesOf = (type: string) => found.locations.filter((_, index) => found.instanceTypes[index] === type);
        return Object.fromEntries(types.map((type) => [type, zonesOf(type)]));
    }

    /** @param code - of the service and of the quota. Source: Service Quotas of AWS */
    async #quota(
        what: string,
        code: string,
        more: number,
        all: () => Promise<readonly string[]>,
        instead?: string,
    ): Promise<string | undefined> {
        if (more === 0) return undefined;
        const [serviceCode = "", quotaCode = ""] = code.split("/");
        const asked = Promise.all([getServiceQuota({ serviceCode, quotaCode }, this.#options), all()]);
        const found = await this.#lookUps.for([`the quota of ${what}`], asked);
        if (!found) return undefined;
        const quota: Quota = { what, used: found[1].length, limit: found[0].value, ...(instead && { instead }) };
        return quotaProblem(this.#region, more, quota);
    }
}
