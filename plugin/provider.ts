import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { ConstructResult, Provider } from "@pulumi/pulumi/provider";
import { invalid } from "../cluster/validate";

type Component = new (name: string, args: never, opts: pulumi.ComponentResourceOptions) => pulumi.ComponentResource;

/** A cloud's SDK is loaded with the first cluster there. */
const components: Readonly<Record<string, () => Component>> = {
    AwsCluster: () => require("../components/aws/cluster").AwsCluster,
    DigitalOceanCluster: () => require("../components/digitalocean/cluster").DigitalOceanCluster,
};

/** What is said of the package to every language: `npm run reference` writes it. */
interface Schema {
    readonly name: string;
    readonly resources: Readonly<Record<string, { readonly properties: Readonly<Record<string, unknown>> }>>;
}

/**
 * The package's components for programs in other languages.
 *
 * Its schema lies there ready-made: Pulumi's own host would have the TypeScript compiler read all of the components, in every
 * run, and the npm package has none of their sources.
 */
export class ComponentProvider implements Provider {
    private readonly described: Schema = JSON.parse(readFileSync(join(__dirname, "schema.json"), "utf8"));
    readonly version: string = require("../package.json").version;
    readonly schema = JSON.stringify({ ...this.described, version: this.version });

    async construct(
        name: string,
        type: string,
        inputs: pulumi.Inputs,
        options: pulumi.ComponentResourceOptions,
    ): Promise<ConstructResult> {
        const { name: packageName, resources } = this.described;
        const load = components[type.slice(`${packageName}:index:`.length)];
        const resource = resources[type];
        if (!load || !resource) {
            throw new Error(`type must be one of ${Object.keys(resources).join(", ")}, got ${type}`);
        }
        const component = new (load())(name, componentArgs(inputs) as never, options);
        const outputs = Object.keys(resource.properties).map((output) => [output, Reflect.get(component, output)]);
        return { urn: component.urn, state: Object.fromEntries(outputs) };
    }
}

/** Arguments that may come from another resource, or be secret. */
const LATE = ["etcdSnapshotSecrets", "cloudTokens"];

/**
 * A component's arguments, of those that came through the engine.
 *
 * @throws when one that shapes the cluster is not known yet, or a secret, which then is in no form for people to read
 */
export function componentArgs(inputs: pulumi.Inputs): pulumi.Inputs {
    const args: pulumi.Inputs = {};
    for (const [option, value] of Object.entries(inputs)) {
        if (!LATE.includes(option)) requirePlain(option, value);
        args[option] = LATE.includes(option) ? pulumi.output(value) : inOrder(value);
    }
    const encryption: readonly string[] | undefined = args.keys?.encryption;
    return encryption ? { ...args, keys: { ...args.keys, encryption: encryption.map(generation) } } : args;
}

function requirePlain(option: string, value: unknown): void {
    if (pulumi.Output.isInstance(value)) {
        throw invalid(option, "a value that the program itself has", "one of a resource, or a secret");
    }
    if (typeof value !== "object" || value === null) return;
    for (const [key, each] of Object.entries(value)) {
        requirePlain(Array.isArray(value) ? `${option}[${key}]` : `${option}.${key}`, each);
    }
}

/** Maps come in another order in every run, and a kubelet's command line has that of its labels. */
function inOrder(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(inOrder);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([key, each]) => [key, inOrder(each)]));
}

/** Lists of the schema hold values of one type. */
function generation(key: string): number | string {
    return /^\d+$/.test(key) ? Number(key) : key;
}
