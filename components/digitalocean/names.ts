import { getLoadBalancer } from "@pulumi/digitalocean/getLoadBalancer";
import { getRecords } from "@pulumi/digitalocean/getRecords";
import { getSpacesBucket } from "@pulumi/digitalocean/getSpacesBucket";
import { getVolume } from "@pulumi/digitalocean/getVolume";
import { getVpc } from "@pulumi/digitalocean/getVpc";
import type * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../../cluster/model";
import { ingressName } from "../../cluster/network/ingress";
import { takesHooks } from "../pulumi/engine";
import type { Asked, LookUps } from "../pulumi/look-ups";
import { mustBeNew } from "../pulumi/must-be-new";
import {
    blockProblem,
    type FoundDroplet,
    type FoundVpc,
    nameProblem,
    tagged,
    tagProblem,
    withTag,
} from "./judge-names";
import type { DigitalOcean } from "./resolve";
import type { SnapshotSpace } from "./snapshots";
import { ownTags } from "./tags";

/** DigitalOcean permits 250 requests per minute. */
const mostVpcs = 30;

interface Lookups {
    readonly asking: LookUps;
    readonly droplets: Promise<readonly FoundDroplet[] | undefined>;
    readonly defaultVpc: Promise<FoundVpc | undefined>;
}

/**
 * Options of resources whose names are the account's: each is refused, at preview too, if it is to be created although
 * one of its name exists.
 *
 * With droplets, a cluster exists: then only its load balancers and new controllers' volumes are looked up, which an
 * interrupted `up` may have created without recording them.
 */
export class AccountNames {
    readonly #isNew: Promise<boolean>;
    readonly #found = new Map<string, Promise<unknown>>();

    constructor(
        private readonly cluster: Cluster,
        private readonly digitalOcean: DigitalOcean,
        private readonly lookups: Lookups,
        private readonly options: pulumi.InvokeOptions,
    ) {
        const { nodes } = ownTags(cluster.name);
        this.#isNew = lookups.droplets.then((found = []) => withTag(nodes, found).length === 0);
    }

    /** Options of the VPC, the first resource of a cluster, with everything that is in its way. */
    ofVpc(): pulumi.CustomResourceOptions {
        return this.#mustBeNew("vpc", async () => {
            const { name, apiLoadBalancer, controllers } = this.cluster;
            const { ingress, ingressLoadBalancer, snapshotSpace } = this.digitalOcean;
            const { droplets, defaultVpc } = this.lookups;
            const found = (await droplets) ?? [];
            const inUse = Object.values(ownTags(name)).flatMap((tag) => tagged(tag, found));
            if (inUse.length > 0) return nameProblem(name, inUse);
            const balancers = [
                ...(apiLoadBalancer ? [`${name}-api`] : []),
                ...(ingress && ingressLoadBalancer ? [`${name}-ingress`] : []),
            ];
            const [vpcs, ...taken] = await Promise.all([
                this.#vpcsOf(found),
                this.#vpc(),
                this.#takenRecords(),
                ...balancers.map(async (each) => (await this.#balancer(each))?.what),
                ...controllers.names.map((node) => this.#volume(`${node}-etcd`)),
                ...(snapshotSpace ? [this.#space(snapshotSpace)] : []),
            ]);
            const isDefined = <T>(each: T | undefined): each is T => each !== undefined;
            const region = await defaultVpc;
            const { podCidr, serviceCidr } = this.cluster.network;
            const others = { vpcs: [...vpcs, region].filter(isDefined), own: [podCidr, serviceCidr] };
            const problems = [
                nameProblem(name, taken.filter(isDefined)),
                blockProblem(this.digitalOcean.vpcCidr, others),
            ].filter(isDefined);
            return problems.length > 0 ? problems.join("\n") : undefined;
        });
    }

    ofTag(tag: string): pulumi.CustomResourceOptions {
        return this.#mustBeNew(`tag-${tag}`, async () =>
            tagProblem(this.cluster.name, tag, (await this.lookups.droplets) ?? []),
        );
    }

    /** One that its DNS record points to was recorded, and is about to be replaced. */
    ofBalancer(name: string): pulumi.CustomResourceOptions {
        return this.#mustBeNew(`balancer-${name}`, async () => {
            const found = await this.#balancer(name);
            if (found === undefined || (await this.#isNew)) return this.#problem(found?.what);
            // Existing clusters must not need more scopes.
            const records = await this.#records(this.lookups.asking.silent());
            const isKnown = records === undefined || records.some(({ value }) => value === found.ip);
            return isKnown ? undefined : this.#problem(found.what);
        });
    }

    /** @param node - whose droplet exists if its volume does */
    ofVolume(node: string, name: string): pulumi.CustomResourceOptions {
        return this.#mustBeNew(`volume-${name}`, async () => {
            const found = (await this.lookups.droplets) ?? [];
            const { nodes } = ownTags(this.cluster.name);
            if (withTag(nodes, found).some((each) => each.name === node)) return undefined;
            return this.#problem(await this.#volume(name));
        });
    }

