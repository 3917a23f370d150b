import { podCidrs, serviceCidrs } from "../../cluster/network/network";
import { resolveCluster } from "../../cluster/resolve";
import { type Export, plain, recordIn } from "../reach/stack-record";

/** Facts about a cluster from its stack's state: plain data without secrets. */
export interface StackFacts {
    readonly cluster: string;
    readonly cloud: Cloud;
    readonly kubernetes: string;
    readonly etcd: string;
    /** IPv4, and IPv6 if enabled. */
    readonly podCidrs: string;
    readonly serviceCidrs: string;
    /** The machines' network block, such as `10.0.0.0/16`. @default it existed before the stack */
    readonly network?: string;
    readonly subnets: readonly Subnet[];
    readonly apiLoadBalancer: boolean;
    /** DNS name or address of the API's load balancer, or the API's own name without one. @default it does not exist yet */
    readonly apiAddress?: string;
    /** By name. */
    readonly machines: Readonly<Record<string, StackMachine>>;
    readonly controllers: readonly string[];
    readonly pools: readonly StackPool[];
}

export type Cloud = "local" | "aws" | "digitalocean";

export interface Subnet {
    /** Such as `eu-central-1a`. */
    readonly zone: string;
    readonly cidr: string;
}

export interface StackMachine {
    readonly address?: string;
    /** Such as `t3.medium`. */
    readonly size?: string;
    readonly zone?: string;
}

export interface StackPool {
    readonly name: string;
    /** @default the cloud names its machines */
    readonly nodes: readonly string[];
    /** Size of an Auto Scaling group. */
    readonly count?: { readonly min: number; readonly max: number };
}

interface Resource {
    readonly type: string;
    /** Last part of the URN. */
    readonly name: string;
    readonly outputs: Readonly<Record<string, unknown>>;
}

/** @param exported - with secrets in plain text, which are not copied to the facts */
export function stackFactsIn(exported: Export, stack: string): StackFacts {
    const { options, machines } = recordIn(exported, stack);
    const cluster = resolveCluster(options);
    const resources = (exported.deployment?.resources ?? []).map(
        ({ type, urn = "", outputs = {} }): Resource => ({ type, name: urn.slice(urn.lastIndexOf("::") + 2), outputs }),
    );
    const of = (type: string) => resources.filter((resource) => resource.type === type);
    const groups = of("aws:autoscaling/group:Group");
    // On DigitalOcean, ingress has a load balancer of its own.
    const balancer = [
        ...of("aws:lb/loadBalancer:LoadBalancer"),
        ...of("digitalocean:index/loadBalancer:LoadBalancer"),
    ].find(({ name }) => name === `${cluster.name}-api`);
    const balancerAddress = balancer && (text(balancer.outputs.dnsName) ?? text(balancer.outputs.ip));
    return {
        cluster: cluster.name,
        cloud: cloudOf(resources),
        kubernetes: cluster.versions.kubernetes,
        etcd: cluster.versions.etcd,
        podCidrs: podCidrs(cluster.network),
        serviceCidrs: serviceCidrs(cluster.network),
        network: networkOf(resources, cluster.name),
        subnets: of("aws:ec2/subnet:Subnet").map(({ outputs }) => ({
            zone: text(outputs.availabilityZone) ?? "",
            cidr: text(outputs.cidrBlock) ?? "",
        })),
        apiLoadBalancer: cluster.apiLoadBalancer,
        apiAddress: cluster.apiLoadBalancer ? balancerAddress : cluster.apiName,
        machines: Object.fromEntries(
            Object.entries(machines).map(([name, address]) => [name, { address, ...machineOf(resources, name) }]),
        ),
        controllers: cluster.controllers.names,
        pools: cluster.workerPools.map(({ name, nodes }): StackPool => {
            const group = groups.find((each) => each.name === `${cluster.name}-${name}`);
            return group ? { name, nodes: [], count: countOf(group) } : { name, nodes };
        }),
    };
}

function cloudOf(resources: readonly Resource[]): Cloud {
    const component = resources.find(({ type }) => /^tradewind:index:\w+Cluster$/.test(type))?.type;
    return component?.endsWith(":AwsCluster")
        ? "aws"
        : component?.endsWith(":DigitalOceanCluster")
          ? "digitalocean"
          : "local";
}

function networkOf(resources: readonly Resource[], cluster: string): string | undefined {
    const find = (type: string, name?: string) =>
        resources.find((each) => each.type === type && (name === undefined || each.name === name))?.outputs;
    const triggers = find("command:local:Command", `${cluster}-network`)?.triggers;
    return (
        text(find("aws:ec2/vpc:Vpc")?.cidrBlock) ??
        text(find("digitalocean:index/vpc:Vpc")?.ipRange) ??
        (Array.isArray(triggers) ? text(triggers[0]) : undefined)
    );
}

function machineOf(resources: readonly Resource[], name: string): Omit<StackMachine, "address"> {
    const { type, outputs = {} } =
        resources.find((each) => each.name === name && /:(Instance|Droplet)$/.test(each.type)) ?? {};
    const size = text(type?.startsWith("aws:") ? outputs.instanceType : outputs.size);
    const zone = text(type?.startsWith("aws:") ? outputs.availabilityZone : outputs.region);
    return { ...(size && { size }), ...(zone && { zone }) };
}

function countOf({ outputs: { minSize, maxSize } }: Resource): { min: number; max: number } {
    return { min: Number(plain(minSize)), max: Number(plain(maxSize)) };
}

function text(value: unknown): string | undefined {
    const content = plain(value);
    return typeof content === "string" && content !== "" ? content : undefined;
}
