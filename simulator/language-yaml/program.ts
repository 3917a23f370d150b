import { promisify } from "node:util";
import { Alias } from "@pulumi/pulumi/proto/alias_pb";
import type { ResourceMonitorClient } from "@pulumi/pulumi/proto/resource_grpc_pb";
import * as rpc from "@pulumi/pulumi/proto/resource_pb";
import { type Properties, UNKNOWN } from "../plugin/values";
import { decode, encode } from "../plugin/wire";
import { evaluate, type Names, namesIn } from "./expression";

export interface YamlProgram {
    readonly resources?: Readonly<Record<string, YamlResource>>;
    readonly outputs?: Properties;
}

interface YamlResource {
    readonly type: string;
    readonly properties?: Properties;
    readonly options?: YamlOptions;
}

/** Each but the last refers to resources: `${parent}`. */
interface YamlOptions {
    readonly provider?: string;
    readonly providers?: Readonly<Record<string, string>>;
    readonly parent?: string;
    readonly dependsOn?: readonly string[];
    readonly protect?: boolean;
    /** What the resource was before: without a parent, or under another name. */
    readonly aliases?: readonly { readonly name?: string; readonly noParent?: boolean }[];
}

interface Surroundings {
    readonly client: ResourceMonitorClient;
    /** Name of the stack's own resource. */
    readonly stack: string;
    readonly config: Names;
}

/** Registers what a program has, and its outputs. */
export async function runYaml(
    { resources = {}, outputs = {} }: YamlProgram,
    surroundings: Surroundings,
): Promise<void> {
    const { client, stack, config } = surroundings;
    const register = promisify(client.registerResource.bind(client)) as unknown as Call;
    const registerOutputs = promisify(client.registerResourceOutputs.bind(client)) as unknown as CallOutputs;
    const root = await register(new rpc.RegisterResourceRequest().setType("pulumi:pulumi:Stack").setName(stack));
    const names: Record<string, unknown> = { ...config };
    for (const name of inOrder(resources)) {
        const answer = await register(requestOf(name, resources[name]!, names).setParent(parentOf(name)));
        names[name] = { ...decode(answer.getObject()), id: answer.getId(), urn: answer.getUrn() };
    }
    const values = encode(evaluate(outputs, names) as Properties);
    await registerOutputs(new rpc.RegisterResourceOutputsRequest().setUrn(root.getUrn()).setOutputs(values));

    function parentOf(name: string): string {
        const parent = resources[name]!.options?.parent;
        return parent === undefined ? root.getUrn() : urnOf(parent, names);
    }
}

type Call = (request: rpc.RegisterResourceRequest) => Promise<rpc.RegisterResourceResponse>;
type CallOutputs = (request: rpc.RegisterResourceOutputsRequest) => Promise<unknown>;

function requestOf(name: string, { type, properties = {}, options = {} }: YamlResource, names: Names) {
    const { provider, providers = {}, parent: _, dependsOn = [], protect = false, aliases = [], ...others } = options;
    const [unknown] = Object.keys(others);
    if (unknown) throw new Error(`an option of a resource must be one that is known here, got ${unknown}`);
    // Of a component as of its package: the others of this project are custom resources, providers among them.
    const isComponent = /^tradewind:/.test(type);
    const request = new rpc.RegisterResourceRequest()
        .setType(type)
        .setName(name)
        .setCustom(!isComponent)
        .setRemote(isComponent)
        .setProtect(protect)
        .setAcceptsecrets(true)
        .setAcceptresources(true)
        .setObject(encode(evaluate(properties, names) as Properties))
        .setDependenciesList(dependsOn.map((each) => urnOf(each, names)))
        .setAliasesList(aliases.map(aliasOf))
        // Else the engine takes them as old programs in TypeScript meant them: without a parent as with today's.
        .setAliasspecs(true);
    if (provider && !isComponent) request.setProvider(referenceTo(provider, names));
    for (const each of [...(provider && isComponent ? [provider] : []), ...Object.values(providers)]) {
        const reference = referenceTo(each, names);
        request.getProvidersMap().set(/pulumi:providers:([^:]+)/.exec(reference)![1]!, reference);
    }
    return request;
}

function aliasOf({ name, noParent = false }: { readonly name?: string; readonly noParent?: boolean }): Alias {
    const spec = new Alias.Spec();
    if (name !== undefined) spec.setName(name);
    if (noParent) spec.setNoparent(true);
    return new Alias().setSpec(spec);
}

/** A provider, as the engine knows it. */
function referenceTo(expression: string, names: Names): string {
    const { urn, id } = evaluate(expression, names) as { readonly urn: string; readonly id: string };
    return `${urn}::${id || UNKNOWN}`;
}

function urnOf(expression: string, names: Names): string {
    return (evaluate(expression, names) as { readonly urn: string }).urn;
}

/** The names of resources, each after those that it refers to. */
function inOrder(resources: Readonly<Record<string, YamlResource>>): string[] {
    const order = new Set<string>();
    const visit = (name: string, before: readonly string[]) => {
        if (before.includes(name)) throw new Error(`resources must not wait for each other, got ${name}`);
        const needed = namesIn({ ...resources[name] }).filter((each) => Object.hasOwn(resources, each));
        for (const each of needed) visit(each, [...before, name]);
        order.add(name);
    };
    for (const name of Object.keys(resources)) visit(name, []);
    return [...order];
}