    ofSpace(space: SnapshotSpace): pulumi.CustomResourceOptions {
        return this.#mustBeNew("space", async () =>
            (await this.#isNew) ? this.#problem(await this.#space(space)) : undefined,
        );
    }

    #mustBeNew(what: string, problem: () => Promise<string | undefined>): pulumi.CustomResourceOptions {
        return takesHooks() ? mustBeNew(`${this.cluster.name}-${what}-is-new`, problem()) : {};
    }

    #problem(found: string | undefined): string | undefined {
        return found === undefined ? undefined : nameProblem(this.cluster.name, [found]);
    }

    /** Blocks of VPCs can only be looked up one by one: those that have droplets. */
    async #vpcsOf(droplets: readonly FoundDroplet[]): Promise<(FoundVpc | undefined)[]> {
        const ids = [...new Set(droplets.map(({ vpcUuid }) => vpcUuid))].filter(Boolean).slice(0, mostVpcs);
        return Promise.all(
            ids.map((id) => this.lookups.asking.for(["blocks of VPCs", "vpc:read"], getVpc({ id }, this.options))),
        );
    }

    async #vpc(): Promise<string | undefined> {
        const { name } = this.cluster;
        const asked = ["names of VPCs", "vpc:read"] as const;
        return (await this.#find(asked, () => getVpc({ name }, this.options))) && `the VPC ${name}`;
    }

    async #balancer(name: string): Promise<{ readonly what: string; readonly ip?: string } | undefined> {
        const asked = ["names of load balancers", "load_balancer:read"] as const;
        const found = await this.#find(asked, () => getLoadBalancer({ name }, this.options), name);
        return found && { what: `the load balancer ${name}`, ...found };
    }

    async #volume(name: string): Promise<string | undefined> {
        const { region } = this.digitalOcean;
        const asked = ["names of volumes", "block_storage:read"] as const;
        return (await this.#find(asked, () => getVolume({ name, region }, this.options), name)) && `the volume ${name}`;
    }

    async #space({ name, region }: SnapshotSpace): Promise<string | undefined> {
        const asked = ["names of Spaces", "of a Spaces key"] as const;
        return (await this.#find(asked, () => getSpacesBucket({ name, region }, this.options))) && `the Space ${name}`;
    }

    async #takenRecords(): Promise<string | undefined> {
        const found = (await this.#records()) ?? [];
        const listed = [...new Set(found.map(({ name, type, value }) => `${name} (${type} ${value})`))];
        return listed.length > 0 ? `DNS records ${listed.join(", ")}` : undefined;
    }

    /** Addresses of the cluster's names. */
    async #records(asking = this.lookups.asking): Promise<readonly FoundRecord[] | undefined> {
        const { name, zone, apiName } = this.cluster;
        const domain = zone.slice(name.length + 1);
        const names = [apiName, ...(this.digitalOcean.ingress ? [ingressName(this.cluster)] : [])];
        const values = names.map((each) => each.slice(0, -domain.length - 1));
        const asked = ["DNS records", "domain:read"] as const;
        const filters = [{ key: "name", values }];
        const found = await this.#find(asked, () => getRecords({ domain, filters }, this.options), "", asking);
        return found?.records
            ?.filter(({ type }) => ["A", "AAAA", "CNAME"].includes(type))
            .map((each) => ({ ...each, name: `${each.name}.${domain}` }));
    }

    /** Looks up something once. @returns its properties as far as they are known, or undefined */
    #find<T>(
        asked: Asked,
        answer: () => Promise<T>,
        name = "",
        asking = this.lookups.asking,
    ): Promise<Partial<T> | undefined> {
        const key = `${asked[0]} ${name}`;
        const ask = async () => {
            // The provider's error if there are several.
            const one = answer().catch((error: Error): Partial<T> => {
                if (/too many .* found/.test(error.message)) return {};
                throw error;
            });
            const found = await asking.forOne(asked, one);
            return found === "missing" ? undefined : found;
        };
        const found = (this.#found.get(key) as Promise<Partial<T> | undefined>) ?? ask();
        this.#found.set(key, found);
        return found;
    }
}

interface FoundRecord {
    readonly name: string;
    readonly type: string;
    readonly value: string;
}
