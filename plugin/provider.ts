import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import * as pulumi from "@pulumi/pulumi";
import type { ConstructResult, Provider } from "@pulumi/pulumi/provider";
import { isSecretArgument } from "../components/arguments";

type Component = new (name: string, args: never, opts: pulumi.ComponentResourceOptions) => pulumi.ComponentResource;

/** Loads a cloud's SDK when its first cluster is created. */
const components: Readonly<Record<string, () => Component>> = {
    AwsCluster: () => require("../components/aws/cluster").AwsCluster,
    DigitalOceanCluster: () => require("../components/digitalocean/cluster").DigitalOceanCluster,
};

/** Package metadata for every language, written by `npm run reference`. */
interface Schema {
    readonly name: string;
    readonly resources: Readonly<Record<string, { readonly properties: Readonly<Record<string, unknown>> }>>;
}

/** The npm package has it compressed. */
function readSchema(): Schema {
    const path = join(__dirname, "schema.json");
    const text = existsSync(path) ? readFileSync(path) : brotliDecompressSync(readFileSync(`${path}.br`));
    return JSON.parse(text.toString("utf8"));
}

/**
 * Offers the components to programs in other languages.
 *
 * Its schema is generated ahead of time: Pulumi's own host would run the TypeScript compiler on all components in every
 * run, and the npm package does not contain their sources.
 */
export class ComponentProvider implements Provider {
    private readonly described = readSchema();
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

/** Arguments of a component, decoded from the engine's inputs. The component checks them. */
export function componentArgs(inputs: pulumi.Inputs): pulumi.Inputs {
    const args: pulumi.Inputs = Object.fromEntries(
        Object.entries(inputs).map(([argument, value]) => [
            argument,
            isSecretArgument(argument) ? pulumi.output(value) : inOrder(value),
        ]),
    );
    const encryption: unknown = args.keys?.encryption;
    return Array.isArray(encryption)
        ? { ...args, keys: { ...args.keys, encryption: encryption.map(generation) } }
        : args;
}

/** Sorts the keys of maps: the engine sends them in random order, and labels end up on the kubelet's command line. */
function inOrder(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(inOrder);
    if (typeof value !== "object" || value === null || pulumi.Output.isInstance(value)) return value;
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([key, each]) => [key, inOrder(each)]));
}

/** Lists in the schema hold values of one type. */
function generation(key: unknown): unknown {
    return typeof key === "string" && /^\d+$/.test(key) ? Number(key) : key;
}
