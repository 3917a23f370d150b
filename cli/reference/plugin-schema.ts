import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Analyzer } from "@pulumi/pulumi/provider/experimental/analyzer";
import { generateSchema } from "@pulumi/pulumi/provider/experimental/schema";
import { PROJECT_DIR } from "../pulumi-env";

const COMPONENTS = ["AwsCluster", "DigitalOceanCluster"];

/** What other languages are told of the components, as Pulumi's own analyzer reads it from `plugin/index.ts`. The version is that of the package. */
export function pluginSchema(): string {
    const { name, version, description } = JSON.parse(readFileSync(join(PROJECT_DIR, "package.json"), "utf8"));
    const analyzer = new Analyzer(join(PROJECT_DIR, "plugin"), name, { main: "index.ts" }, new Set(COMPONENTS));
    const { components, typeDefinitions, dependencies } = analyzer.analyze();
    const schema = generateSchema(name, version, description, components, typeDefinitions, dependencies);
    return `${JSON.stringify({ ...schema, version: undefined }, undefined, 4)}\n`;
}
