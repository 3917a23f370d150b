import { type CloudName, cloudNames, clouds } from "../../cluster/clouds";
import { otherPools } from "../../cluster/model";
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

export type Cloud = "local" | CloudName;

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
    const cloud = cloudOf(resources);
    const types = cloud === "local" ? undefined : clouds[cloud];
    const groups = types?.group === undefined ? [] : of(types.group);
    const subnet = types?.subnet;
    // Ingress may have a load balancer of its own.
    const balancer = resources.find(
        ({ type, name }) => type === types?.loadBalancer.type && name === `${cluster.name}-api`,
    );
    const balancerAddress = balancer && types && text(balancer.outputs[types.loadBalancer.address]);
    return {
        cluster: cluster.name,
        cloud,
        kubernetes: cluster.versions.kubernetes,
        etcd: cluster.versions.etcd,
        podCidrs: podCidrs(cluster.network),
        serviceCidrs: serviceCidrs(cluster.network),
        network: networkOf(resources, cluster.name, types?.network),
        subnets: (subnet ? of(subnet.type) : []).map(({ outputs }) => ({
            zone: text(outputs[subnet!.zone]) ?? "",
            cidr: text(outputs[subnet!.cidr]) ?? "",
        })),
        apiLoadBalancer: cluster.apiLoadBalancer,
        apiAddress: cluster.apiLoadBalancer ? balancerAddress : cluster.apiName,
        machines: Object.fromEntries(
            Object.entries(machines).map(([name, address]) => [
                name,
                { address, ...machineOf(resources, name, types?.machine) },
            ]),
        ),
        controllers: cluster.controllers.names,
        pools: otherPools(cluster).map(({ name, nodes }): StackPool => {
            const group = groups.find((each) => each.name === `${cluster.name}-${name}`);
            return group ? { name, nodes: [], count: countOf(group) } : { name, nodes };
        }),
    };
}

function cloudOf(resources: readonly Resource[]): Cloud {
    const component = resources.find(({ type }) => /^tradewind:index:\w+Cluster$/.test(type))?.type;
    return cloudNames.find((name) => component?.endsWith(`:${clouds[name].component}`)) ?? "local";
}

function networkOf(
    resources: readonly Resource[],
    cluster: string,
    network?: (typeof clouds)[CloudName]["network"],
): string | undefined {
    if (network) return text(resources.find(({ type }) => type === network.type)?.outputs[network.cidr]);
    const triggers = resources.find(
        ({ type, name }) => type === "command:local:Command" && name === `${cluster}-network`,
    )?.outputs.triggers;
    return Array.isArray(triggers) ? text(triggers[0]) : undefined;
}

function machineOf(
    resources: readonly Resource[],
    name: string,
    machine?: (typeof clouds)[CloudName]["machine"],
): Omit<StackMachine, "address"> {
    const outputs = resources.find((each) => each.name === name && each.type === machine?.type)?.outputs;
    const size = machine && text(outputs?.[machine.size]);
    const zone = machine && text(outputs?.[machine.zone]);
    return { ...(size && { size }), ...(zone && { zone }) };
}

function countOf({ outputs: { minSize, maxSize } }: Resource): { min: number; max: number } {
    return { min: Number(plain(minSize)), max: Number(plain(maxSize)) };
}

function text(value: unknown): string | undefined {
    const content = plain(value);
    return typeof content === "string" && content !== "" ? content : undefined;
}
