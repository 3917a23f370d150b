import { readFileSync } from "node:fs";
import { join } from "node:path";
import type * as pulumi from "@pulumi/pulumi";
import type { ConstructResult, Provider } from "@pulumi/pulumi/provider";
import { componentArgs } from "./component-args";

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
