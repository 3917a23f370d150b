import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import type * as pulumi from "@pulumi/pulumi";
import type { ConstructResult, Provider } from "@pulumi/pulumi/provider";
import { cloudNames, clouds } from "../cluster/clouds";
import { decodedArgs } from "./decode";

type Component = new (name: string, args: never, opts: pulumi.ComponentResourceOptions) => pulumi.ComponentResource;

/** Loads a cloud's SDK when its first cluster is created. */
function load(component: string): Component | undefined {
    const cloud = cloudNames.find((name) => clouds[name].component === component);
    return cloud && require(`../components/${cloud}/cluster`)[component];
}

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
        const component = type.slice(`${packageName}:index:`.length);
        const Cluster = load(component);
        const resource = resources[type];
        if (!Cluster || !resource) {
            throw new Error(`type must be one of ${Object.keys(resources).join(", ")} (got ${type})`);
        }
        const args = await decodedArgs(component, inputs);
        const created = new Cluster(name, args as never, options);
        const outputs = Object.keys(resource.properties).map((output) => [output, Reflect.get(created, output)]);
        return { urn: created.urn, state: Object.fromEntries(outputs) };
    }
}
